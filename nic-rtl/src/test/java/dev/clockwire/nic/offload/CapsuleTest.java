package dev.clockwire.nic.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.context.OffloadNamespace;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.nic.profile.OffloadSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Payload;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class CapsuleTest {
    private static final OffloadDisk DISK =
            new OffloadDisk(1, 512, 4096, 64, 0x1000, 0x2000, 0x2004, 0x10_0000, 7, 1 << 16, 0x9000);

    private static final OffloadNamespace NAMESPACE = new OffloadNamespace(1, 0, 1, 512, 4096, 0);

    /** A read of 8 blocks at 0x20 into 0x1122334455667788, key 0xAABBCCDD, with a remote invalidation wanted. */
    private static final String READ = "0240050001000000" + "0000000000000000" + "0000000000000000" + "8877665544332211"
            + "001000DDCCBBAA4F" + "2000000000000000" + "0700000000000000" + "0000000000000000";

    private static Capsule capsule(String hex) {
        Payload p = new Payload();
        p.appendBytes(HexFormat.of().parseHex(hex), 0, Capsule.BYTES);
        return new Capsule().of(p);
    }

    @Test
    void fieldsStandWhereTheStandardHasThem() {
        Capsule c = capsule(READ);
        assertThat(c.check(NAMESPACE, 1 << 16, 0)).isEqualTo(Capsule.SUCCESS);
        assertThat(c.cid()).isEqualTo(5);
        assertThat(c.address()).isEqualTo(0x1122334455667788L);
        assertThat(c.length()).isEqualTo(4096);
        assertThat(c.key()).isEqualTo(0xAABBCCDD);
        assertThat(c.slba()).isEqualTo(0x20);
        assertThat(c.blocks()).isEqualTo(8);
        assertThat(c.wantsInvalidate()).isTrue();
    }

    /** PRP 1 and 2 by length: a page, two pages, a list (NVMe Base 2.0, 4.1.1). */
    @Test
    void theSsdGetsPrps() {
        Capsule c = capsule(READ);
        c.forDisk(3, DISK, 1, 4096);
        assertThat(c.cid()).isEqualTo(3);
        assertThat(c.bytes[1]).isZero();
        assertThat(Capsule.get64(c.bytes, 24)).isEqualTo(0x10_0000 + 3 * 65_536);
        assertThat(Capsule.get64(c.bytes, 32)).isZero();
        c.forDisk(3, DISK, 1, 8192);
        assertThat(Capsule.get64(c.bytes, 32)).isEqualTo(0x10_0000 + 3 * 65_536 + 4096);
        c.forDisk(3, DISK, 1, 8193);
        assertThat(Capsule.get64(c.bytes, 32)).isEqualTo(0x9000 + 3 * 256);
        assertThat(c.slba()).isEqualTo(0x20);
    }

    /** A write of one block at 9 with its data at an offset of 8 in the capsule (SGL data block, subtype offset). */
    @Test
    void dataMayStandInTheCapsule() {
        String write = "0140050001000000" + "0000000000000000" + "0000000000000000" + "0800000000000000"
                + "0002000000000001" + "0900000000000000" + "0000000000000000" + "0000000000000000";
        Capsule c = capsule(write);
        assertThat(c.isInside()).isTrue();
        assertThat(c.check(NAMESPACE, 1 << 16, 520)).isEqualTo(Capsule.SUCCESS);
        assertThat(c.check(NAMESPACE, 1 << 16, 519)).isEqualTo(Capsule.SGL_LENGTH);
        assertThat(c.check(NAMESPACE, 1 << 16, 7)).isEqualTo(Capsule.SGL_OFFSET);
        assertThat(c.check(null, 1 << 16, 520)).isEqualTo(Capsule.INVALID_NAMESPACE);
        assertThat(capsule("02" + write.substring(2)).check(NAMESPACE, 1 << 16, 520))
                .isEqualTo(Capsule.SGL_TYPE);
        assertThat(capsule("0100" + write.substring(4)).check(NAMESPACE, 1 << 16, 520))
                .isEqualTo(Capsule.INVALID_FIELD);
    }

    @Test
    void responsesAreAWriteAndASendThatInvalidates() {
        OffloadState.Command c = new OffloadState(4).commands[0];
        c.index = 0xFFFF;
        c.cid = 5;
        c.length = 4096;
        c.address = 0x1122334455667788L;
        c.key = 0xAABBCCDD;
        c.invalidates = true;
        c.sqhd = 9;
        c.status = 0x80;
        ResponseWqes w = new ResponseWqes();
        Wqe data = parsed(w.block(c, true, 0, 0x12, DISK, 2));
        assertThat(data.opcode).isEqualTo(WqeOpcode.RDMA_WRITE);
        assertThat(data.index).isEqualTo(0xFFFF);
        assertThat(data.rkey).isEqualTo(0xAABBCCDD);
        assertThat(data.remoteVa).isEqualTo(0x1122334455667788L);
        assertThat(data.sgeVa[0]).isEqualTo(0x10_0000 + 2 * 65_536);
        assertThat(data.signaled).isFalse();
        Wqe response = parsed(w.block(c, false, 1, 0x12, DISK, 2));
        assertThat(response.opcode).isEqualTo(WqeOpcode.SEND_INVAL);
        assertThat(response.index).isZero();
        assertThat(response.imm).isEqualTo(0xAABBCCDD);
        assertThat(response.signaled).isTrue();
        assertThat(HexFormat.of().formatHex(response.raw, response.inlineAt, response.inlineAt + 16))
                .isEqualTo("0000000000000000" + "09000000" + "0500" + "0001");
    }

    private static Wqe parsed(byte[] block) {
        Wqe w = new Wqe();
        System.arraycopy(block, 0, w.raw, 0, Wqe.BLOCK);
        w.parse(false);
        assertThat(w.valid).isTrue();
        assertThat(w.blocks).isEqualTo(1);
        return w;
    }

    @Test
    void transfersBeyondTheStagingMemoryAreRefused() {
        Capsule c = capsule(READ.replace("001000DD", "000003DD").replace("0700000000000000", "8000000000000000"));
        assertThat(c.blocks()).isEqualTo(129);
        assertThat(c.check(NAMESPACE, 1 << 16, 0)).isEqualTo(Capsule.INVALID_FIELD);
    }

    @Test
    void rangesAreChecked() {
        assertThatThrownBy(() -> new OffloadSpec(1025, 8)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> new OffloadSpec(8, 0)).hasMessageContaining("0 cycles are not in 1..1000");
        assertThatThrownBy(() -> new OffloadDisk(1, 512, 9, 1, 0, 0, 0, 0, 0, 4096, 0))
                .hasMessageContaining("2..1024");
        assertThatThrownBy(() -> new OffloadDisk(1, 512, 9, 4, 0, 0, 0, 7, 0, 4096, 0))
                .hasMessageContaining("page");
        assertThatThrownBy(() -> new OffloadDisk(1, 512, 9, 4, 0, 0, 0, 0, 0, 5000, 0))
                .hasMessageContaining("pages");
    }
}
