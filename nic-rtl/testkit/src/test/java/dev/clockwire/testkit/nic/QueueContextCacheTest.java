package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.PcieFaults;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.link.TlpFault;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.AsyncEvent;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.mem.Allocation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What it costs that the chip holds only some completion queues' contexts. */
class QueueContextCacheTest {
    private static Lab lab(int entries, int ways, KernelMode mode) {
        return ContextRounds.lab("cqc", entries, ways, mode);
    }

    private static long reading(Lab lab, String name) {
        return ContextRounds.reading(lab, "cqc", name);
    }

    /** Queues in turns: with least recently used and one more than fits, nothing is ever found again. */
    @ParameterizedTest
    @CsvSource({"8, 8, 1, 1", "8, 8, 4, 4", "8, 8, 8, 8", "8, 8, 9, 180", "8, 8, 16, 320", "8, 1, 8, 8"})
    void moreQueuesThanContextsOnTheChip(int entries, int ways, int queues, long misses) {
        Lab none = lab(0, 4, KernelMode.ACTIVITY);
        Lab some = lab(entries, ways, KernelMode.ACTIVITY);
        double all = ContextRounds.rounds(none, ContextRounds.pairs(none, queues));
        double each =
                (ContextRounds.rounds(some, ContextRounds.pairs(some, queues)) - all) / (queues * ContextRounds.ROUNDS);
        assertThat(reading(some, "misses")).isEqualTo(misses);
        assertThat(reading(some, "hits")).isEqualTo((long) ContextRounds.ROUNDS * queues - misses);
        assertThat(reading(some, "evictions")).isEqualTo(misses - Math.min(misses, entries));
        // a miss costs a read of host memory, 390 ns in this profile; a hit costs the lookup's cycle
        double share = (double) misses / (ContextRounds.ROUNDS * queues);
        assertThat(each).isBetween(share * 380_000, 5_000 + share * 420_000);
    }

    /** Whichever read of the client is refused: if it is the context's, the queue breaks, and its queue pair with it, as at an overflow. */
    @Test
    void aQueueWhoseContextCannotBeReadBreaks() {
        int broken = 0;
        for (int n = 1; n < 12; n++) {
            TlpFault fault = TlpFault.of(true, TlpType.MRD, n, TlpFault.What.REFUSE);
            Lab lab = Lab.twoHosts(
                    Profiles.named("cx7-400g")
                            .with("nic.cache.cqc_entries", "1")
                            .with("nic.cache.cqc_ways", "1"),
                    LabSpec.of(1).withPcieFaults(PcieFaults.ofClient(fault)));
            Pair p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
            Completion<AsyncEvent> first = p.a.host.context().asyncEvent();
            Completion<AsyncEvent> second = p.a.host.context().asyncEvent();
            new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 2000);
            lab.sim().runUntil(second::isDone, 100_000_000);
            if (reading(lab, "read_errors") > 0) {
                broken++;
                assertThat(List.of(first.get(), second.get()))
                        .containsExactlyInAnyOrder(
                                new AsyncEvent(AsyncEventType.CQ_ERR, p.a.cq.number()),
                                new AsyncEvent(AsyncEventType.QP_FATAL, p.a.qp.qpn()));
                assertThat(p.a.qp.state()).isEqualTo(QpState.ERR);
                assertThat(p.a.cq.hasCompletion()).isFalse();
            }
        }
        assertThat(broken).isEqualTo(1);
    }

    @Test
    void queuesThatWaitForContextsLoseNothing() {
        long[] hashes = new long[2];
        for (int i = 0; i < 2; i++) {
            Lab lab = lab(2, 1, i == 0 ? KernelMode.ACTIVITY : KernelMode.EXHAUSTIVE);
            List<Pair> pairs = ContextRounds.pairs(lab, 12);
            for (int r = 0; r < 10; r++) {
                for (Pair p : pairs) {
                    new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 64 + r);
                }
            }
            for (Pair p : pairs) {
                for (int r = 0; r < 10; r++) {
                    assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
                }
            }
            hashes[i] = lab.sim().traceHash();
            assertThat(reading(lab, "misses")).isPositive();
            assertThat(reading(lab, "misses") + reading(lab, "hits")).isEqualTo(120);
        }
        assertThat(hashes[0]).isEqualTo(hashes[1]);
    }
}
