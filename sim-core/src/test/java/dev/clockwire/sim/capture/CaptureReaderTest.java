package dev.clockwire.sim.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.capture.Captures.Read;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureReaderTest {
    private static final long MICROSECONDS = 0xA1B2C3D4L;
    private static final long NANOSECONDS = 0xA1B23C4DL;

    @TempDir
    Path folder;

    private Path file(byte[] content) {
        Path file = folder.resolve("trace.pcap");
        try {
            Files.write(file, content);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return file;
    }

    private Path file(Captures content) {
        return file(content.toBytes());
    }

    private static Captures in(String order) {
        return new Captures(order.equals("big") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    }

    private void refuses(Captures content, String... parts) {
        assertThatThrownBy(() -> Captures.read(file(content)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll(parts)
                .hasMessageContaining("trace.pcap")
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @CsvSource({"big,1000", "little,1000", "big,1", "little,1"})
    void classicInBothOrdersAndResolutions(String order, int nsPerUnit) {
        Captures content = in(order)
                .pcap(nsPerUnit == 1 ? NANOSECONDS : MICROSECONDS)
                .u32(3_000_000_000L, 7, 3, 3)
                .bytes(0xAA, 0xBB, 0xCC)
                .u32(3_000_000_001L, 999_999, 0, 60);
        assertThat(Captures.read(file(content)))
                .containsExactly(
                        new Read(1, 3_000_000_000_000_000_000L + 7L * nsPerUnit, 1, "aabbcc", 3),
                        new Read(2, 3_000_000_001_000_000_000L + 999_999L * nsPerUnit, 1, "", 60));
    }

    @Test
    void upperBitsOfTheClassicLinkTypeAreNotPartOfIt() {
        Captures content = in("big")
                .u32(MICROSECONDS)
                .u16(2, 4)
                .u32(0, 0, 100, 0x24000071L)
                .u32(0, 0, 0, 0);
        assertThat(Captures.read(file(content)).get(0).linkType()).isEqualTo(0x71);
    }

    @Test
    void whatIsNotACaptureIsNamed() {
        refuses(in("big"), "offset 0", "empty");
        refuses(in("big").bytes(1, 2), "offset 0", "magic", "0x0102");
        refuses(in("big").u32(0x4D5A9000L, 0, 0), "offset 0", "magic", "0x4d5a9000");
        refuses(in("big").u32(MICROSECONDS).u16(1, 0).u32(0, 0, 0, 1), "offset 4", "version 2", "found 1");
        assertThatThrownBy(() -> CaptureReader.open(folder.resolve("none.pcap")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("none.pcap: no such file");
        assertThatThrownBy(() -> CaptureReader.open(folder)).hasMessageContaining("is a directory");
    }

    @Test
    void aCutClassicFileIsNamedByOffset() {
        refuses(in("little").u32(MICROSECONDS).u16(2, 4), "offset 4", "file header of 20 bytes", "after 4");
        refuses(in("little").pcap(MICROSECONDS).u32(1, 2), "offset 24", "record header of 16 bytes", "after 8");
        refuses(in("little").pcap(MICROSECONDS).u32(1, 2, 5, 5).bytes(1), "offset 40", "of 5 bytes", "after 1");
    }

    @Test
    void aLengthFieldIsNotBelieved() {
        refuses(in("little").pcap(MICROSECONDS).u32(1, 2, 0xFFFFFFFFL, 5), "offset 32", "4294967295", "16777216");
        // the longest one that is believed is read in steps: 16 MiB are asked for, a few bytes are there
        refuses(in("little").pcap(MICROSECONDS).u32(1, 2, 16 << 20, 5).bytes(1, 2), "of 16777216 bytes", "after 2");
        refuses(in("big").pcap(MICROSECONDS).u32(1, 2, (16 << 20) + 1, 5), "16777217");
    }

    @Test
    void aRecordLongerThanTheFirstBufferIsWhole() {
        byte[] frame = new byte[200_000];
        for (int i = 0; i < frame.length; i++) {
            frame[i] = (byte) (i * 31);
        }
        Captures content = in("little").pcap(MICROSECONDS).u32(0, 1, frame.length, frame.length);
        for (byte b : frame) {
            content.bytes(b);
        }
        content.u32(0, 2, 1, 1).bytes(9);
        List<Read> records = Captures.read(file(content));
        assertThat(records).hasSize(2);
        assertThat(records.get(0).bytes()).isEqualTo(java.util.HexFormat.of().formatHex(frame));
        assertThat(records.get(1)).isEqualTo(new Read(2, 2000, 1, "09", 1));
    }

    private static byte[] interfaceBody(String order, int link, int snap, int... options) {
        return in(order).u16(link, 0).u32(snap).bytes(options).toBytes();
    }

    private static byte[] packetBody(String order, int port, long time, int captured, int original, int... data) {
        return in(order)
                .u32(port, time >>> 32, time, captured, original)
                .bytes(data)
                .toBytes();
    }

    @ParameterizedTest
    @ValueSource(strings = {"big", "little"})
    void enhancedSimpleAndObsoletePackets(String order) {
        Captures content = in(order)
                .section()
                .block(1, interfaceBody(order, 1, 2))
                .block(0x0BAD, new byte[8])
                .block(5, new byte[12])
                .block(6, packetBody(order, 0, 5, 3, 90, 1, 2, 3, 0))
                .block(3, in(order).u32(70).bytes(7, 8, 0, 0).toBytes())
                .block(2, in(order).u16(0, 4).u32(0, 6, 4, 4).bytes(4, 5, 6, 7).toBytes());
        assertThat(Captures.read(file(content)))
                .containsExactly(
                        new Read(1, 5_000, 1, "010203", 90),
                        new Read(2, 0, 1, "0708", 70),
                        new Read(3, 6_000, 1, "04050607", 4));
    }

    @Test
    void aSimplePacketWithoutSnapLengthIsWhole() {
        Captures content = in("little")
                .section()
                .block(1, interfaceBody("little", 1, 0))
                .block(3, in("little").u32(4).bytes(7, 8, 9, 10).toBytes());
        assertThat(Captures.read(file(content)).get(0).bytes()).isEqualTo("0708090a");
    }

    @Test
    void eachSectionHasItsOwnOrderAndInterfaces() {
        byte[] first = in("big")
                .section()
                .block(1, interfaceBody("big", 1, 0))
                .block(6, packetBody("big", 0, 1, 0, 10))
                .toBytes();
        byte[] second = in("little")
                .section()
                .block(1, interfaceBody("little", 113, 0))
                .block(6, packetBody("little", 0, 2, 0, 20))
                .toBytes();
        Captures both = in("big");
        for (byte b : first) {
            both.bytes(b);
        }
        for (byte b : second) {
            both.bytes(b);
        }
        assertThat(Captures.read(file(both)))
                .containsExactly(new Read(1, 1_000, 1, "", 10), new Read(2, 2_000, 113, "", 20));
        Captures missing = in("little")
                .section()
                .block(1, interfaceBody("little", 1, 0))
                .section()
                .block(6, packetBody("little", 0, 2, 0, 20));
        refuses(missing, "interface 0", "described are 0");
    }

    /** Option 9 is the resolution, option 14 an offset in seconds; 1 follows another option with padding. */
    @ParameterizedTest
    @CsvSource({
        "9,1000000001,1000000001",
        "3,5,5000000",
        "0,2,2000000000",
        "12,1999,1",
        "138,1024,1000000000",
        "139,1024,500000000"
    })
    void timeResolutions(int code, long units, long ns) {
        int[] options = {0, 2, 0, 3, 'e', 't', 'h', 0, 0, 9, 0, 1, code, 0, 0, 0, 0, 0, 0, 0};
        Captures content = in("big")
                .section()
                .block(1, interfaceBody("big", 1, 0, options))
                .block(6, packetBody("big", 0, units, 0, 0));
        assertThat(Captures.read(file(content)).get(0).ns()).isEqualTo(ns);
    }

    @Test
    void timeOffsetAndTimesBeyondTheRange() {
        int[] offset = {0, 14, 0, 8, 0, 0, 0, 0, 0, 0, 0, 3};
        Captures content = in("big")
                .section()
                .block(1, interfaceBody("big", 1, 0, offset))
                .block(6, packetBody("big", 0, 250_000, 0, 0));
        assertThat(Captures.read(file(content)).get(0).ns()).isEqualTo(3_250_000_000L);
        Captures beyond =
                in("big").section().block(1, interfaceBody("big", 1, 0)).block(6, packetBody("big", 0, -1, 0, 0));
        refuses(beyond, "offset 60", "18446744073709551615", "2262");
    }

    @Test
    void damagedBlocksAreNamedByOffset() {
        refuses(in("big").u32(0x0A0D0D0AL, 28, 0x01020304L), "offset 8", "byte-order", "0x1020304");
        refuses(in("big").u32(0x0A0D0D0AL, 24, 0x1A2B3C4DL).u32(0, 0, 0), "offset 4", "24 bytes", "at least 28");
        refuses(in("big").u32(0x0A0D0D0AL, 30, 0x1A2B3C4DL).u32(0, 0, 0), "offset 4", "30 bytes");
        refuses(
                in("big").u32(0x0A0D0D0AL, 28, 0x1A2B3C4DL).u16(2, 0).u32(-1, -1, 28),
                "offset 12",
                "version 1",
                "found 2");
        refuses(in("big").u32(0x0A0D0D0AL, 28, 0x1A2B3C4DL).u16(1, 0).u32(-1, -1, 32), "28 bytes", "length 32");
        refuses(in("big").section().u32(6), "offset 28", "block header", "after 4");
        refuses(in("big").section().u32(6, 8, 8), "offset 32", "of 8 bytes", "at least 12");
        refuses(in("big").section().u32(77, 14, 0, 14), "offset 32", "of 14 bytes", "multiple of 4");
        refuses(in("big").section().u32(77, 16, 0, 20), "offset 40", "of 16 bytes", "length 20");
        refuses(in("big").section().u32(77, 100, 0), "a block of 88 bytes", "after 4");
        refuses(in("big").section().u32(6, 0xFFFFFFFCL, 0), "offset 32", "the longest is 16777216");
        refuses(in("big").section().block(1, new byte[4]), "interface block", "4 bytes", "at least 8");
        refuses(in("big").section().block(6, new byte[16]), "packet block", "16 bytes", "at least 20");
        Captures long1 = in("big").section().block(1, interfaceBody("big", 1, 0));
        refuses(long1.block(6, packetBody("big", 0, 1, 5, 5, 1, 2, 3, 4)), "offset 48", "5 captured", "room for 4");
    }

    @Test
    void optionsThatAreCutEndTheOptions() {
        int[] options = {0, 9, 0, 1, 9, 0, 0, 0, 0, 2, 0, 50, 1, 2, 3, 4};
        Captures content = in("big")
                .section()
                .block(1, interfaceBody("big", 1, 0, options))
                .block(6, packetBody("big", 0, 11, 0, 0));
        assertThat(Captures.read(file(content)).get(0).ns()).isEqualTo(11);
    }
}
