package dev.clockwire.roce.wire;

import dev.clockwire.sim.capture.CaptureReader;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Frames of Linux soft-RoCE (kernel 6.1, perftest, rping and raw verbs programs) in the test resources. Beside each capture
 * stands what tshark 4.0 reads in it; {@code counts.csv} says what another program, with an ICRC of its own, counted.
 */
final class SampleCaptures {
    record Counts(long frames, long roce, long good, long bad) {}

    private SampleCaptures() {}

    static Path folder() {
        try {
            return Path.of(SampleCaptures.class.getResource("captures").toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    static List<Path> files() throws IOException {
        return files(folder());
    }

    static List<Path> files(Path folder) throws IOException {
        try (var found = Files.list(folder)) {
            return found.filter(file -> file.toString().endsWith(".pcap"))
                    .sorted()
                    .toList();
        }
    }

    static List<byte[]> frames(Path file) {
        List<byte[]> frames = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(file)) {
            while (reader.next()) {
                int from = reader.dataOffset();
                frames.add(Arrays.copyOfRange(reader.data(), from, from + reader.length()));
            }
        }
        return frames;
    }

    static Map<String, Counts> counts() throws IOException {
        Map<String, Counts> counts = new TreeMap<>();
        for (String line : lines(folder().resolve("counts.csv"))) {
            String[] row = line.split(",", -1);
            counts.put(
                    row[0],
                    new Counts(
                            Long.parseLong(row[1]),
                            Long.parseLong(row[2]),
                            Long.parseLong(row[3]),
                            Long.parseLong(row[4])));
        }
        return counts;
    }

    /** What tshark reads: frame, opcode, destination QP, PSN, syndrome, MSN; the last two are empty without an AETH. */
    static List<String> tshark(Path capture) throws IOException {
        return lines(capture.resolveSibling(capture.getFileName().toString().replace(".pcap", ".tshark.csv")));
    }

    private static List<String> lines(Path csv) throws IOException {
        return Files.readAllLines(csv, StandardCharsets.UTF_8).stream().skip(1).toList();
    }
}
