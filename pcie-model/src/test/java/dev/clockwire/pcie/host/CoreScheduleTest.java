package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A core that is not isolated against a list of what it loses, made by hand from the named stream. */
class CoreScheduleTest {
    private static final long TICK = 1_000_000;
    private static final long COST = 30_000;
    private static final long SLICE = 400_000;
    private static final long POLL = 7_000;

    private static Rig rig(KernelMode mode, SchedSpec sched) {
        HostSpec host = HostSpec.server().withDepth(HostDepth.NONE.withSched(sched));
        return new Rig(SimSpec.of(1).withMode(mode), PcieLinkSpec.of(4, 16), host, CpuSpec.server(), PayloadMode.BYTES);
    }

    private static double unit(long index) {
        return (RandomStream.named(1, "host0.sched0").at(index) >>> 11) * 0x1.0p-53;
    }

    /** Whether picosecond t is the program's, from the definition. */
    private static boolean isMine(long t, double load) {
        long behind = t - (long) (unit(0) * TICK);
        return behind < 0 || behind % TICK >= COST + (unit(behind / TICK + 1) < load ? SLICE : 0);
    }

    /** Polls back to back: their starts are what a walk over the program's own time, 1 ns at a time, says. */
    @ParameterizedTest
    @EnumSource
    void pollsTakeTheirTimeFromWhatOthersLeave(KernelMode mode) {
        Rig rig = rig(mode, new SchedSpec(TICK, COST, 0.5, SLICE));
        List<Long> found = new ArrayList<>();
        long flag = rig.real.address();
        rig.core.run(core -> {
            core.charge(POLL);
            if (core.memory().getInt(flag) == found.size()) {
                core.idle(flag, 4);
            } else {
                found.add(core.now());
                core.wake();
            }
        });
        for (int i = 1; i <= 40; i++) {
            rig.write(333_000L * i, flag, new byte[] {(byte) i, 0, 0, 0});
        }
        rig.sim.run(20 * TICK);
        assertThat(found).hasSize(40);
        long mine = 0;
        for (long t = 0; t < 20 * TICK; t += 1_000) {
            mine += isMine(t, 0.5) ? 1_000 : 0;
        }
        assertThat(rig.core.busyPs()).isCloseTo(mine, within(POLL + 21 * 2_000L));
        assertThat(rig.core.steps()).isEqualTo(rig.core.busyPs() / POLL);
        assertThat(rig.core.pollingPs()).isEqualTo(rig.core.busyPs() - 40 * POLL);
        assertThat(mine).isLessThan(17 * TICK);
        for (long t : found) { // a step ends in the program's time
            assertThat(isMine(t, 0.5)).isTrue();
        }
        assertThat(found).isEqualTo(mode == KernelMode.EXHAUSTIVE ? found : exhaustive());
    }

    private List<Long> exhaustive() {
        Rig rig = rig(KernelMode.EXHAUSTIVE, new SchedSpec(TICK, COST, 0.5, SLICE));
        List<Long> found = new ArrayList<>();
        long flag = rig.real.address();
        rig.core.run(core -> {
            core.charge(POLL);
            found.add(core.memory().getInt(flag) == found.size() ? -1 : core.now());
            if (found.get(found.size() - 1) < 0) {
                found.remove(found.size() - 1);
            }
            core.wake();
        });
        for (int i = 1; i <= 40; i++) {
            rig.write(333_000L * i, flag, new byte[] {(byte) i, 0, 0, 0});
        }
        rig.sim.run(20 * TICK);
        return found;
    }

    /** Skipped polls are exact whatever the host does: same steps, same sums, same times. */
    @Property(tries = 60)
    void activityIsExhaustive(
            @ForAll @LongRange(min = 1_000_000, max = 4_000_000) long tick,
            @ForAll @LongRange(min = 0, max = 300_000) long cost,
            @ForAll @DoubleRange(min = 0, max = 1) double load,
            @ForAll @LongRange(min = 0, max = 690_000) long slice,
            @ForAll @LongRange(min = 1_000, max = 2_500_000) long poll) {
        SchedSpec spec = new SchedSpec(tick, cost, load, slice);
        assertThat(seen(KernelMode.ACTIVITY, spec, poll)).isEqualTo(seen(KernelMode.EXHAUSTIVE, spec, poll));
    }

    private static List<Long> seen(KernelMode mode, SchedSpec spec, long poll) {
        Rig rig = rig(mode, spec);
        List<Long> found = new ArrayList<>();
        long flag = rig.real.address();
        int[] last = {0};
        rig.core.run(core -> {
            core.charge(poll / 3);
            int now = core.memory().getInt(flag);
            core.charge(poll - poll / 3);
            if (now == last[0]) {
                core.idle(flag, 4);
            } else {
                last[0] = now;
                found.add(core.now());
                core.wakeAfter(50_000);
            }
        });
        for (int i = 1; i <= 10; i++) {
            rig.write(770_000L * i, flag, new byte[] {(byte) i, 0, 0, 0});
        }
        rig.sim.run(15_000_000);
        found.add(rig.core.steps());
        found.add(rig.core.idleSteps());
        found.add(rig.core.busyPs());
        found.add(rig.core.pollingPs());
        return found;
    }

    @Test
    void whatLeavesNothingForTheProgramIsRefused() {
        assertThatThrownBy(() -> new SchedSpec(TICK, 0, 1.5, 0))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("load 1.5 is not in 0..1");
        assertThatThrownBy(() -> new SchedSpec(TICK, 600_000, 0, 400_000))
                .hasMessageContaining("slice ps 400000 is not in 0..399999, what a tick leaves");
        assertThatThrownBy(() -> new SchedSpec(TICK, TICK, 0, 0)).hasMessageContaining("below the tick");
        assertThatThrownBy(() -> new SchedSpec(999_999, 0, 0, 0)).hasMessageContaining("tick ps 999999");
    }
}
