package dev.clockwire.nic.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.transport.WcStatus;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Entries of completion and event queues and the WQEs of Ethernet queues, byte by byte as mlx5 has them. */
class QueueEntriesTest {
    private final byte[] cqe = new byte[Cqe.BYTES];

    private static byte[] filled() {
        byte[] all = new byte[64];
        Arrays.fill(all, (byte) -1);
        return all;
    }

    @Test
    void aCompletionsBytes() {
        byte[] out = filled();
        Cqe.write(out, Cqe.RESP_SEND_IMM, 0x0B, 0x123456, 0x654321, 0xBEEF, 0x0A0B0C0D, 0x11223344, 0x15, true, true);
        assertThat(out).startsWith(0, 0, 0, 0, 0, 0, 0, 0);
        assertThat(Arrays.copyOfRange(out, 24, 28)).containsExactly(0, 0x65, 0x43, 0x21);
        assertThat(Arrays.copyOfRange(out, 36, 40)).containsExactly(0x11, 0x22, 0x33, 0x44);
        assertThat(Arrays.copyOfRange(out, 44, 48)).containsExactly(0x0A, 0x0B, 0x0C, 0x0D);
        assertThat(out[55]).isEqualTo((byte) 0x15);
        assertThat(Arrays.copyOfRange(out, 56, 60)).containsExactly(0x0B, 0x12, 0x34, 0x56);
        assertThat(Arrays.copyOfRange(out, 60, 64)).containsExactly(0xBE, 0xEF, 0, 0x33);
        Cqe.write(out, Cqe.REQ, 0, 1, 0, 0, 0, 0, 0, false, false);
        assertThat(out[63]).isZero();
    }

    @Test
    void anEthernetCompletionsBytes() {
        Cqe.putHash(cqe, 0x89ABCDEF);
        assertThat(Arrays.copyOfRange(cqe, 12, 16)).containsExactly(0x89, 0xAB, 0xCD, 0xEF);
        assertThat(Cqe.hash(cqe)).isEqualTo(0x89ABCDEF);
        Cqe.putChecksums(cqe, 0x86, 0xFEDC);
        assertThat(Arrays.copyOfRange(cqe, 20, 22)).containsExactly(0xFE, 0xDC);
        assertThat(cqe[28]).isEqualTo((byte) 0x86);
        assertThat(Cqe.checksums(cqe)).isEqualTo(0x86);
        assertThat(Cqe.sum(cqe)).isEqualTo(0xFEDC);
    }

    @Test
    void smallEntriesComeBackWhole() {
        Cqe.write(cqe, Cqe.RESP_SEND, 0, 0x77, 0, 0, 0, 0x1234, 0, false, true);
        assertThat(MiniCqe.isTitle(cqe)).isFalse();
        MiniCqe.title(cqe, 5);
        assertThat(MiniCqe.isTitle(cqe)).isTrue();
        assertThat(Cqe.byteCount(cqe)).as("how many there are").isEqualTo(5);
        byte[] array = filled();
        MiniCqe.clear(array);
        assertThat(array).containsOnly(0);
        for (int i = 0; i < MiniCqe.MOST; i++) {
            MiniCqe.put(array, i, 0xFF00 + i, 0xF0 + i, 1000 * i);
        }
        assertThat(Arrays.copyOfRange(array, 24, 32)).containsExactly(0xFF, 3, 0xF3, 0, 0, 0, 0x0B, 0xB8);
        byte[] out = filled();
        for (int i = MiniCqe.MOST - 1; i >= 0; i--) {
            MiniCqe.expand(cqe, array, i, i % 2 == 0, out);
            assertThat(Cqe.wqeCounter(out)).isEqualTo(0xFF00 + i);
            assertThat(Cqe.sendOpcode(out)).isEqualTo(0xF0 + i);
            assertThat(Cqe.byteCount(out)).isEqualTo(1000 * i);
            assertThat(Cqe.qpn(out)).isEqualTo(0x77);
            assertThat(Cqe.imm(out)).isEqualTo(0x1234);
            assertThat(Cqe.opcode(out)).isEqualTo(Cqe.RESP_SEND);
            assertThat(Cqe.owner(out)).isEqualTo(i % 2 == 0);
            assertThat(MiniCqe.isTitle(out)).isFalse();
        }
    }

    @Test
    void anEventsBytes() {
        byte[] out = filled();
        Eqe.write(out, Eqe.SRQ_LIMIT, 0xABCDEF, true);
        assertThat(out[1]).isEqualTo((byte) 0x14);
        assertThat(Arrays.copyOfRange(out, 56, 60)).containsExactly(0, 0xAB, 0xCD, 0xEF);
        assertThat(out[63]).isEqualTo((byte) 1);
        assertThat(Arrays.copyOfRange(out, 2, 56)).containsOnly(0);
        assertThat(Eqe.type(out)).isEqualTo(Eqe.SRQ_LIMIT);
        assertThat(Eqe.number(out)).isEqualTo(0xABCDEF);
        assertThat(Eqe.owner(out[63])).isTrue();
        Eqe.write(out, 0xF0, 1, false);
        assertThat(Eqe.type(out)).isEqualTo(0xF0);
        assertThat(Eqe.owner(out[63])).isFalse();
        assertThat(Eqe.owner(0xF1)).isTrue();
        assertThat(Eqe.owner(0xF2)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void eachStatusHasItsSyndrome(WcStatus status) {
        int code = CqeSyndrome.of(status);
        boolean known = code != 0xFF;
        assertThat(CqeSyndrome.status(code)).isEqualTo(known ? status : WcStatus.GENERAL_ERR);
    }

    /** The codes of mlx5's error completions. */
    @ParameterizedTest
    @CsvSource({
        "SUCCESS,0",
        "LOC_LEN_ERR,1",
        "LOC_QP_OP_ERR,2",
        "LOC_PROT_ERR,4",
        "WR_FLUSH_ERR,5",
        "MW_BIND_ERR,6",
        "BAD_RESP_ERR,16",
        "LOC_ACCESS_ERR,17",
        "REM_INV_REQ_ERR,18",
        "REM_ACCESS_ERR,19",
        "REM_OP_ERR,20",
        "RETRY_EXC_ERR,21",
        "RNR_RETRY_EXC_ERR,22",
        "REM_ABORT_ERR,34",
        "GENERAL_ERR,255"
    })
    void syndromesAreThoseOfMlx5(WcStatus status, int code) {
        assertThat(CqeSyndrome.of(status)).isEqualTo(code);
    }

    @Test
    void aCodeThatNobodyHasIsAGeneralError() {
        assertThat(CqeSyndrome.status(3)).isEqualTo(WcStatus.GENERAL_ERR);
    }

    private static RawPacketWqe raw(int inline, int bytes) {
        byte[] head = new byte[RawPacketWqe.INLINE];
        for (int i = 0; i < head.length; i++) {
            head[i] = (byte) (i + 1);
        }
        RawPacketWqe w = new RawPacketWqe();
        w.write(0xBEEF, 0x123456, head, inline, bytes, 0x1122_3344_5566_7788L);
        return w;
    }

    @Test
    void anEthernetWqesBytes() {
        RawPacketWqe w = raw(18, 0x0102);
        byte[] b = w.raw;
        assertThat(Arrays.copyOf(b, 12)).containsExactly(0, 0xBE, 0xEF, 0x0A, 0x12, 0x34, 0x56, 4, 0, 0, 0, 8);
        assertThat(Arrays.copyOfRange(b, 28, 32)).containsExactly(0, 18, 1, 2);
        assertThat(b[47]).isEqualTo((byte) 18);
        assertThat(Arrays.copyOfRange(b, 48, 52)).containsExactly(0, 0, 1, 2);
        assertThat(Arrays.copyOfRange(b, 56, 64)).containsExactly(0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88);
        w.ask(RawPacketWqe.L3_CHECKSUM | RawPacketWqe.L4_CHECKSUM);
        assertThat(b[20]).isEqualTo((byte) 0xC0);
        RawPacketWqe read = new RawPacketWqe();
        System.arraycopy(b, 0, read.raw, 0, 64);
        assertThat(read.parse(18 + 0x0102)).isTrue();
        assertThat(read.inlineBytes).isEqualTo(18);
        assertThat(read.inline).startsWith(1, 2, 3).endsWith(17, 18);
        assertThat(read.dataBytes).isEqualTo(0x0102);
        assertThat(read.dataAddress).isEqualTo(0x1122_3344_5566_7788L);
        assertThat(read.checksums).isEqualTo(0xC0);
        assertThat(read.parse(18 + 0x0101)).as("longer than allowed").isFalse();
    }

    @ParameterizedTest
    @CsvSource({"14,0,true", "13,0,false", "0,14,true", "13,1,true", "0,13,false", "18,0,true"})
    void aFrameHasAddressesAndType(int inline, int bytes, boolean fits) {
        RawPacketWqe w = raw(inline, bytes);
        assertThat(w.raw[7]).isEqualTo((byte) (bytes > 0 ? 4 : 3));
        assertThat(w.parse(1500)).isEqualTo(fits);
        assertThat(w.dataBytes).isEqualTo(bytes);
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        RawPacketWqe w = raw(18, 100);
        w.raw[3] = WqeOpcode.RDMA_WRITE;
        assertThat(w.parse(1500)).as("opcode").isFalse();
        w = raw(18, 100);
        w.raw[29] = 19;
        assertThat(w.parse(1500)).as("inline bytes").isFalse();
        w = raw(18, 100);
        w.raw[7] = 5;
        assertThat(w.parse(1500)).as("segments").isFalse();
        w = raw(18, 100);
        w.raw[48] = (byte) 0x80;
        assertThat(w.parse(1500)).as("negative length").isFalse();
        w = raw(14, 0);
        w.raw[51] = 7;
        assertThat(w.parse(1500)).as("three segments have no data").isTrue();
        assertThat(w.dataBytes).isZero();
        w.raw[20] = (byte) 0x3F;
        assertThat(w.parse(1500)).isTrue();
        assertThat(w.checksums).as("other flags").isZero();
    }
}
