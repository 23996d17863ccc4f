package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.MemoryWindow;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.MwBind;
import dev.clockwire.roce.verbs.MwType;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.ScatterGather;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.SendWorkRequest;
import dev.clockwire.roce.verbs.SgeList;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program may do and seldom does: sizes at their limits, and objects that go while something still goes on. */
class RoughEdgesTest {
    private static final Profile PROFILE = Profiles.named("cx7-400g");
    private static final long US = 1_000_000;
    private static final long HUGE = 1L << 31;
    private static final Set<AccessFlag> RIGHTS =
            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);

    /** The software device is tried with the same tests. */
    LabSpec spec() {
        return LabSpec.of(1);
    }

    private Pair pair(Profile profile, Mtu mtu) {
        return new Pair(Lab.twoHosts(profile, spec()), QpType.RC, mtu, Allocation.Kind.REAL);
    }

    private static void run(Pair p, long ps) {
        p.lab.sim().run(p.lab.sim().now() + ps);
    }

    /** Whatever happened before, another connection works. */
    private static void stillWorks(Pair p) {
        p.a.write(500, new byte[] {1, 2, 3, 4, 5, 6, 7, 9});
        p.a.qp.postSend(SendWorkRequest.write(77, p.b.at(700_000), p.b.mr.rkey(), ScatterGather.of(p.a.mr, 500, 8)));
        WorkCompletion wc = p.next(p.a);
        assertThat(wc.wrId).isEqualTo(77);
        assertThat(wc.status).isEqualTo(WcStatus.SUCCESS);
        run(p, 2 * US);
        assertThat(p.b.read(700_000, 8)).containsExactly(1, 2, 3, 4, 5, 6, 7, 9);
    }

    private static QueuePair[] second(Pair p, QpType type, QpCapabilities size) {
        QueuePair a = p.lab.await(p.a.pd.createQp(QpInit.of(type, p.a.cq, size)));
        QueuePair b = p.lab.await(p.b.pd.createQp(QpInit.of(type, p.b.cq, size)));
        Connections.join(p.lab, a, p.b.host.gid(), b.qpn(), 10, 20, Mtu.MTU_512);
        Connections.join(p.lab, b, p.a.host.gid(), a.qpn(), 20, 10, Mtu.MTU_512);
        return new QueuePair[] {a, b};
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    void aQueuePairWithoutAReceiveQueueBlocksNobody(QpType type) {
        Pair p = pair(PROFILE, Mtu.MTU_1024);
        QueuePair[] qps = second(p, type, new QpCapabilities(8, 0, 1, 0, 0));
        qps[0].postSend(SendWorkRequest.send(5, ScatterGather.of(p.a.mr, 0, 100)));
        if (type == QpType.UC) {
            assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        }
        run(p, 20 * US);
        stillWorks(p);
    }

    private static SgeList piece(ReceiveBatch receives) {
        return receives.add().sges();
    }

    private static MemoryRegion huge(Pair p, Pair.Side side) {
        Allocation all = side.host.host().memory().allocate("huge", HUGE, Allocation.Kind.REAL, 4096);
        return p.lab.await(side.pd.regMr(all.address(), HUGE, RIGHTS));
    }

    @Test
    void aReceiveMayHaveAPieceOfTwoGibibytes() {
        Pair p = pair(PROFILE, Mtu.MTU_1024);
        MemoryRegion to = huge(p, p.b);
        ReceiveBatch receives = new ReceiveBatch(1, 4);
        SgeList pieces = piece(receives);
        pieces.add(p.b.at(0), 0, p.b.mr.lkey());
        pieces.add(to.address(), HUGE, to.lkey());
        p.b.qp.postReceive(receives);
        p.a.write(0, new byte[] {3, 4});
        new Posts(p.a, p.b).post(WrOpcode.SEND, 3000);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        assertThat(p.next(p.b).byteLength).isEqualTo(3000);
        assertThat(p.b.host.host().memory().getShort(to.address())).isEqualTo((short) 0x0403);
    }

    @Test
    void aReadMayWantTwoGibibytesInOnePiece() {
        Pair p = pair(PROFILE, Mtu.MTU_4096);
        MemoryRegion to = huge(p, p.a);
        p.a.qp.postSend(SendWorkRequest.read(1, p.b.at(0), p.b.mr.rkey(), ScatterGather.of(to)));
        assertThat(p.next(p.a).status).as("the peer has not so much").isEqualTo(WcStatus.REM_ACCESS_ERR);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, -4096, HUGE + 1, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE})
    void aPieceThatCannotBeIsRefusedWhenPosted(long length) {
        Pair p = pair(PROFILE, Mtu.MTU_1024);
        for (int flag : new int[] {0, SendFlag.INLINE.code()}) {
            Posts a = new Posts(p.a, p.b);
            SendEntry e = a.begin(WrOpcode.RDMA_WRITE, 100);
            e.flags |= flag;
            e.sges().add(p.a.at(0), length, p.a.mr.lkey());
            assertThatThrownBy(a::post).isInstanceOf(VerbsException.class).hasMessageContaining("length " + length);
        }
        ReceiveBatch receives = new ReceiveBatch(1, 1);
        piece(receives).add(p.a.at(0), length, p.a.mr.lkey());
        assertThatThrownBy(() -> p.a.qp.postReceive(receives)).isInstanceOf(VerbsException.class);
        stillWorks(p);
    }

    @Test
    void answersOfTheConnectionBeforeAreNotGivenInTheNext() {
        for (long wait = US / 2; wait < 12 * US; wait += US / 2) {
            Pair p = pair(PROFILE, Mtu.MTU_256);
            Posts a = new Posts(p.a, p.b);
            for (int i = 0; i < 8; i++) {
                a.post(WrOpcode.RDMA_READ, 100_257);
            }
            run(p, wait);
            p.lab.await(p.b.qp.modify(new QpAttributes().state(QpState.RESET)));
            p.lab.await(p.a.qp.modify(new QpAttributes().state(QpState.RESET)));
            Connections.join(p.lab, p.b.qp, p.a.host.gid(), p.a.qp.qpn(), 1, 2, Mtu.MTU_4096);
            Connections.join(p.lab, p.a.qp, p.b.host.gid(), p.b.qp.qpn(), 2, 1, Mtu.MTU_4096);
            assertThat(p.a.cq.hasCompletion()).isFalse();
            stillWorks(p);
            a.post(WrOpcode.RDMA_READ, 20_000);
            assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aQueuePairMayBeDestroyedWhateverItDoes(int which) {
        for (long wait = US / 10; wait < 20 * US; wait += 17 * US / 10) {
            Pair p = pair(PROFILE, Mtu.MTU_1024);
            QueuePair[] qps = second(p, QpType.RC, new QpCapabilities(64, 64, 4, 4, 64));
            fill(p, qps);
            run(p, wait);
            if (which != 1) {
                p.lab.await(qps[0].destroy());
            }
            if (which != 0) {
                p.lab.await(qps[1].destroy());
            }
            run(p, 50 * US);
            WorkCompletion[] all = WorkCompletion.array(256);
            p.a.cq.poll(all);
            p.b.cq.poll(all);
            stillWorks(p);
        }
    }

    private static void fill(Pair p, QueuePair[] qps) {
        ReceiveBatch receives = new ReceiveBatch(1, 1);
        for (int i = 0; i < 10; i++) {
            receives.clear();
            piece(receives).add(p.b.at(4096), 9000, p.b.mr.lkey());
            qps[1].postReceive(receives);
            ScatterGather piece = ScatterGather.of(p.a.mr, 0, 20_000);
            qps[0].postSend(SendWorkRequest.write(1, p.b.at(0), p.b.mr.rkey(), piece));
            qps[0].postSend(SendWorkRequest.read(2, p.b.at(0), p.b.mr.rkey(), piece));
            qps[0].postSend(SendWorkRequest.send(3, ScatterGather.of(p.a.mr, 0, 5000)));
            qps[0].postSend(
                    SendWorkRequest.fetchAndAdd(4, p.b.at(0), p.b.mr.rkey(), 1, ScatterGather.of(p.a.mr, 0, 8)));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 5, 10, 20})
    void aWindowThatMovesDuringAWriteStopsIt(long wait) {
        Pair p = pair(PROFILE.with("link.gbps", "1"), Mtu.MTU_1024);
        MemoryRegion region =
                p.lab.await(p.b.pd.regMr(p.b.at(0), 400_000, EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND)));
        MemoryWindow window = p.lab.await(p.b.pd.allocMw(MwType.TYPE_2));
        Set<AccessFlag> write = EnumSet.of(AccessFlag.REMOTE_WRITE);
        int key = MemoryWindow.incRkey(window.rkey());
        p.b.qp.postSend(SendWorkRequest.bindMw(1, key, new MwBind(window, region, region.address(), 100_000, write)));
        assertThat(p.next(p.b).status).isEqualTo(WcStatus.SUCCESS);
        byte[] data = new byte[100_000];
        Arrays.fill(data, (byte) 7);
        p.a.write(0, data);
        p.a.qp.postSend(SendWorkRequest.write(2, region.address(), key, ScatterGather.of(p.a.mr, 0, data.length)));
        run(p, (60 + wait) * US);
        p.b.qp.postSend(SendWorkRequest.localInv(3, key));
        p.b.qp.postSend(
                SendWorkRequest.bindMw(4, key, new MwBind(window, region, region.address() + 300_000, 100, write)));
        run(p, 4 * US);
        byte[] then = p.b.read(0, 400_000);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.REM_ACCESS_ERR);
        run(p, 100 * US);
        assertThat(p.b.read(0, 400_000)).isEqualTo(then);
        assertThat(then[50_000]).as("the message had not ended").isZero();
    }
}
