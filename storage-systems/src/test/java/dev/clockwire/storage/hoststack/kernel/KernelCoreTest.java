package dev.clockwire.storage.hoststack.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.HostModel;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who has the core when, and what it pays, in closed form: an interrupt 800 ns, waking 1000 ns, a softirq 150 ns, a switch 1100 ns. */
class KernelCoreTest {
    private static final long NS = 1000;
    private static final long US = 1000 * NS;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final Host host = new Host(
            sim.root(), "host0", HostModel.host(Profiles.named("cx7-400g")), CpuSpec.free(), PayloadMode.BYTES);
    private final CpuCore core = host.addCore();
    private final KernelCore kernel = new KernelCore(host, core, KernelCosts.of(Profiles.named("cx7-400g")));
    private final List<String> log = new ArrayList<>();

    KernelCoreTest() {
        sim.elaborate();
        kernel.start();
        sim.run(US);
        core.charge(0);
    }

    /** A softirq that writes down when it ran. */
    private final class Logged extends Softirq {
        private final String name;
        private long due = Long.MAX_VALUE;

        Logged(String name) {
            this.name = name;
            kernel.add(this);
        }

        @Override
        protected boolean run() {
            log.add(name + " " + kernel.now() / NS);
            kernel.charge(100 * NS);
            return false;
        }

        @Override
        protected long deadline() {
            return due;
        }

        @Override
        protected void expired() {
            log.add(name + " due " + kernel.now() / NS);
            due = Long.MAX_VALUE;
        }
    }

    /** A thread that takes its time several times. */
    private final class Busy extends KernelTask {
        private final String name;
        private final long ps;
        private int times;

        Busy(String name, long ps, int times) {
            super(name);
            this.name = name;
            this.ps = ps;
            this.times = times;
        }

        @Override
        protected boolean run() {
            log.add(name + " " + kernel.now() / NS);
            kernel.charge(ps);
            return --times > 0;
        }
    }

    @Test
    void anInterruptWakesACoreThatHalts() {
        Logged s = new Logged("net");
        sim.run(10 * US);
        long before = core.busyPs();
        kernel.interrupted(s);
        sim.run(20 * US);
        assertThat(log).containsExactly("net " + (10_000 + 1000 + 800 + 150));
        assertThat(core.busyPs() - before).isEqualTo((1000 + 800 + 150 + 100) * NS);
        assertThat(kernel.counts().interrupts()).isEqualTo(1);
        assertThat(kernel.counts().softirqs()).isEqualTo(1);
        assertThat(kernel.counts().contextSwitches()).isZero();
    }

    /** What comes while the core is busy is handled behind the step, before threads; messages within a handler's time are one interrupt. */
    @Test
    void interruptsOfABusyCoreGoFirst() {
        Logged s = new Logged("net");
        Busy first = new Busy("first", 5 * US, 1);
        Busy second = new Busy("second", US, 1);
        sim.run(10 * US);
        kernel.launch(first);
        kernel.launch(second);
        sim.run(11 * US);
        kernel.interrupted(s);
        sim.run(11 * US + 500 * NS);
        kernel.interrupted(s);
        sim.run(13 * US);
        kernel.interrupted(s);
        sim.run(40 * US);
        long firstEnds = 10_000 + 1100 + 5000;
        long handled = firstEnds + 2 * 800 + 150;
        assertThat(log)
                .containsExactly("first " + (10_000 + 1100), "net " + handled, "second " + (handled + 100 + 1100));
        assertThat(kernel.counts().interrupts()).isEqualTo(2);
        assertThat(kernel.counts().contextSwitches())
                .as("to each thread, and to idleness")
                .isEqualTo(3);
    }

    @Test
    void readyThreadsTakeTurns() {
        Busy a = new Busy("a", US, 3);
        Busy b = new Busy("b", US, 3);
        sim.run(10 * US);
        long before = core.busyPs();
        kernel.launch(a);
        kernel.launch(b);
        sim.run(60 * US);
        assertThat(log.stream().map(l -> l.substring(0, 1))).containsExactly("a", "b", "a", "b", "a", "b");
        assertThat(kernel.counts().contextSwitches()).isEqualTo(7);
        assertThat(core.busyPs() - before).isEqualTo((7 * 1100 + 6 * 1000) * NS);
    }

    /** A thread that is alone keeps the core: no switch between its turns. */
    @Test
    void oneThreadIsSwitchedToOnce() {
        sim.run(10 * US);
        kernel.launch(new Busy("a", US, 5));
        sim.run(60 * US);
        assertThat(log).hasSize(5);
        assertThat(kernel.counts().contextSwitches()).isEqualTo(2);
    }

    @Test
    void aTimerIsAnInterruptToo() {
        Logged s = new Logged("tcp");
        sim.run(10 * US);
        s.due = 50 * US;
        kernel.launch(new Busy("a", US, 1));
        sim.run(100 * US);
        assertThat(log).containsExactly("a 11100", "tcp due " + (50_000 + 1000 + 800 + 150));
        assertThat(kernel.counts().interrupts()).isEqualTo(1);
    }

    /** Work that waits already is not queued, nor paid for, twice; a handler may give it. */
    @Test
    void workIsQueuedOnce() {
        Busy work = new Busy("work", US, 1);
        sim.run(10 * US);
        kernel.launch(new KernelTask("giver") {
            @Override
            protected boolean run() {
                long before = kernel.now();
                kernel.queueWork(work);
                kernel.queueWork(work);
                assertThat(kernel.now() - before).isEqualTo(150 * NS);
                return false;
            }
        });
        sim.run(20 * US);
        assertThat(log).containsExactly("work " + (10_000 + 1100 + 150 + 1100));
        sim.run(30 * US);
        Busy other = new Busy("other", US, 1);
        kernel.interrupted(other);
        sim.run(60 * US);
        assertThat(log.get(1)).isEqualTo("other " + (30_000 + 1000 + 800 + 150 + 1100));
        assertThat(kernel.counts().softirqs()).isZero();
    }

    @Test
    void copiesAndCallsAreCounted() {
        sim.run(10 * US);
        kernel.launch(new KernelTask("caller") {
            @Override
            protected boolean run() {
                long before = kernel.now();
                kernel.syscall();
                kernel.copy(4096);
                log.add(String.valueOf(kernel.now() - before));
                return false;
            }
        });
        sim.run(20 * US);
        assertThat(log).containsExactly(String.valueOf(351 * NS + 4096 * 95));
        assertThat(kernel.counts().syscalls()).isEqualTo(1);
        assertThat(kernel.counts().copies()).isEqualTo(1);
        assertThat(kernel.counts().copiedBytes()).isEqualTo(4096);
    }
}
