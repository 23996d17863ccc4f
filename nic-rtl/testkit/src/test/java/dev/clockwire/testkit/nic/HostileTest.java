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
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.random.RandomStream;
import java.util.Arrays;
import java.util.EnumSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A peer that sends whatever it likes, 50,000 packets of each connected service: nothing but what the keys open is written, nothing
 * throws, and afterwards good requests work.
 */
class HostileTest {
    private static final int PAGE = 4096;
    private static final int PACKETS = 50_000;
    private static final int MTU = 1024;

    private final RandomStream random = RandomStream.named(7, "hostile");
    private final ReceiveBatch receives = new ReceiveBatch(1, 1);

    private Pair p = pair(QpType.RC);
    private Allocation guarded = p.b.buffer;
    private MemoryRegion middle = p.b.mr;
    private int psn;
    private int sent;

    /** The software device is tried with the same tests. */
    LabSpec spec() {
        return LabSpec.of(1);
    }

    private Pair pair(QpType type) {
        return new Pair(Lab.twoHosts(Profiles.named("cx7-400g"), spec()), type, Mtu.MTU_1024, Allocation.Kind.REAL);
    }

    private byte[] outside() {
        byte[] all = new byte[3 * PAGE];
        p.b.host.host().memory().getBytes(guarded.address(), all, 0, all.length);
        Arrays.fill(all, PAGE, 2 * PAGE, (byte) 0);
        return all;
    }

    private void connect(QpType type) {
        for (Pair.Side side : new Pair.Side[] {p.a, p.b}) {
            p.lab.await(side.qp.modify(new QpAttributes().state(QpState.RESET)));
            assertThat(side.cq.hasCompletion())
                    .as("completions of a queue pair in RESET")
                    .isFalse();
        }
        psn = random.below(1 << 24);
        Connections.join(p.lab, p.a.qp, p.b.host.gid(), p.b.qp.qpn(), psn, 1, Mtu.MTU_1024);
        Connections.join(p.lab, p.b.qp, p.a.host.gid(), p.a.qp.qpn(), 1, psn, Mtu.MTU_1024);
        assertThat(type).isEqualTo(p.a.qp.type());
        for (int i = 0; i < 8; i++) {
            receives.clear();
            receives.add().sges().add(middle.address() + 128L * i, 128, middle.lkey());
            p.b.qp.postReceive(receives);
        }
    }

    private int mostly(int usual, int other) {
        return random.chance(0.93) ? usual : other;
    }

    private long mostly(long usual, long other) {
        return random.chance(0.85) ? usual : other;
    }

    private RocePacket packet(FlowAddress flow) {
        RocePacket x = new RocePacket();
        x.flow.set(flow);
        int service = p.a.qp.type().service().bits() << 5;
        x.opcode = mostly(service | random.below(0x18), random.below(256));
        x.destQp = mostly(p.b.qp.qpn(), random.below(1 << 24));
        x.psn = mostly(psn, psn + random.below(7) - 3 & 0xFFFFFF);
        x.pkey = mostly(RocePacket.DEFAULT_PKEY, random.below(1 << 16));
        x.tver = mostly(0, random.below(16));
        x.ackReq = random.chance(0.5);
        x.solicited = random.chance(0.5);
        x.icrcOk = random.chance(0.97);
        x.rkey = mostly(middle.rkey(), (int) random.nextLong());
        x.va = mostly(middle.address() + random.below(PAGE), middle.address() - PAGE + random.below(3 * PAGE));
        x.va = mostly(x.va, -random.below(64));
        x.swapAdd = random.nextLong();
        x.compare = random.nextLong();
        x.imm = (int) random.nextLong();
        x.invalidateKey = mostly((int) random.nextLong(), middle.rkey());
        x.syndrome = random.below(256);
        x.msn = random.below(1 << 24);
        int[] lengths = {0, 1, 7, 64, MTU - 1, MTU, MTU + 1, 4096};
        x.setPayloadLength(lengths[random.below(lengths.length)]);
        for (int i = 0; i < x.payloadLength; i += Long.BYTES) {
            byte[] eight = {(byte) random.nextLong(), 1, 2, 3, 4, 5, 6, 7};
            x.payload.appendBytes(eight, 0, Math.min(Long.BYTES, x.payloadLength - i));
        }
        x.dmaLen = random.chance(0.5) ? x.payloadLength : mostly(random.below(5000), random.nextLong() & 0xFFFF_FFFFL);
        return x;
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    void onlyWhatTheKeysOpenIsWritten(QpType type) {
        p = pair(type);
        var memory = p.b.host.host().memory();
        guarded = memory.allocate("guarded", 3 * PAGE, Allocation.Kind.REAL, PAGE);
        for (int i = 0; i < 3 * PAGE; i++) {
            memory.putByte(guarded.address() + i, (byte) (i * 31));
        }
        middle = p.lab.await(p.b.pd.regMr(
                guarded.address() + PAGE,
                PAGE,
                EnumSet.of(
                        AccessFlag.LOCAL_WRITE,
                        AccessFlag.REMOTE_WRITE,
                        AccessFlag.REMOTE_READ,
                        AccessFlag.REMOTE_ATOMIC)));
        byte[] before = outside();
        byte[] inside = new byte[PAGE];
        memory.getBytes(middle.address(), inside, 0, PAGE);
        while (sent < PACKETS) {
            connect(type);
            hostile(flow());
        }
        assertThat(outside()).isEqualTo(before);
        byte[] after = new byte[PAGE];
        memory.getBytes(middle.address(), after, 0, PAGE);
        assertThat(after).as("some of it was allowed").isNotEqualTo(inside);
        connect(type);
        good();
    }

    /** Addresses of the frames of the client. */
    private FlowAddress flow() {
        FlowAddress flow = new FlowAddress();
        flow.setIpv4(p.a.host.gid().ipv4(), p.b.host.gid().ipv4());
        return flow;
    }

    private void hostile(FlowAddress flow) {
        var line = p.lab.link().a();
        for (int i = 0; i < 250; i++) {
            sent++;
            RocePacket x = packet(flow);
            line.transmit(p.lab.sim().now() + 1, x, 84 + x.payloadLength, x.payloadLength);
            p.lab.sim().run(p.lab.sim().now() + 2_000_000);
            psn = random.chance(0.9) ? psn + 1 & 0xFFFFFF : psn;
            if (p.b.qp.state() == QpState.ERR) {
                return;
            }
        }
    }

    private void good() {
        Posts a = new Posts(p.a, p.b);
        SendEntry e = a.begin(WrOpcode.RDMA_WRITE, 3000);
        e.rkey = middle.rkey();
        e.remoteAddress = middle.address();
        byte[] data = new byte[3000];
        Arrays.fill(data, (byte) 0x5A);
        p.a.write(0, data);
        a.post();
        WorkCompletion wc = p.next(p.a);
        assertThat(wc.status).isEqualTo(WcStatus.SUCCESS);
        p.lab.sim().run(p.lab.sim().now() + 2_000_000);
        byte[] found = new byte[3000];
        p.b.host.host().memory().getBytes(middle.address(), found, 0, 3000);
        assertThat(found).isEqualTo(data);
    }
}
