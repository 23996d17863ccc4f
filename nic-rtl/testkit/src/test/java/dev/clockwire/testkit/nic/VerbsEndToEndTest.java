package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.AddressHandle;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.WcFlag;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VerbsEndToEndTest {
    private final SendBatch batch = new SendBatch(16, 4);

    /** The software device is tried with the same tests. */
    LabSpec spec() {
        return LabSpec.of(1);
    }

    private Pair pair(QpType type, Mtu mtu) {
        return pair(type, mtu, Profiles.named("cx7-400g"));
    }

    private Pair pair(QpType type, Mtu mtu, Profile profile) {
        return new Pair(Lab.twoHosts(profile, spec()), type, mtu, Allocation.Kind.REAL);
    }

    private static byte[] pattern(int length, int seed) {
        byte[] data = new byte[length];
        for (int i = 0; i < length; i++) {
            data[i] = (byte) (7 * i + (i >> 8) + seed);
        }
        return data;
    }

    private void post(Pair p, WrOpcode opcode, int localOffset, int length, int remoteOffset, SendFlag... flags) {
        batch.clear();
        SendEntry e = batch.add();
        e.wrId = 77;
        e.opcode = opcode;
        e.flags = SendFlag.SIGNALED.code();
        for (SendFlag f : flags) {
            e.flags |= f.code();
        }
        e.remoteAddress = p.b.at(remoteOffset);
        e.rkey = p.b.mr.rkey();
        e.immOrKey = 0x01020304;
        e.sges().add(p.a.at(localOffset), length, p.a.mr.lkey());
        p.a.qp.postSend(batch);
    }

    private static void receive(Pair p, int offset, int length) {
        ReceiveBatch receives = new ReceiveBatch(1, 4);
        var r = receives.add();
        r.wrId = 99;
        r.sges().add(p.b.at(offset), length, p.b.mr.lkey());
        p.b.qp.postReceive(receives);
    }

    @ParameterizedTest
    @CsvSource({
        "1,1024",
        "0,1024",
        "64,4096",
        "1023,256",
        "1024,1024",
        "1025,1024",
        "4097,4096",
        "65536,4096",
        "65535,512"
    })
    void aWritePlacesExactlyItsBytes(int length, int mtu) {
        Pair p = pair(QpType.RC, Mtu.ofBytes(mtu));
        byte[] data = pattern(length, 3);
        p.a.write(4096, data);
        byte[] around = pattern(length + 16, 200);
        p.b.write(8192 - 8, around);
        post(p, WrOpcode.RDMA_WRITE, 4096, length, 8192);
        WorkCompletion wc = p.next(p.a);
        assertThat(wc.status).isEqualTo(WcStatus.SUCCESS);
        assertThat(wc.wrId).isEqualTo(77);
        assertThat(wc.opcode).isEqualTo(WcOpcode.RDMA_WRITE);
        p.lab.sim().run(p.lab.sim().now() + 2_000_000);
        assertThat(p.b.read(8192, length)).isEqualTo(data);
        assertThat(p.b.read(8192 - 8, 8)).isEqualTo(java.util.Arrays.copyOf(around, 8));
        assertThat(p.b.read(8192 + length, 8)).isEqualTo(java.util.Arrays.copyOfRange(around, length + 8, length + 16));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1023, 1024, 1025, 65536})
    void aReadBringsExactlyItsBytes(int length) {
        Pair p = pair(QpType.RC, Mtu.MTU_1024);
        byte[] data = pattern(length, 5);
        p.b.write(512, data);
        post(p, WrOpcode.RDMA_READ, 2048, length, 512);
        WorkCompletion wc = p.next(p.a);
        assertThat(wc.status).isEqualTo(WcStatus.SUCCESS);
        assertThat(wc.byteLength).isEqualTo(length);
        assertThat(p.a.read(2048, length)).isEqualTo(data);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1024, 9000})
    void aSendFillsTheReceiveBuffer(int length) {
        Pair p = pair(QpType.RC, Mtu.MTU_1024);
        byte[] data = pattern(length, 9);
        p.a.write(0, data);
        receive(p, 4096, 16384);
        post(p, WrOpcode.SEND_WITH_IMM, 0, length, 0);
        WorkCompletion got = p.next(p.b);
        assertThat(got.status).isEqualTo(WcStatus.SUCCESS);
        assertThat(got.wrId).isEqualTo(99);
        assertThat(got.opcode).isEqualTo(WcOpcode.RECV);
        assertThat(got.byteLength).isEqualTo(length);
        assertThat(got.immOrKey).isEqualTo(0x01020304);
        assertThat(WcFlag.WITH_IMM.in(got.flags)).isTrue();
        assertThat(p.b.read(4096, length)).isEqualTo(data);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
    }

    @Test
    void inlineDataNeedsNoPayloadRead() {
        Pair p = pair(QpType.RC, Mtu.MTU_1024);
        byte[] data = pattern(200, 1);
        p.a.write(0, data);
        post(p, WrOpcode.RDMA_WRITE, 0, 200, 0, SendFlag.INLINE);
        p.a.write(0, new byte[200]);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        p.lab.sim().run(p.lab.sim().now() + 2_000_000);
        assertThat(p.b.read(0, 200)).isEqualTo(data);
    }

    @Test
    void anAtomicAddsOnceAndReturnsTheOldValue() {
        Pair p = pair(QpType.RC, Mtu.MTU_1024);
        p.b.host.host().memory().putLong(p.b.at(64), 41);
        batch.clear();
        SendEntry e = batch.add();
        e.opcode = WrOpcode.ATOMIC_FETCH_AND_ADD;
        e.flags = SendFlag.SIGNALED.code();
        e.remoteAddress = p.b.at(64);
        e.rkey = p.b.mr.rkey();
        e.swapAdd = 5;
        e.sges().add(p.a.at(0), 8, p.a.mr.lkey());
        p.a.qp.postSend(batch);
        assertThat(p.next(p.a).opcode).isEqualTo(WcOpcode.FETCH_ADD);
        assertThat(p.a.host.host().memory().getLong(p.a.at(0))).isEqualTo(41);
        assertThat(p.b.host.host().memory().getLong(p.b.at(64))).isEqualTo(46);
        e.opcode = WrOpcode.ATOMIC_CMP_AND_SWP;
        e.compare = 46;
        e.swapAdd = -1;
        p.a.qp.postSend(batch);
        assertThat(p.next(p.a).opcode).isEqualTo(WcOpcode.COMP_SWAP);
        assertThat(p.a.host.host().memory().getLong(p.a.at(0))).isEqualTo(46);
        assertThat(p.b.host.host().memory().getLong(p.b.at(64))).isEqualTo(-1);
    }

    @Test
    void anUnreliableWriteCompletesWithoutAnAnswer() {
        Pair p = pair(QpType.UC, Mtu.MTU_1024);
        byte[] data = pattern(3000, 2);
        p.a.write(0, data);
        post(p, WrOpcode.RDMA_WRITE, 0, 3000, 128);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
        p.lab.sim().run(p.lab.sim().now() + 5_000_000);
        assertThat(p.b.read(128, 3000)).isEqualTo(data);
        assertThat(p.lab.link().b().framesSent()).isZero();
    }

    @Test
    void aDatagramLandsBehindItsRouteHeader() {
        Pair p = pair(QpType.UD, Mtu.MTU_1024);
        byte[] data = pattern(100, 4);
        p.a.write(0, data);
        receive(p, 0, 2048);
        AddressHandle ah = p.lab.await(p.a.pd.createAh(AddressVector.to(p.b.host.gid())));
        batch.clear();
        SendEntry e = batch.add();
        e.opcode = WrOpcode.SEND;
        e.flags = SendFlag.SIGNALED.code();
        e.ah = ah;
        e.remoteQpn = p.b.qp.qpn();
        e.remoteQkey = 0x11111111;
        e.sges().add(p.a.at(0), 100, p.a.mr.lkey());
        p.a.qp.postSend(batch);
        WorkCompletion got = p.next(p.b);
        assertThat(got.byteLength).isEqualTo(140);
        assertThat(got.srcQp).isEqualTo(p.a.qp.qpn());
        assertThat(p.b.read(40, 100)).isEqualTo(data);
    }

    @Test
    void aWrongKeyIsRefusedAndTheQueueFails() {
        Pair p = pair(QpType.RC, Mtu.MTU_1024);
        batch.clear();
        SendEntry e = batch.add();
        e.opcode = WrOpcode.RDMA_WRITE;
        e.flags = SendFlag.SIGNALED.code();
        e.remoteAddress = p.b.at(0);
        e.rkey = p.b.mr.rkey() + 1;
        e.sges().add(p.a.at(0), 100, p.a.mr.lkey());
        p.a.qp.postSend(batch);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.REM_ACCESS_ERR);
        p.lab.sim().run(p.lab.sim().now() + 1_000_000);
        assertThat(p.a.qp.state()).isEqualTo(dev.clockwire.roce.transport.QpState.ERR);
    }

    @Test
    void aLocalKeyOfAnotherDomainFailsBeforeAnythingIsSent() {
        Pair p = pair(QpType.RC, Mtu.MTU_1024);
        batch.clear();
        SendEntry e = batch.add();
        e.opcode = WrOpcode.RDMA_WRITE;
        e.remoteAddress = p.b.at(0);
        e.rkey = p.b.mr.rkey();
        e.sges().add(p.a.at(Pair.BUFFER - 50), 100, p.a.mr.lkey());
        p.a.qp.postSend(batch);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.LOC_PROT_ERR);
        assertThat(p.lab.link().a().framesSent()).isZero();
    }
}
