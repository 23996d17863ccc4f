package dev.clockwire.storage.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.sim.KernelMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two reactors in step: at which poll one sees what the other writes. */
class PollInstantTest {
    private static final long ROUND = Bench.EVENTS + Bench.MESSAGES + Bench.CALL;

    private final List<Long> seen = new ArrayList<>();
    private long written;

    private static long start(Poller self) {
        return self.cpu().now() - self.cpu().stepPs();
    }

    private Bench run(KernelMode mode, int writer) {
        Bench b = new Bench(mode, 2, Bench.SPEC);
        for (int i = 0; i < 2; i++) {
            StorageThread t = b.reactors.thread("t" + i);
            t.poller("p", i == writer ? self -> write(b, self) : self -> look(b, self))
                    .register(0);
        }
        b.sim.run(5_000_000);
        return b;
    }

    private int write(Bench b, Poller self) {
        if (self.runCount() == 100) {
            written = start(self);
            self.cpu().memory().putByte(b.memory.address(), (byte) 1);
        }
        return 0;
    }

    private int look(Bench b, Poller self) {
        if (self.cpu().memory().getByte(b.memory.address()) == 0) {
            self.watch(b.memory.address(), 1);
            return 0;
        }
        seen.add(start(self));
        self.watch(b.memory.address(), 1);
        return 1;
    }

    @ParameterizedTest
    @EnumSource
    void aWriteAtThePollInstantIsSeen(KernelMode mode) {
        run(mode, 0);
        assertThat(seen.get(0)).isEqualTo(written).isPositive();
    }

    /** Of two cores in one instant the lower goes first. */
    @ParameterizedTest
    @EnumSource
    void oneOfAHigherCoreIsSeenARoundLater(KernelMode mode) {
        run(mode, 1);
        assertThat(seen.get(0)).isEqualTo(written + ROUND);
    }

    /** Interrupt and switch behind the write, rather than polls; the syscall that went to sleep is paid before. */
    @ParameterizedTest
    @EnumSource
    void anAdaptiveReactorSleepsUntilSomethingIsWritten(KernelMode mode) {
        Bench b = new Bench(mode, 1, Bench.SPEC.withAdaptive(true));
        StorageThread t = b.reactors.thread("t");
        Poller p = t.poller("p", self -> {
            byte now = self.cpu().memory().getByte(b.memory.address());
            if (now == seen.size()) {
                self.watch(b.memory.address(), 1);
                return 0;
            }
            seen.add(start(self));
            return 1;
        });
        p.register(0);
        b.sim.run(10_000_000);
        long calls = p.runCount();
        long sleeps = b.reactor().sleeps();
        b.sim.run(20_000_000);
        assertThat(p.runCount()).isEqualTo(calls);
        b.write(20_000_001, b.memory.address(), 1);
        b.sim.run(60_000_000);
        CpuSpec cpu = CpuSpec.server();
        long woken = seen.get(0) - cpu.interruptPs() - cpu.contextSwitchPs() - Bench.EVENTS - Bench.MESSAGES;
        assertThat(woken).isBetween(20_000_001L, 20_600_000L);
        assertThat(b.reactor().sleeps()).isEqualTo(sleeps + 1);
        assertThat(p.runCount()).isEqualTo(calls + 2); // one that finds it, one that finds nothing more
        assertThat(b.reactor().core().busyPs()).isLessThan(8_000_000);
        assertThat(b.reactor().idlePs() - b.reactor().sleepPs()).isLessThan(8_000_000);
    }

    /** A timer wakes it at its time. */
    @ParameterizedTest
    @EnumSource
    void aTimedPollerWakesASleeper(KernelMode mode) {
        Bench b = new Bench(mode, 1, Bench.SPEC.withAdaptive(true));
        StorageThread t = b.reactors.thread("t");
        Poller p = t.poller("timer", self -> {
            seen.add(self.nextRun());
            return 0;
        });
        p.register(100_000_000);
        b.sim.run(1_000_000_000);
        assertThat(seen).hasSize(9);
        assertThat(b.reactor().sleeps()).isBetween(9L, 11L);
        for (int i = 1; i < seen.size(); i++) { // woken at its time: no drift
            assertThat(seen.get(i) - seen.get(i - 1)).isEqualTo(100_000_000);
        }
    }
}
