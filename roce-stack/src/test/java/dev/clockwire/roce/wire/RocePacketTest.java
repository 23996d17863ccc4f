package dev.clockwire.roce.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.mem.Payload;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.junit.jupiter.api.Test;

class RocePacketTest {
    private static final RecursiveComparisonConfiguration CONTENT = RecursiveComparisonConfiguration.builder()
            .withEqualsForType(Payload::sameContent, Payload.class)
            .build();

    /** All fields differ from those of a new packet. */
    private static RocePacket full() {
        RocePacket p = new RocePacket();
        for (Opcode opcode : List.of(Opcode.RC_FLUSH, Opcode.RC_FETCH_ADD, Opcode.RC_ATOMIC_ACKNOWLEDGE)) {
            FrameArbitraries.fillExtended(p, opcode, new Random(opcode.code()));
        }
        p.opcode = Opcode.UC_SEND_ONLY.code();
        p.journey = 9;
        p.tag = 10;
        p.ipId = 1;
        p.solicited = true;
        p.migReq = true;
        p.tver = 1;
        p.pkey = 2;
        p.fecn = true;
        p.becn = true;
        p.destQp = 3;
        p.ackReq = true;
        p.psn = 4;
        p.imm = 5;
        p.invalidateKey = 6;
        p.qkey = 7;
        p.srcQp = 8;
        p.eeContext = 9;
        p.xrcSrq = 10;
        p.flush = 11;
        p.icrcOk = false;
        p.flippedBit = 26;
        p.setPayloadLength(5);
        p.payload.appendBytes(new byte[] {1, 2, 3, 4, 5}, 0, 5);
        FlowAddress flow = p.flow;
        flow.srcMac = 1;
        flow.dstMac = 2;
        flow.vlan = 3;
        flow.setIpv6(4, 5, 6, 7);
        flow.setTrafficClass(0xB9);
        flow.hopLimit = 9;
        flow.flowLabel = 10;
        flow.udpSourcePort = 11;
        return p;
    }

    private static List<Field> fields(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Field field : type.getFields()) {
            if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isFinal(field.getModifiers())) {
                fields.add(field);
            }
        }
        return fields;
    }

    @Test
    void theExampleDiffersInEveryField() throws Exception {
        RocePacket fresh = new RocePacket();
        RocePacket full = full();
        for (Field field : fields(RocePacket.class)) {
            assertThat(field.get(full)).as(field.getName()).isNotEqualTo(field.get(fresh));
        }
        for (Field field : fields(FlowAddress.class)) {
            assertThat(field.get(full.flow)).as(field.getName()).isNotEqualTo(field.get(fresh.flow));
        }
    }

    @Test
    void resetForgetsEverything() {
        RocePacket packet = full();
        packet.reset();
        assertThat(packet).usingRecursiveComparison(CONTENT).isEqualTo(new RocePacket());
        assertThat(packet.payload.length()).isZero();
        assertThat(packet.pkey).isEqualTo(0xFFFF);
        assertThat(packet.icrcOk).isTrue();
    }

    @Test
    void aCopyHasEverythingAndSharesNothing() {
        RocePacket packet = full();
        RocePacket copy = packet.copy();
        assertThat(copy).usingRecursiveComparison(CONTENT).isEqualTo(full());
        packet.reset();
        assertThat(copy).usingRecursiveComparison(CONTENT).isEqualTo(full());
        packet.payload.appendZeros(3);
        packet.set(copy);
        assertThat(packet.payload.sameContent(copy.payload)).isTrue();
        assertThat(packet.tag).as("the owner's mark stays with the owner").isZero();
    }

    @Test
    void theDigestSeesWhatIsOnTheWireButThePayload() throws Exception {
        long digest = full().digest();
        for (Field field : fields(RocePacket.class)) {
            RocePacket changed = full();
            change(field, changed);
            if (List.of("journey", "tag").contains(field.getName())) {
                assertThat(changed.digest()).isEqualTo(digest);
            } else {
                assertThat(changed.digest()).as(field.getName()).isNotEqualTo(digest);
            }
        }
        for (Field field : fields(FlowAddress.class)) {
            RocePacket changed = full();
            change(field, changed.flow);
            assertThat(changed.digest()).as(field.getName()).isNotEqualTo(digest);
        }
        RocePacket otherContent = full();
        otherContent.payload.clear();
        assertThat(otherContent.digest()).isEqualTo(digest);
    }

    private static void change(Field field, Object of) throws IllegalAccessException {
        Class<?> type = field.getType();
        if (type == int.class) {
            field.setInt(of, field.getInt(of) ^ 1);
        } else if (type == long.class) {
            field.setLong(of, field.getLong(of) ^ 1);
        } else if (type == boolean.class) {
            field.setBoolean(of, !field.getBoolean(of));
        } else {
            field.set(of, Encapsulation.GRH);
        }
    }

    @Test
    void padBytesFollowFromTheLength() {
        RocePacket packet = new RocePacket();
        int[] pads = {0, 3, 2, 1, 0, 3};
        for (int length = 0; length < pads.length; length++) {
            packet.setPayloadLength(length);
            assertThat(packet.padCount).isEqualTo(pads[length]);
            assertThat(packet.payloadLength).isEqualTo(length);
        }
    }

    /** Sizes that everybody knows: an acknowledgement is 62 bytes, a CNP 74, a 1024-byte WRITE ONLY 1098. */
    @Test
    void sizesOnTheWire() {
        RocePacket packet = new RocePacket();
        packet.opcode = Opcode.RC_ACKNOWLEDGE.code();
        assertThat(packet.wireBytes()).isEqualTo(62);
        packet.opcode = Opcode.CNP.code();
        assertThat(packet.wireBytes()).isEqualTo(74);
        packet.opcode = Opcode.RC_RDMA_WRITE_ONLY.code();
        packet.setPayloadLength(1024);
        assertThat(packet.wireBytes()).isEqualTo(1098);
        packet.flow.vlan = 0;
        assertThat(packet.wireBytes()).isEqualTo(1102);
        packet.flow.setIpv6(0, 1, 0, 2);
        assertThat(packet.wireBytes()).isEqualTo(1122);
        assertThat(packet.transportBytes()).isEqualTo(1056);
    }

    @Test
    void aPacketWithoutItsBytesHasHeadersOnly() {
        RocePacket packet = new RocePacket();
        packet.opcode = Opcode.RC_SEND_ONLY.code();
        packet.setPayloadLength(4);
        assertThatThrownBy(() -> new FrameEncoder().encode(packet, new byte[100], 0))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining("4 bytes");
        assertThat(new FrameEncoder().encodeHeaders(packet, new byte[100], 0)).isEqualTo(54);
    }

    @Test
    void addresses() {
        FlowAddress flow = new FlowAddress();
        flow.setIpv4(0x0A000001, 0xC0A80002);
        assertThat(flow.srcIpv4()).isEqualTo(0x0A000001);
        assertThat(flow.dstIpv4()).isEqualTo(0xC0A80002);
        assertThat(flow.srcHi).isZero();
        assertThat(flow.dstLo).isEqualTo(0xFFFF_C0A8_0002L);
        assertThat(flow.encapsulation).isEqualTo(Encapsulation.IPV4);
        flow.setTrafficClass(0x6B);
        assertThat(flow.dscp).isEqualTo(26);
        assertThat(flow.ecn).isEqualTo(3);
        assertThat(flow.trafficClass()).isEqualTo(0x6B);
    }
}
