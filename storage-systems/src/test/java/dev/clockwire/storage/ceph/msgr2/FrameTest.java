package dev.clockwire.storage.ceph.msgr2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.sim.mem.Payload;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frames of msgr2.1: sizes and places that Ceph and Linux give, and what damage does. */
class FrameTest {
    /** Ceph's own: {@code test_crc32c.cc}; the last the check value of CRC-32C, not inverted. */
    @ParameterizedTest
    @CsvSource({
        "0,foo bar baz,4119623852",
        "1234,foo bar baz,881700046",
        "0,whiz bang boom,2360230088",
        "5678,whiz bang boom,3743019208",
        "-1,123456789,486108540"
    })
    void registersGoInAndComeOut(int register, String text, long want) {
        byte[] b = text.getBytes(US_ASCII);
        assertThat(Crc32c.update(register, b, 0, b.length) & 0xFFFF_FFFFL).isEqualTo(want);
    }

    private static Message message(int data) {
        Message m = new Message(MessageType.OSD_OP);
        m.oid = 0x1122334455667788L;
        m.tid = 9;
        byte[] b = new byte[data];
        for (int i = 0; i < data; i++) {
            b[i] = (byte) (i * 7);
        }
        m.data.appendBytes(b, 0, data);
        return m;
    }

    private static byte[] bytes(Payload p) {
        byte[] b = new byte[p.length()];
        p.copyTo(0, b, 0, b.length);
        return b;
    }

    @Test
    void aMessageHasItsPartsWhereTheyBelong() {
        byte[] f = bytes(Frame.message(message(1000), 5, 3));
        assertThat(f).hasSize(32 + 41 + 4 + 260 + 1000 + 13);
        assertThat(f[0]).as("tag").isEqualTo((byte) 17);
        assertThat(f[1]).as("segments").isEqualTo((byte) 4);
        assertThat(LittleEndian.get32(f, 2)).as("header").isEqualTo(41);
        assertThat(LittleEndian.get32(f, 8)).as("front").isEqualTo(260);
        assertThat(LittleEndian.get32(f, 14)).as("middle").isZero();
        assertThat(LittleEndian.get32(f, 20)).as("data").isEqualTo(1000);
        assertThat(LittleEndian.get16(f, 24)).as("data lie on pages").isEqualTo(4096);
        assertThat(LittleEndian.get64(f, 32)).as("seq").isEqualTo(5);
        assertThat(LittleEndian.get64(f, 40)).as("tid").isEqualTo(9);
        assertThat(LittleEndian.get16(f, 48)).as("type").isEqualTo(42);
        assertThat(LittleEndian.get64(f, 60))
                .as("ack_seq, behind 28 bytes of header")
                .isEqualTo(3);
        assertThat(LittleEndian.get32(f, 28)).isEqualTo(Crc32c.update(0, f, 0, 28));
        assertThat(LittleEndian.get32(f, f.length - 4))
                .as("data's checksum is the last")
                .isEqualTo(Crc32c.update(-1, f, 32 + 41 + 4 + 260, 1000));
    }

    @Test
    void controlFramesHaveNoEpilogue() {
        assertThat(Frame.control(Tag.ACK, 7).length()).isEqualTo(32 + 8 + 4);
        assertThat(Frame.banner().length()).isEqualTo(26);
    }

    @Test
    void whatWasSentIsReadAgainAndDamageIsNot() {
        byte[] f = bytes(Frame.message(message(600), 5, 3));
        Message m = Objects.requireNonNull(read(f));
        assertThat(m.oid).isEqualTo(0x1122334455667788L);
        assertThat(m.data.sameContent(message(600).data)).isTrue();
        int epilogueOfNobody = f.length - 13; // late flags and the empty middle's checksum: nobody reads them
        for (int i = 0; i < f.length; i++) {
            boolean unread = i == epilogueOfNobody || (i >= epilogueOfNobody + 5 && i < epilogueOfNobody + 9);
            f[i] ^= 4;
            if (!unread) {
                assertThat(read(f)).as("a bit of byte %d", i).isNull();
            }
            f[i] ^= 4;
        }
    }

    private static @Nullable Message read(byte[] f) {
        Payload p = new Payload();
        p.appendBytes(f, 0, f.length);
        byte[] preamble = new byte[Frame.PREAMBLE];
        System.arraycopy(f, 0, preamble, 0, preamble.length);
        return Frame.bytes(preamble) == f.length ? Frame.message(p, preamble) : null;
    }
}
