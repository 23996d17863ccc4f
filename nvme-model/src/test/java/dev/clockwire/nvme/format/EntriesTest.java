package dev.clockwire.nvme.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.Arrays;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Entries against bytes that a Linux host and target have sent, and both ways. */
class EntriesTest {
    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    /** The first 16 and the bytes from 40 on of the READ at block 8 of a capture (frame 189 of the reference dialogue). */
    @Test
    void aReadIsWhatAHostSends() {
        byte[] wire = new byte[SqEntry.BYTES];
        byte[] head = hex("02 40 0A 00 01 00 00 00");
        System.arraycopy(head, 0, wire, 0, head.length);
        byte[] sgl = hex("00 70 EB 08 00 00 11 FF 00 10 00 6A 04 01 00 4F");
        System.arraycopy(sgl, 0, wire, SqEntry.DATA, sgl.length);
        wire[40] = 8;
        wire[48] = 7;
        SqEntry e = new SqEntry().load(wire, 0);
        assertThat(e.opcode()).isEqualTo(Opcodes.READ);
        assertThat(e.dataKind()).isEqualTo(SqEntry.SGL);
        assertThat(e.fuse()).isZero();
        assertThat(e.cid()).isEqualTo(10);
        assertThat(e.nsid()).isEqualTo(1);
        assertThat(e.slba()).isEqualTo(8);
        assertThat(e.blocks()).isEqualTo(8);
        assertThat(e.prp1()).as("address of the descriptor").isEqualTo(0xFF11_0000_08EB_7000L);
        SqEntry same =
                new SqEntry().command(Opcodes.READ, 10, 1).flags(SqEntry.SGL, 0).blocks(8, 8);
        same.prp(e.prp1(), e.prp2());
        byte[] out = new byte[80];
        same.store(out, 16);
        assertThat(Arrays.copyOfRange(out, 16, 80)).isEqualTo(wire);
    }

    /** Frame 12: the answer to the property CAP. */
    @Test
    void anAnswerIsWhatATargetSends() {
        byte[] wire = hex("7F00000F 20080000 0200 0000 0100 0000");
        CqEntry e = new CqEntry().load(wire, 0);
        assertThat(e.result()).isEqualTo(0x0000_0820_0F00_007FL);
        assertThat(e.sqHead()).isEqualTo(2);
        assertThat(e.sqId()).isZero();
        assertThat(e.cid()).isEqualTo(1);
        assertThat(e.status()).isEqualTo(NvmeStatus.SUCCESS.code());
        assertThat(new CqEntry().set(0x0000_0820_0F00_007FL, 2, 0, 1, 0, 0).bytes())
                .isEqualTo(wire);
    }

    @Property
    void fieldsDoNotTouchEachOther(
            @ForAll long result,
            @ForAll @IntRange(max = 0xFFFF) int head,
            @ForAll @IntRange(max = 0xFFFF) int queue,
            @ForAll @IntRange(max = 0xFFFF) int cid,
            @ForAll @IntRange(max = 0x7FF) int status,
            @ForAll boolean again,
            @ForAll @IntRange(max = 1) int phase) {
        CqEntry e = new CqEntry().set(result, head, queue, cid, status | (again ? NvmeStatus.DO_NOT_RETRY : 0), phase);
        assertThat(e.result()).isEqualTo(result);
        assertThat(e.sqHead()).isEqualTo(head);
        assertThat(e.sqId()).isEqualTo(queue);
        assertThat(e.cid()).isEqualTo(cid);
        assertThat(e.status()).isEqualTo(status);
        assertThat(e.doNotRetry()).isEqualTo(again);
        assertThat(e.phase()).isEqualTo(phase);
    }

    @Property
    void blocksAreCountedFromOne(@ForAll long slba, @ForAll @IntRange(min = 1, max = 65536) int count) {
        SqEntry e = new SqEntry().dword(12, 0x4000_0000).blocks(slba, count);
        assertThat(e.slba()).isEqualTo(slba);
        assertThat(e.blocks()).isEqualTo(count);
        assertThat(e.dword(12) & 0xFFFF).isEqualTo(count - 1);
        assertThat(e.dword(12) >>> 30).as("force unit access stays").isEqualTo(1);
        assertThat(e.clear().bytes()).containsOnly(0);
    }

    @Test
    void noBlocksAreRefused() {
        SqEntry e = new SqEntry();
        assertThatThrownBy(() -> e.blocks(0, 0))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("number of blocks 0 is not in 1..65536");
        assertThatThrownBy(() -> e.blocks(0, 65537)).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void everyStatusHasANumberOfItsOwn() {
        assertThat(Arrays.stream(NvmeStatus.values()).map(NvmeStatus::code)).doesNotHaveDuplicates();
        for (NvmeStatus s : NvmeStatus.values()) {
            assertThat(NvmeStatus.of(s.code())).isEqualTo(s);
        }
        assertThat(NvmeStatus.describe(0x80)).isEqualTo("0/80 LBA out of range");
        assertThat(NvmeStatus.describe(0x7FF)).isEqualTo("7/FF");
    }

    @Test
    void anOpcodeSaysWhereDataGo() {
        assertThat(Opcodes.toController(Opcodes.WRITE)).isTrue();
        assertThat(Opcodes.toController(Opcodes.COMPARE)).isTrue();
        assertThat(Opcodes.toController(Opcodes.READ)).isFalse();
        assertThat(Opcodes.toHost(Opcodes.READ)).isTrue();
        assertThat(Opcodes.toHost(Opcodes.IDENTIFY)).isTrue();
        assertThat(Opcodes.toHost(Opcodes.FLUSH)).isFalse();
    }
}
