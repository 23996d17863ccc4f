package dev.clockwire.nic.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.wire.Encapsulation;
import dev.clockwire.roce.wire.FlowAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Send WQEs at the edges of their sizes, and the segments that only some opcodes have. */
class WqeEdgesTest {
    private final WqeWriter writer = new WqeWriter();

    private WqeWriter begin(int opcode) {
        writer.begin(opcode, 0xABCD, 0x123456, false, false, false, 0x01020304);
        return writer;
    }

    private Wqe parse(boolean datagram) {
        int size = writer.finish();
        Wqe x = new Wqe();
        System.arraycopy(writer.bytes(), 0, x.raw, 0, size);
        x.parse(datagram);
        return x;
    }

    private static FlowAddress ipv6() {
        FlowAddress to = new FlowAddress();
        to.encapsulation = Encapsulation.IPV6;
        to.dstMac = 0x0A0B_0C0D_0E0FL;
        to.udpSourcePort = 0xC123;
        to.flowLabel = 0xFEDCB;
        to.hopLimit = 0xFE;
        to.setTrafficClass(0xB9);
        to.dstHi = 0x2001_0DB8_0000_0001L;
        to.dstLo = 0x8000_0000_0000_0002L;
        return to;
    }

    @Test
    void aDatagramSegmentComesBack() {
        FlowAddress to = ipv6();
        begin(WqeOpcode.SEND).datagram(0x8765_4321, 0xFEDCBA, to);
        writer.data(0x9000, 5, 6);
        Wqe x = parse(true);
        assertThat(x.valid).isTrue();
        assertThat(x.qkey).isEqualTo(0x8765_4321);
        assertThat(x.destQp).isEqualTo(0xFEDCBA);
        assertThat(x.flow.encapsulation).isEqualTo(Encapsulation.IPV6);
        assertThat(x.flow.dstMac).isEqualTo(to.dstMac);
        assertThat(x.flow.udpSourcePort).isEqualTo(0xC123);
        assertThat(x.flow.flowLabel).isEqualTo(0xFEDCB);
        assertThat(x.flow.hopLimit).isEqualTo(0xFE);
        assertThat(x.flow.trafficClass()).isEqualTo(0xB9);
        assertThat(x.flow.dstHi).isEqualTo(to.dstHi);
        assertThat(x.flow.dstLo).isEqualTo(to.dstLo);
        assertThat(x.sgeCount).isEqualTo(1);
        assertThat(x.sgeVa[0]).isEqualTo(0x9000);
    }

    @Test
    void withoutABitItGoesOverIpv4() {
        FlowAddress to = new FlowAddress();
        to.setIpv4(1, 2);
        begin(WqeOpcode.SEND).datagram(1, 2, to);
        Wqe x = parse(true);
        assertThat(x.flow.encapsulation).isEqualTo(Encapsulation.IPV4);
        assertThat(x.flow.dstLo).isEqualTo(to.dstLo);
        assertThat(x.flow.flowLabel).isZero();
    }

    @Test
    void aWindowSegmentComesBack() {
        begin(WqeOpcode.UMR).window(0x11, 0x22, 0x3333_4444_5555L, 0x6_0000_0001L, 0x77);
        Wqe x = parse(false);
        assertThat(x.valid).isTrue();
        assertThat(x.rkey).isEqualTo(0x11);
        assertThat(x.windowLkey).isEqualTo(0x22);
        assertThat(x.remoteVa).isEqualTo(0x3333_4444_5555L);
        assertThat(x.windowLength).isEqualTo(0x6_0000_0001L);
        assertThat(x.windowAccess).isEqualTo(0x77);
        assertThat(x.sgeCount).isZero();
        assertThat(x.raw[7]).as("units of 16 bytes: control and window").isEqualTo((byte) 3);
    }

    @ParameterizedTest
    @CsvSource({"15", "23"})
    void aWaitSegmentComesBack(int opcode) {
        begin(opcode).waitFor(0xFEDC, 0x1_8000_0003L);
        Wqe x = parse(false);
        assertThat(x.valid).isTrue();
        assertThat(x.waitNumber).isEqualTo(0xFEDC);
        assertThat(x.waitIndex).as("32 bits of it").isEqualTo(0x8000_0003);
        assertThat(x.raw[7]).isEqualTo((byte) 2);
    }

    @Test
    void flagsStandInTheirBits() {
        writer.begin(WqeOpcode.SEND, 0, 1, true, false, false, 0);
        assertThat(writer.bytes()[11]).isEqualTo((byte) 8);
        writer.begin(WqeOpcode.SEND, 0, 1, false, true, false, 0);
        assertThat(writer.bytes()[11]).isEqualTo((byte) 2);
        writer.begin(WqeOpcode.SEND, 0, 1, false, false, true, 0);
        assertThat(writer.bytes()[11]).isEqualTo((byte) 0x80);
    }

    /** Bits 3:2 say when a CQE is wanted: 2 is always, 1 is on an error only; any fence but 0 is one. */
    @ParameterizedTest
    @CsvSource({
        "0x00,false,false",
        "0x04,false,false",
        "0x08,true,false",
        "0x0C,true,false",
        "0x20,false,true",
        "0xE8,true,true"
    })
    void flagsAreReadFromTheirBits(String flags, boolean signaled, boolean fence) {
        begin(WqeOpcode.SEND);
        writer.bytes()[11] = (byte) (int) Integer.decode(flags);
        Wqe x = parse(false);
        assertThat(x.signaled).isEqualTo(signaled);
        assertThat(x.fence).isEqualTo(fence);
        assertThat(x.solicited).isFalse();
    }

    @Test
    void thirtyElementsAreTheMost() {
        begin(WqeOpcode.SEND);
        for (int i = 0; i < Wqe.MAX_SGE; i++) {
            writer.data(i, 1, i);
        }
        Wqe x = parse(false);
        assertThat(x.valid).isTrue();
        assertThat(x.sgeCount).isEqualTo(30);
        assertThat(x.blocks).isEqualTo(8);
        writer.data(30, 1, 30);
        assertThat(parse(false).valid).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0,1", "1,1", "4,1", "5,2", "8,2", "9,3", "63,16"})
    void blocksAreWholeOnesAndAtLeastOne(int units, int blocks) {
        begin(WqeOpcode.SEND);
        Wqe x = new Wqe();
        System.arraycopy(writer.bytes(), 0, x.raw, 0, 16);
        x.raw[7] = (byte) (units | 0xC0); // what is above the six bits is not the length
        x.parse(false);
        assertThat(x.blocks).isEqualTo(blocks);
        assertThat(x.valid).isEqualTo(units > 0 && units < 32);
    }

    /** The header of an opcode must be inside of the WQE's own length. */
    @ParameterizedTest
    @CsvSource({"8,1,false", "8,2,true", "17,2,false", "17,3,true", "37,2,false", "37,3,true", "15,1,false", "15,2,true"
    })
    void aWqeThatIsCutOffMakesNoSense(int opcode, int units, boolean valid) {
        begin(opcode);
        Wqe x = new Wqe();
        System.arraycopy(writer.bytes(), 0, x.raw, 0, 16);
        x.raw[7] = (byte) units;
        x.parse(false);
        assertThat(x.valid).isEqualTo(valid);
    }

    @ParameterizedTest
    @CsvSource({"0,true", "12,true", "13,false", "28,false"})
    void inlineDataEndsInsideOfTheWqe(int length, boolean valid) {
        begin(WqeOpcode.SEND);
        Wqe x = new Wqe();
        System.arraycopy(writer.bytes(), 0, x.raw, 0, 16);
        x.raw[7] = 2;
        x.raw[16] = (byte) 0x80;
        x.raw[19] = (byte) length;
        x.parse(false);
        assertThat(x.valid).isEqualTo(valid);
        assertThat(x.inlineAt).isEqualTo(20);
        assertThat(x.length).isEqualTo(length);
    }

    @Test
    void inlineDataStandsAlone() {
        begin(WqeOpcode.SEND).data(1, 2, 3);
        writer.inline(4);
        assertThat(parse(false).valid).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0,2", "12,2", "13,3", "28,3", "29,4", "220,15"})
    void anInlineSegmentIsPadded(int length, int units) {
        begin(WqeOpcode.SEND);
        assertThat(writer.inline(length)).isEqualTo(20);
        assertThat(writer.finish()).isEqualTo(units * 16);
    }

    @Test
    void aCountOfZeroIsTwoGigabytes() {
        assertThat(Wqe.count(1L << 31)).isZero();
        assertThat(Wqe.count(5)).isEqualTo(5);
        assertThat(Wqe.bytes(Wqe.length(0))).isEqualTo(1L << 31);
        assertThat(Wqe.bytes(Wqe.length(7))).isEqualTo(7);
        begin(WqeOpcode.RDMA_WRITE).remoteAddress(1, 2);
        writer.data(1, 1L << 31, 3);
        writer.data(1, 9, 3);
        assertThat(parse(false).length).isEqualTo((1L << 31) + 9);
    }

    /** The writer is used for every WQE of a queue: nothing of the one before is left. */
    @Test
    void aWriterBeginsAnew() {
        begin(WqeOpcode.ATOMIC_CS).remoteAddress(-1, -1);
        writer.atomic(-1, -1);
        writer.data(-1, 8, -1);
        writer.finish();
        begin(WqeOpcode.NOP);
        int size = writer.finish();
        assertThat(size).isEqualTo(16);
        for (int i = 16; i < Wqe.MAX_BYTES; i++) {
            assertThat(writer.bytes()[i]).isZero();
        }
    }

    @Test
    void aCopyIsTheSameWqe() {
        begin(WqeOpcode.SEND).datagram(7, 8, ipv6());
        writer.data(0x9000, 100, 3);
        Wqe x = parse(true);
        x.sgeVa[0] = 0x7_0000; // translated
        x.qpn = 5;
        x.madePs = 77;
        x.journey = 99;
        x.unread = true;
        Wqe c = x.copy();
        assertThat(c.destQp).isEqualTo(8);
        assertThat(c.sgeVa[0]).isEqualTo(0x7_0000);
        assertThat(c.sgeCount).isEqualTo(1);
        assertThat(c.qpn).isEqualTo(5);
        assertThat(c.madePs).isEqualTo(77);
        assertThat(c.journey).isEqualTo(99);
        assertThat(c.unread).isTrue();
        assertThat(c.valid).isTrue();
    }

    /** Of blocks that could not be read nothing is known but where they are; the index has 16 bits. */
    @Test
    void unreadableBlocksStandForThemselves() {
        begin(WqeOpcode.RDMA_WRITE).remoteAddress(1, 2);
        writer.inline(9);
        Wqe x = parse(false);
        x.madePs = 5;
        x.unreadable(0x1_0003, 2);
        for (Wqe w : new Wqe[] {x, x.copy()}) {
            assertThat(w.index).isEqualTo(3);
            assertThat(w.blocks).isEqualTo(2);
            assertThat(w.opaque).isTrue();
            assertThat(w.unread).isTrue();
            assertThat(w.valid).isFalse();
            assertThat(w.opcode).isEqualTo(WqeOpcode.NOP);
            assertThat(w.signaled).isTrue();
            assertThat(w.length).isZero();
            assertThat(w.inlineAt).isZero();
            assertThat(w.sgeCount).isZero();
            assertThat(w.madePs).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0,false,false,false,false",
        "1,false,false,false,true",
        "8,false,true,false,true",
        "9,false,true,false,true",
        "10,false,false,false,true",
        "11,false,false,false,true",
        "15,true,false,false,false",
        "16,false,true,false,false",
        "17,false,true,true,false",
        "18,false,true,true,false",
        "23,true,false,false,false",
        "27,true,false,false,false",
        "37,true,false,false,false"
    })
    void whatOpcodesMean(int opcode, boolean local, boolean remote, boolean atomic, boolean payload) {
        assertThat(WqeOpcode.isLocal(opcode)).isEqualTo(local);
        assertThat(WqeOpcode.hasRemoteAddress(opcode)).isEqualTo(remote);
        assertThat(WqeOpcode.isAtomic(opcode)).isEqualTo(atomic);
        assertThat(WqeOpcode.carriesPayload(opcode)).isEqualTo(payload);
    }
}
