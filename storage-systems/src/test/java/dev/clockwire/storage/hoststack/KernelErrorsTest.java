package dev.clockwire.storage.hoststack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.bdev.IoType;
import dev.clockwire.storage.perf.PerfQueue;
import dev.clockwire.storage.perf.PerfUser;
import dev.clockwire.storage.reactor.CoreMask;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors reach the program, once for each I/O: those of the target, and those of a line that is gone. */
class KernelErrorsTest {
    private static final long MS = 1_000_000_000L;
    private static final int DEPTH = 5;

    private static KernelStack stack(boolean tcp, FaultPlan faults) {
        NvmeSpec ssd = NvmeSpec.of("null").withNamespaces(List.of(new NamespaceSpec(512, 1000)));
        HostStackSpec spec = new HostStackSpec(
                        SimSpec.of(1), Profiles.named("cx7-400g"), CoreMask.parse("0x1"), ssd, DEPTH, 1)
                .withFaults(faults)
                .withEntries(4);
        return tcp ? new KernelTcpStack(spec) : new KernelRdmaStack(spec);
    }

    /** Submits each I/O once more until there have been enough. */
    private static final class User implements PerfUser {
        private final PerfQueue queue;
        private final long lba;
        private final IoType type;
        private final long at;
        private final int wanted;
        private int submitted;
        int good;
        int bad;

        User(PerfQueue queue, IoType type, long lba, int wanted) {
            this.queue = queue;
            this.type = type;
            this.lba = lba;
            this.wanted = wanted;
            at = queue.allocate("data", 1 << 16);
        }

        @Override
        public void begin() {
            for (int i = 0; i < DEPTH; i++) {
                submit(i);
            }
        }

        private void submit(int tag) {
            if (submitted < wanted) {
                submitted++;
                queue.submit(type, lba, 16, at, tag);
            }
        }

        @Override
        public void ended(int tag, boolean wasGood) {
            good += wasGood ? 1 : 0;
            bad += wasGood ? 0 : 1;
            submit(tag);
        }

        boolean isDone() {
            return good + bad == wanted;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatTheTargetRefusesIsAnErrorOfTheIo(boolean tcp) {
        for (IoType type : List.of(IoType.READ, IoType.WRITE)) {
            KernelStack s = stack(tcp, FaultPlan.NONE);
            s.connect();
            User u = new User(s.queues().get(0), type, 990, 20);
            s.queues().get(0).start(u);
            assertThat(s.sim().runUntil(u::isDone, s.sim().now() + 100 * MS)).isTrue();
            assertThat(u.bad).isEqualTo(20);
        }
    }

    /** The line goes down for good: RDMA gives up after its retries, TCP after 15 timeouts; then every I/O ends with an error, also new ones. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLineThatIsGoneEndsAllIos(boolean tcp) {
        FaultPlan plan = FaultPlan.of(FaultRule.of(new FaultAction.LinkDown("link"), new FaultTrigger.At(2 * MS)));
        KernelStack s = stack(tcp, plan);
        s.connect();
        assertThat(s.sim().now()).isLessThan(2 * MS);
        User u = new User(s.queues().get(0), IoType.READ, 10, 400);
        s.queues().get(0).start(u);
        assertThat(s.sim().runUntil(u::isDone, s.sim().now() + 2_000_000 * MS)).isTrue();
        assertThat(u.good).isPositive();
        assertThat(u.bad).isPositive();
        if (tcp) {
            assertThat(s.sim().now())
                    .as("0.2 to 102.4 s doubled, then 120 s each")
                    .isGreaterThan(900_000 * MS);
        }
    }
}
