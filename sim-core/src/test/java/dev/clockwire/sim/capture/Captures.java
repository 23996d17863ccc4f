package dev.clockwire.sim.capture;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Files made byte by byte as the format drafts say, and files read into lists. */
final class Captures {
    /** One record as the reader gave it; the bytes are hexadecimal. */
    record Read(long number, long ns, int linkType, String bytes, long originalLength) {}

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteOrder order;

    Captures(ByteOrder order) {
        this.order = order;
    }

    static List<Read> read(Path file) {
        List<Read> records = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(file)) {
            while (reader.next()) {
                int from = reader.dataOffset();
                byte[] bytes = Arrays.copyOfRange(reader.data(), from, from + reader.length());
                records.add(new Read(
                        reader.number(),
                        reader.ns(),
                        reader.linkType(),
                        HexFormat.of().formatHex(bytes),
                        reader.originalLength()));
            }
        }
        return records;
    }

    Captures u32(long... values) {
        for (long value : values) {
            out.writeBytes(
                    ByteBuffer.allocate(4).order(order).putInt((int) value).array());
        }
        return this;
    }

    Captures u16(int... values) {
        for (int value : values) {
            out.writeBytes(
                    ByteBuffer.allocate(2).order(order).putShort((short) value).array());
        }
        return this;
    }

    Captures bytes(int... values) {
        for (int value : values) {
            out.write(value);
        }
        return this;
    }

    /** A classic file header; Ethernet. */
    Captures pcap(long magic) {
        return u32(magic).u16(2, 4).u32(0, 0, 262144, 1);
    }

    /** A section header without options. */
    Captures section() {
        return u32(0x0A0D0D0AL, 28, 0x1A2B3C4DL).u16(1, 0).u32(-1, -1, 28);
    }

    /** A block of a type around a body whose length is a multiple of four. */
    Captures block(long type, byte[] body) {
        u32(type, body.length + 12);
        out.writeBytes(body);
        return u32(body.length + 12);
    }

    byte[] toBytes() {
        return out.toByteArray();
    }
}
