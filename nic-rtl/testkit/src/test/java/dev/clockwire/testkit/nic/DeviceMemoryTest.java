package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.DeviceMemory;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.ReceiveWorkRequest;
import dev.clockwire.roce.verbs.ScatterGather;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import java.util.Arrays;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/** Memory inside the device, at either end of every operation. */
class DeviceMemoryTest {
    private static final EnumSet<AccessFlag> ALL = EnumSet.of(
            AccessFlag.LOCAL_WRITE,
            AccessFlag.REMOTE_WRITE,
            AccessFlag.REMOTE_READ,
            AccessFlag.REMOTE_ATOMIC,
            AccessFlag.ZERO_BASED);
    private static final int LENGTH = 5000;

    private final Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), spec());
    private final Pair p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
    private final Posts a = new Posts(p.a, p.b);
    private final DeviceMemory near = lab.await(lab.a().context().allocDm(8192));
    private final DeviceMemory far = lab.await(lab.b().context().allocDm(8192));
    private final MemoryRegion nearRegion = lab.await(p.a.pd.regDmMr(near, 0, 8192, ALL));
    private final MemoryRegion farRegion = lab.await(p.b.pd.regDmMr(far, 64, 6000, ALL));
    private final byte[] data = new byte[LENGTH];

    DeviceMemoryTest() {
        for (int i = 0; i < LENGTH; i++) {
            data[i] = (byte) (i * 31 + (i >> 8));
        }
        p.a.write(0, data);
        near.copyTo(100, p.a.at(0), LENGTH);
        lab.sim().run(lab.sim().now() + 10_000_000);
    }

    /** The software device is tried with the same tests. */
    LabSpec spec() {
        return LabSpec.of(1);
    }

    private SendEntry between(WrOpcode opcode, int length) {
        SendEntry e = a.begin(opcode, length);
        e.sges().clear();
        e.sges().add(100, length, nearRegion.lkey());
        e.remoteAddress = 1000;
        e.rkey = farRegion.rkey();
        return e;
    }

    private WorkCompletion done() {
        WorkCompletion wc = p.next(p.a);
        assertThat(wc.status).isEqualTo(WcStatus.SUCCESS);
        lab.sim().run(lab.sim().now() + 5_000_000);
        return wc;
    }

    /** What stands in the far memory, counted in its region. */
    private byte[] far(int at, int length) {
        far.copyFrom(p.b.at(100_000), 64L + at, length);
        return p.b.read(100_000, length);
    }

    @Test
    void copiesComeBack() {
        Arrays.fill(data, (byte) 0);
        p.a.write(0, data);
        near.copyFrom(p.a.at(0), 101, 3);
        assertThat(p.a.read(0, 4)).containsExactly(31, 62, 93, 0);
    }

    @Test
    void aWriteGoesFromDeviceMemoryIntoDeviceMemory() {
        between(WrOpcode.RDMA_WRITE, LENGTH);
        a.post();
        done();
        assertThat(far(1000, LENGTH)).isEqualTo(data);
        assertThat(far(999, 1)).containsExactly(0);
    }

    @Test
    void aReadBringsItBack() {
        between(WrOpcode.RDMA_WRITE, LENGTH);
        a.post();
        done();
        SendEntry e = between(WrOpcode.RDMA_READ, LENGTH);
        e.sges().clear();
        e.sges().add(8192 - LENGTH, LENGTH, nearRegion.lkey());
        a.post();
        done();
        near.copyFrom(p.a.at(50_000), 8192 - LENGTH, LENGTH);
        assertThat(p.a.read(50_000, LENGTH)).isEqualTo(data);
    }

    @Test
    void piecesOfBothMemoriesMakeOneMessageInOrder() {
        SendEntry e = a.begin(WrOpcode.RDMA_WRITE, 0);
        e.sges().clear();
        e.sges().add(p.a.at(0), 700, p.a.mr.lkey());
        e.sges().add(800, 500, nearRegion.lkey());
        e.sges().add(p.a.at(1200), 100, p.a.mr.lkey());
        e.sges().add(1400, 1700, nearRegion.lkey());
        a.post();
        done();
        assertThat(p.b.read(0, 3000)).isEqualTo(Arrays.copyOf(data, 3000));
    }

    @Test
    void anAtomicWorksOnIt() {
        for (int i = 0; i < 3; i++) {
            SendEntry e = between(WrOpcode.ATOMIC_FETCH_AND_ADD, 8);
            e.sges().clear();
            e.sges().add(8000, 8, nearRegion.lkey());
            e.swapAdd = 5;
            a.post();
        }
        for (int i = 0; i < 3; i++) {
            done();
        }
        assertThat(far(1000, 8)).containsExactly(15, 0, 0, 0, 0, 0, 0, 0);
        near.copyFrom(p.a.at(0), 8000, 8);
        assertThat(p.a.read(0, 8)).containsExactly(10, 0, 0, 0, 0, 0, 0, 0);
    }

    @Test
    void aMessageIsReceivedInIt() {
        p.b.qp.postReceive(ReceiveWorkRequest.into(7, new ScatterGather(16, 5500, farRegion.lkey())));
        between(WrOpcode.SEND, LENGTH);
        a.post();
        done();
        assertThat(p.next(p.b).byteLength).isEqualTo(LENGTH);
        assertThat(far(16, LENGTH)).isEqualTo(data);
    }

    @Test
    void behindTheRegionIsNothing() {
        between(WrOpcode.RDMA_WRITE, 100).remoteAddress = 5901;
        a.post();
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertThat(far(5900, 36)).containsOnly(0);
    }

    @Test
    void thereIsOnlySoMuch() {
        long most = lab.a().context().device().attributes().maxDmSize();
        assertThatThrownBy(() -> lab.a().context().allocDm(most + 1)).isInstanceOf(VerbsException.class);
        if (spec().soft() == null) {
            assertThatThrownBy(() -> lab.await(lab.a().context().allocDm(most)))
                    .hasMessageContaining("no piece of " + most);
            DeviceMemory rest = lab.await(lab.a().context().allocDm(most - 8192));
            lab.await(rest.free());
            assertThat(lab.await(lab.a().context().allocDm(most - 8192)).length())
                    .isEqualTo(most - 8192);
        }
    }

    @Test
    void memoryInUseIsNotFreed() {
        assertThatThrownBy(far::free).isInstanceOf(VerbsException.class);
        lab.await(farRegion.dereg());
        lab.await(far.free());
    }
}
