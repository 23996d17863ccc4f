package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
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
import dev.clockwire.roce.verbs.ScatterGather;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.SendWorkRequest;
import dev.clockwire.roce.verbs.WcFlag;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Memory windows: who may reach what through them, and from when until when. */
class WindowsTest {
    private static final Set<AccessFlag> READ = EnumSet.of(AccessFlag.REMOTE_READ);

    private final Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), spec());
    private final Pair p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
    private final Posts a = new Posts(p.a, p.b);
    private final Posts b = new Posts(p.b, p.a);
    private final MemoryRegion region =
            lab.await(p.b.pd.regMr(p.b.at(0), 65536, EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND)));
    private final MemoryWindow two = lab.await(p.b.pd.allocMw(MwType.TYPE_2));
    private final int key = MemoryWindow.incRkey(two.rkey());

    /** The software device is tried with the same tests. */
    LabSpec spec() {
        return LabSpec.of(1);
    }

    private void ends(Pair.Side side, WcStatus status) {
        WorkCompletion wc = p.next(side);
        assertThat(wc.status).as(wc.toString()).isEqualTo(status);
    }

    private MwBind opens(MemoryWindow window, long offset, long length, Set<AccessFlag> access) {
        return new MwBind(window, region, region.address() + offset, length, access);
    }

    private void bind(Set<AccessFlag> access) {
        p.b.qp.postSend(SendWorkRequest.bindMw(1, key, opens(two, 1000, 100, access)));
        WorkCompletion wc = p.next(p.b);
        assertThat(wc.status).isEqualTo(WcStatus.SUCCESS);
        assertThat(wc.opcode).isEqualTo(WcOpcode.BIND_MW);
    }

    private void reads(int rkey, long offset, int length, WcStatus status) {
        p.a.qp.postSend(SendWorkRequest.read(2, p.b.at(0) + offset, rkey, ScatterGather.of(p.a.mr, 0, length)));
        ends(p.a, status);
    }

    @Test
    void aBoundWindowOpensItsPart() {
        p.b.write(1000, new byte[] {1, 2, 3});
        bind(READ);
        reads(key, 1000, 100, WcStatus.SUCCESS);
        assertThat(p.a.read(0, 4)).containsExactly(1, 2, 3, 0);
        reads(key, 1001, 100, WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void rightsOfTheWindowCountAndNotThoseOfTheRegion() {
        bind(READ);
        a.begin(WrOpcode.RDMA_WRITE, 8).rkey = key;
        a.post();
        ends(p.a, WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void anUnboundWindowOpensNothing() {
        reads(two.rkey(), 1000, 8, WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void theOwnerInvalidates() {
        bind(READ);
        reads(key, 1000, 8, WcStatus.SUCCESS);
        p.b.qp.postSend(SendWorkRequest.localInv(5, key));
        WorkCompletion wc = p.next(p.b);
        assertThat(wc.opcode).isEqualTo(WcOpcode.LOCAL_INV);
        assertThat(wc.status).isEqualTo(WcStatus.SUCCESS);
        reads(key, 1000, 8, WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void thePeerInvalidatesWithASend() {
        bind(READ);
        b.receive(2000, 8);
        p.a.qp.postSend(SendWorkRequest.sendWithInv(6, key, ScatterGather.of(p.a.mr, 0, 8)));
        ends(p.a, WcStatus.SUCCESS);
        WorkCompletion wc = p.next(p.b);
        assertThat(wc.status).isEqualTo(WcStatus.SUCCESS);
        assertThat(WcFlag.WITH_INV.in(wc.flags)).isTrue();
        assertThat(wc.immOrKey).isEqualTo(key);
        reads(key, 1000, 8, WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void thePeerCannotInvalidateARegion() {
        b.receive(2000, 8);
        p.a.qp.postSend(SendWorkRequest.sendWithInv(6, region.rkey(), ScatterGather.of(p.a.mr, 0, 8)));
        ends(p.a, WcStatus.SUCCESS);
        ends(p.b, WcStatus.REM_INV_REQ_ERR);
        assertThat(p.b.qp.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void anInvalidatedWindowIsBoundAgainWithAnotherKey() {
        bind(READ);
        p.b.qp.postSend(SendWorkRequest.localInv(5, key));
        ends(p.b, WcStatus.SUCCESS);
        int other = MemoryWindow.incRkey(key);
        p.b.qp.postSend(SendWorkRequest.bindMw(1, other, opens(two, 0, 10, READ)));
        ends(p.b, WcStatus.SUCCESS);
        reads(other, 0, 10, WcStatus.SUCCESS);
        reads(key, 0, 10, WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void aBoundWindowOfTypeTwoIsNotBoundOver() {
        bind(READ);
        p.b.qp.postSend(SendWorkRequest.bindMw(1, MemoryWindow.incRkey(key), opens(two, 0, 10, READ)));
        long behind = b.post(WrOpcode.RDMA_WRITE, 10);
        ends(p.b, WcStatus.MW_BIND_ERR);
        WorkCompletion wc = p.next(p.b);
        assertThat(wc.wrId).isEqualTo(behind);
        assertThat(wc.status).isEqualTo(WcStatus.WR_FLUSH_ERR);
        assertThat(p.b.qp.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void whatIsNoWindowIsNotInvalidated() {
        p.b.qp.postSend(SendWorkRequest.localInv(5, region.lkey()));
        ends(p.b, WcStatus.LOC_QP_OP_ERR);
        assertThat(p.b.qp.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void aRegionThatDoesNotAllowItIsNotBound() {
        MwBind bad = new MwBind(two, p.b.mr, p.b.mr.address(), 10, READ);
        p.b.qp.postSend(SendWorkRequest.bindMw(1, key, bad));
        ends(p.b, WcStatus.MW_BIND_ERR);
    }

    @Test
    void aWindowOfTypeTwoBelongsToItsQueuePair() {
        Pair other = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        bind(READ);
        other.a.qp.postSend(SendWorkRequest.read(2, p.b.at(1000), key, ScatterGather.of(other.a.mr, 0, 8)));
        assertThat(other.next(other.a).status).isEqualTo(WcStatus.REM_ACCESS_ERR);
        reads(key, 1000, 8, WcStatus.SUCCESS);
    }

    @Test
    void aWindowOfTypeOneMovesFromRangeToRange() {
        MemoryWindow one = lab.await(p.b.pd.allocMw(MwType.TYPE_1));
        Set<SendFlag> signaled = EnumSet.of(SendFlag.SIGNALED);
        p.b.qp.bindMw(1, signaled, opens(one, 0, 10, READ));
        ends(p.b, WcStatus.SUCCESS);
        int first = one.rkey();
        reads(first, 0, 10, WcStatus.SUCCESS);
        p.b.qp.bindMw(1, signaled, opens(one, 100, 10, READ));
        ends(p.b, WcStatus.SUCCESS);
        reads(one.rkey(), 100, 10, WcStatus.SUCCESS);
        reads(first, 0, 10, WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void aRegionStaysWhileAWindowIsBoundToIt() {
        bind(READ);
        var refused = region.dereg();
        lab.sim().run(lab.sim().now() + 10_000_000);
        assertThat(refused.isFailed()).isTrue();
        lab.await(two.dealloc());
        assertThat(lab.await(region.dereg())).isSameAs(region);
    }

    @Test
    void laterWorkSeesTheBind() {
        // posted together: the SEND that tells the peer of the key leaves when the window is open
        a.receive(0, 8);
        p.b.qp.postSend(SendWorkRequest.bindMw(1, key, opens(two, 0, 10, READ)).withFlags());
        p.b.qp.postSend(SendWorkRequest.send(2, ScatterGather.of(p.b.mr, 0, 8)));
        ends(p.a, WcStatus.SUCCESS);
        reads(key, 0, 10, WcStatus.SUCCESS);
    }

    @Test
    void regionsMayCountFromAnywhere() {
        EnumSet<AccessFlag> all = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
        MemoryRegion far = lab.await(p.b.pd.regMrIova(p.b.at(4096), 8192, 0x7777_0000_0000L, all));
        MemoryRegion near = lab.await(p.a.pd.regMrIova(p.a.at(4096), 8192, 0x10, all));
        p.a.write(4096 + 5, new byte[] {9, 8, 7});
        p.a.qp.postSend(SendWorkRequest.write(1, far.address() + 100, far.rkey(), ScatterGather.of(near, 5, 3)));
        ends(p.a, WcStatus.SUCCESS);
        p.a.qp.postSend(SendWorkRequest.read(1, far.address() + 100, far.rkey(), ScatterGather.of(near, 8000, 3)));
        ends(p.a, WcStatus.SUCCESS);
        assertThat(p.b.read(4196, 3)).containsExactly(9, 8, 7);
        assertThat(p.a.read(4096 + 8000, 3)).containsExactly(9, 8, 7);
        p.b.qp.postReceive(dev.clockwire.roce.verbs.ReceiveWorkRequest.into(3, ScatterGather.of(far, 1, 3)));
        p.a.qp.postSend(SendWorkRequest.send(1, ScatterGather.of(near, 5, 3)));
        ends(p.a, WcStatus.SUCCESS);
        ends(p.b, WcStatus.SUCCESS);
        assertThat(p.b.read(4097, 3)).containsExactly(9, 8, 7);
        reads(far.rkey(), 0, 8, WcStatus.REM_ACCESS_ERR);
    }
}
