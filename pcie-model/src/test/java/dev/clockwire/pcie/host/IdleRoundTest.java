package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A core that polls several queues in turn, a step each, and one that sleeps. */
class IdleRoundTest {
    private static final SchedSpec SCHED = new SchedSpec(1_000_000, 30_000, 0.5, 200_000);

    @Test
    void pollsOfARoundAreNumbered() {
        IdleRound round = new IdleRound();
        assertThat(round.active()).isFalse();
        round.begin(1_000, new long[] {10, 20, 5, 99}, 3);
        long[] starts = {1_000, 1_010, 1_030, 1_035, 1_045, 1_065, 1_070};
        for (int i = 0; i < starts.length; i++) {
            assertThat(round.start(i)).isEqualTo(starts[i]);
            assertThat(round.before(starts[i])).isEqualTo(i);
            assertThat(round.before(starts[i] + 1)).isEqualTo(i + 1);
            assertThat(round.notBefore(starts[i])).isEqualTo(starts[i]);
            assertThat(round.notBefore(starts[i] + 1)).isEqualTo(round.start(i + 1));
        }
        assertThat(round.before(0)).isZero();
        round.begin(7, 4);
        assertThat(round.notBefore(12)).isEqualTo(15);
        round.sleep(50);
        assertThat(round.notBefore(12)).isEqualTo(50);
        assertThat(round.notBefore(77)).isEqualTo(77);
        assertThat(round.before(1_000)).isZero();
        round.end();
        assertThat(round.active()).isFalse();
    }

    @Property(tries = 80)
    void activityIsExhaustive(
            @ForAll @Size(min = 1, max = 5) List<@LongRange(min = 900, max = 60_000) Long> costs,
            @ForAll boolean isolated,
            @ForAll @LongRange(min = 100_000, max = 900_000) long gap) {
        assertThat(seen(KernelMode.ACTIVITY, costs, isolated, gap))
                .isEqualTo(seen(KernelMode.EXHAUSTIVE, costs, isolated, gap));
    }

    /** What each queue's poll finds and when, and what the core counts. */
    private static List<Long> seen(KernelMode mode, List<Long> costs, boolean isolated, long gap) {
        HostSpec host = isolated ? HostSpec.server() : HostSpec.server().withDepth(HostDepth.NONE.withSched(SCHED));
        Rig rig = new Rig(
                SimSpec.of(1).withMode(mode), PcieLinkSpec.of(4, 16), host, CpuSpec.server(), PayloadMode.BYTES);
        List<Long> found = new ArrayList<>();
        int n = costs.size();
        rig.core.run(new Queues(rig, costs, found));
        for (int i = 1; i <= 8; i++) {
            rig.write(gap * i, rig.real.address() + 64L * (i * 7 % n), new byte[] {(byte) i});
        }
        for (long t = gap / 2; t < 9 * gap; t += gap) {
            rig.sim.run(t);
            found.addAll(List.of(rig.core.steps(), rig.core.idleSteps(), rig.core.busyPs(), rig.core.pollingPs()));
        }
        return found;
    }

    /** Goes round its queues; behind a round in which none had anything it says so. */
    private static final class Queues implements CoreProgram {
        private final Rig rig;
        private final long[] costs;
        private final List<Long> found;
        private final byte[] last;
        private long seen;
        private int quiet;
        private int at;

        Queues(Rig rig, List<Long> costs, List<Long> found) {
            this.rig = rig;
            this.costs = costs.stream().mapToLong(Long::longValue).toArray();
            this.found = found;
            last = new byte[costs.size()];
        }

        @Override
        public void step(CpuCore core) {
            at = (int) ((at + core.steps() - seen) % costs.length);
            long start = core.now();
            byte now = core.memory().getByte(rig.real.address() + 64L * at);
            core.charge(costs[at]);
            assertThat(core.stepPs()).isEqualTo(costs[at]);
            if (now == last[at]) {
                quiet++;
                core.foundNothing();
            } else {
                quiet = 0;
                last[at] = now;
                found.addAll(Arrays.asList((long) at, start, (long) now));
            }
            at = (at + 1) % costs.length;
            if (at == 0 && quiet >= costs.length && nothingWasWritten(core)) {
                for (int i = 0; i < costs.length; i++) {
                    core.idle(rig.real.address() + 64L * i, 1);
                }
                core.idleRound(costs, costs.length);
            } else {
                core.wake();
            }
            seen = core.steps() + 1;
        }

        /** A queue may have got something since its turn. */
        private boolean nothingWasWritten(CpuCore core) {
            for (int i = 0; i < costs.length; i++) {
                if (core.memory().getByte(rig.real.address() + 64L * i) != last[i]) {
                    return false;
                }
            }
            return true;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSleepingCoreTakesNoStepsUntilSomebodyWrites(KernelMode mode) {
        Rig rig = new Rig(SimSpec.of(1).withMode(mode), PcieLinkSpec.of(4, 16));
        List<Long> starts = new ArrayList<>();
        long flag = rig.real.address();
        rig.core.run(core -> {
            starts.add(core.now());
            core.charge(1_000);
            core.idle(flag, 1);
            if (starts.size() == 3) {
                core.idleAtMost(250_000);
            }
            core.sleep();
        });
        rig.write(300_000, flag, new byte[] {1});
        rig.sim.run(1_000_000);
        assertThat(starts).hasSize(2);
        assertThat(starts.get(1)).isGreaterThan(300_000);
        assertThat(rig.core.steps()).isEqualTo(2);
        assertThat(rig.core.busyPs()).isEqualTo(2_000);
        rig.core.wakeFrom(2_000_000);
        rig.sim.run(3_000_000);
        assertThat(starts.subList(2, 4)).containsExactly(2_000_000L, 2_251_000L);
        assertThat(rig.core.pollingPs()).isEqualTo(4_000);
        assertThat(starts).hasSize(4);
    }
}
