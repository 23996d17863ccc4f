package dev.clockwire.roce.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/** Frames with known ICRC: P1 to P5 are public captures (scapy's test file), S1 to S18 were made by another program. */
final class Vectors {
    record Vector(String name, int icrc, String hex) {
        byte[] frame() {
            return HexFormat.of().parseHex(hex);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private Vectors() {}

    static List<Vector> all() {
        try (InputStream in = Vectors.class.getResourceAsStream("vectors.csv")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .map(line -> line.split(","))
                    .map(row -> new Vector(row[0], Long.decode(row[2]).intValue(), row[4]))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Vector named(String prefix) {
        return all().stream()
                .filter(v -> v.name().startsWith(prefix))
                .findFirst()
                .orElseThrow();
    }

    static RocePacket decoded(String prefix) {
        RocePacket packet = new RocePacket();
        byte[] frame = named(prefix).frame();
        new FrameDecoder().decode(frame, 0, frame.length, packet);
        return packet;
    }
}
