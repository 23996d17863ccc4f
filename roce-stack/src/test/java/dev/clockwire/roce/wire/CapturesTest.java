package dev.clockwire.roce.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CapturesTest {
    private final FrameDecoder decoder = new FrameDecoder();
    private final FrameEncoder encoder = new FrameEncoder();
    private final RocePacket packet = new RocePacket();

    static List<Path> samples() throws IOException {
        return SampleCaptures.files();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void agreesWithTshark(Path file) throws IOException {
        List<String> rows = new ArrayList<>();
        int number = 0;
        for (byte[] frame : SampleCaptures.frames(file)) {
            number++;
            if (decoder.decode(frame, 0, frame.length, packet).isRoce()) {
                rows.add(row(number));
            }
        }
        assertThat(rows).isEqualTo(SampleCaptures.tshark(file));
    }

    private String row(int number) {
        boolean aeth = Opcode.of(packet.opcode).hasAeth();
        return "%d,%d,0x%06x,%d,%s,%s"
                .formatted(
                        number,
                        packet.opcode,
                        packet.destQp,
                        packet.psn,
                        aeth ? packet.syndrome : "",
                        aeth ? packet.msn : "");
    }

    @ParameterizedTest
    @MethodSource("samples")
    void countsAndBytesOfTheSamples(Path file) throws IOException {
        SampleCaptures.Counts expected =
                SampleCaptures.counts().get(file.getFileName().toString());
        check(file, Objects.requireNonNull(expected));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void everyFrameCutShortIsNeitherGoodNorBad(Path file) {
        for (byte[] frame : SampleCaptures.frames(file)) {
            if (decoder.decode(frame, 0, frame.length, packet).isRoce()) {
                FrameVerdict cut = decoder.decode(frame, 0, frame.length - 7, packet);
                assertThat(cut).isIn(FrameVerdict.TRUNCATED, FrameVerdict.CUT_IN_HEADERS);
                assertThat(cut.isMalformed()).isTrue();
                assertThat(cut.isWhole()).isFalse();
            }
        }
    }

    /** All captures there are; where they lie is said by a property, else they are looked for beside the repository. */
    @Test
    void countsAndBytesOfEveryCapture() throws IOException {
        String property = System.getProperty("clockwire.captures", "");
        Path folder = property.isEmpty() ? Path.of("..", "..", "shared", "captures") : Path.of(property);
        assumeTrue(
                Files.isDirectory(folder),
                "no folder " + folder + ": only the sample captures were tested; -Dclockwire.captures=DIR names it");
        Map<String, SampleCaptures.Counts> counts = SampleCaptures.counts();
        int known = 0;
        for (Path file : SampleCaptures.files(folder)) {
            SampleCaptures.Counts expected = counts.get(file.getFileName().toString());
            if (expected != null) {
                check(file, expected);
                known++;
            }
        }
        assertThat(known).isEqualTo(counts.size());
    }

    /** Holds the counts against another program's, and every good frame against what our encoder makes of its fields. */
    private void check(Path file, SampleCaptures.Counts expected) {
        long roce = 0;
        long good = 0;
        long bad = 0;
        List<byte[]> frames = SampleCaptures.frames(file);
        for (byte[] frame : frames) {
            FrameVerdict verdict = decoder.decode(frame, 0, frame.length, packet);
            roce += verdict.isRoce() ? 1 : 0;
            bad += verdict == FrameVerdict.BAD_ICRC ? 1 : 0;
            if (verdict == FrameVerdict.OK) {
                good++;
                byte[] again = new byte[packet.wireBytes()];
                encoder.encode(packet, again, 0);
                assertThat(Arrays.equals(again, frame))
                        .as("%s frame %d", file, good)
                        .isTrue();
            }
        }
        assertThat(new SampleCaptures.Counts(frames.size(), roce, good, bad))
                .as(file.toString())
                .isEqualTo(expected);
    }
}
