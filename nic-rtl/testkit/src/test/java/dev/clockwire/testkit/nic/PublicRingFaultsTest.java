package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults of other RDMA stacks, reported in public, in their rings and indices; docs/transport.md lists them all. */
class PublicRingFaultsTest {
    private static final int CQE = 4096;
    private static final long LIMIT_PS = 1_000_000_000L;

    private final WorkCompletion[] wc = WorkCompletion.array(64);

    private static Pair pair(ConnectionRig.Provider provider) {
        LabSpec spec = LabSpec.of(1).withSoft(provider == ConnectionRig.Provider.SOFTWARE ? SoftSpec.usual() : null);
        Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), spec);
        return new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL, CQE);
    }

    /** Makes one more queue pair on each side, and connects them. */
    private static QueuePair[] more(Pair p, QpCapabilities size) {
        QueuePair a = p.lab.await(p.a.pd.createQp(QpInit.of(QpType.RC, p.a.cq, size)));
        QueuePair b = p.lab.await(p.b.pd.createQp(QpInit.of(QpType.RC, p.b.cq, size)));
        Connections.join(p.lab, a, p.b.host.gid(), b.qpn(), Pair.PSN_A, Pair.PSN_B, Mtu.MTU_1024);
        Connections.join(p.lab, b, p.a.host.gid(), a.qpn(), Pair.PSN_B, Pair.PSN_A, Mtu.MTU_1024);
        return new QueuePair[] {a, b};
    }

    private static void receives(Pair.Side side, QueuePair qp, int from, int count) {
        ReceiveBatch batch = new ReceiveBatch(count, 1);
        for (int i = 0; i < count; i++) {
            var r = batch.add();
            r.wrId = (long) from + i;
            r.sges().add(side.at(8 * i), 8, side.mr.lkey());
        }
        qp.postReceive(batch);
    }

    private static void sends(Pair.Side side, QueuePair qp, int from, int count) {
        SendBatch batch = new SendBatch(count, 1);
        for (int i = 0; i < count; i++) {
            SendEntry e = batch.add();
            e.wrId = (long) from + i;
            e.opcode = WrOpcode.SEND;
            e.flags = SendFlag.SIGNALED.code();
            e.sges().add(side.at(8 * i), 8, side.mr.lkey());
        }
        qp.postSend(batch);
    }

    /** Polls until so many completions came, which must be good and count up. */
    private void collect(Pair p, Pair.Side side, int from, int count) {
        int seen = 0;
        while (seen < count) {
            assertThat(p.lab.sim().runUntil(side.cq::hasCompletion, p.lab.sim().now() + LIMIT_PS))
                    .isTrue();
            int n = side.cq.poll(wc);
            for (int i = 0; i < n; i++) {
                assertThat(wc[i].status).isEqualTo(WcStatus.SUCCESS);
                assertThat(wc[i].wrId).isEqualTo(from + seen++);
            }
            p.lab.sim().run(p.lab.sim().now() + 1);
        }
    }

    /** Public fault 7, linux-rdma/rdma-core pull request 60: send and receive indices went wrong when they wrapped. */
    @ParameterizedTest
    @EnumSource
    void indicesOfSixteenBitsWrap(ConnectionRig.Provider provider) {
        Pair p = pair(provider);
        QueuePair[] qp = more(p, new QpCapabilities(4, 4, 1, 1, 0));
        for (int i = 0; i < 70_000; i += 4) {
            receives(p.b, qp[1], i, 4);
            sends(p.a, qp[0], i, 4);
            collect(p, p.a, i, 4);
            collect(p, p.b, i, 4);
        }
    }

    /** Public fault 7, linux-rdma/rdma-core pull request 60: posting was refused in ERR. */
    @ParameterizedTest
    @EnumSource
    void postingInErrIsAcceptedAndFlushed(ConnectionRig.Provider provider) {
        Pair p = pair(provider);
        QueuePair[] qp = more(p, new QpCapabilities(4, 4, 1, 1, 0));
        p.lab.await(qp[0].modify(new QpAttributes().state(QpState.ERR)));
        sends(p.a, qp[0], 10, 4);
        receives(p.a, qp[0], 20, 4);
        p.lab.sim().run(p.lab.sim().now() + 50_000_000);
        int n = p.a.cq.poll(wc);
        assertThat(n).isEqualTo(8);
        int sum = 0;
        for (int i = 0; i < n; i++) {
            assertThat(wc[i].status).isEqualTo(WcStatus.WR_FLUSH_ERR);
            sum += (int) wc[i].wrId;
        }
        assertThat(sum).isEqualTo(4 * 10 + 4 * 20 + 2 * 6);
    }

    /** Public fault 8, linux-rdma/rdma-core pull request 84: device and library laid the ring's indices out differently. */
    @Test
    void theIndicesOfTheRingsStandWhereTheDeviceLooks() {
        Pair p = pair(ConnectionRig.Provider.HARDWARE);
        QpContext context =
                Objects.requireNonNull(p.a.host.nic().parts().table().qp(p.a.qp.qpn()));
        receives(p.a, p.a.qp, 0, 3);
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 8);
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 8);
        p.lab.sim().run(p.lab.sim().now() + 10_000_000);
        byte[] record = new byte[8];
        p.a.host.host().memory().getBytes(context.recordAddress, record, 0, 8);
        assertThat(record).containsExactly(0, 0, 0, 3, 0, 0, 0, 2);
    }

    /** Public fault 25, simbricks/simbricks pull request 65: the model knew descriptors of one size only. */
    @ParameterizedTest
    @CsvSource({"HARDWARE, 1", "HARDWARE, 2", "HARDWARE, 4", "SOFTWARE, 1", "SOFTWARE, 2", "SOFTWARE, 4"})
    void receivesOfEverySizeAreFilled(ConnectionRig.Provider provider, int segments) {
        Pair p = pair(provider);
        QueuePair[] qp = more(p, new QpCapabilities(8, 8, 1, segments, 0));
        byte[] data = {1, 2, 3, 4, 5, 6, 7, 8};
        p.a.write(0, data);
        for (int round = 0; round < 20; round++) {
            ReceiveBatch batch = new ReceiveBatch(1, segments);
            var r = batch.add();
            r.wrId = round;
            for (int i = 0; i < segments; i++) {
                r.sges().add(p.b.at(1000 * round + 100 * i), 8 / segments, p.b.mr.lkey());
            }
            qp[1].postReceive(batch);
            sends(p.a, qp[0], round, 1);
            collect(p, p.a, round, 1);
            collect(p, p.b, round, 1);
            for (int i = 0; i < 8; i++) {
                int at = 1000 * round + 100 * (i * segments / 8) + i % (8 / segments);
                assertThat(p.b.read(at, 1)[0]).isEqualTo(data[i]);
            }
        }
    }

    /** Public fault 26, corundum/corundum issue 90: an index reached the size of its ring. */
    @ParameterizedTest
    @EnumSource
    void aFullRingOfATwoToTheTenthGoesOn(ConnectionRig.Provider provider) {
        Pair p = pair(provider);
        QueuePair[] qp = more(p, new QpCapabilities(1024, 1024, 1, 1, 0));
        int next = 0;
        for (int count : new int[] {1024, 1, 1024, 1023, 1024}) {
            receives(p.b, qp[1], next, count);
            sends(p.a, qp[0], next, count);
            collect(p, p.a, next, count);
            collect(p, p.b, next, count);
            next += count;
        }
    }
}
