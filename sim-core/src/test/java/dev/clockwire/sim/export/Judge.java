package dev.clockwire.sim.export;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** Runs a tool that judges our files. Where it is missing the test is skipped, unless CI says that it must be there. */
final class Judge {
    private Judge() {}

    static void require(String tool) {
        String path = System.getenv("PATH");
        boolean found = path != null
                && Arrays.stream(path.split(File.pathSeparator, -1))
                        .anyMatch(dir -> Files.isExecutable(Path.of(dir, tool)));
        if ("true".equals(System.getenv("CI"))) {
            Assertions.assertTrue(found, tool + " must be installed");
        }
        Assumptions.assumeTrue(found, tool + " is not installed");
    }

    /** Runs a command with a file as input (or none) and returns what it printed; a failure of the tool fails the test. */
    static String run(Path dir, Path input, String... command) throws IOException, InterruptedException {
        require(command[0]);
        Path printed = Files.createTempFile(dir, "printed", ".txt");
        Process p = new ProcessBuilder(command)
                .directory(dir.toFile())
                .redirectInput(input.toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        if (!p.waitFor(60, TimeUnit.SECONDS)) {
            p.destroyForcibly();
            Assertions.fail(String.join(" ", command) + " does not end");
        }
        String text = Files.readString(printed, StandardCharsets.UTF_8);
        Assertions.assertEquals(0, p.exitValue(), text);
        return text;
    }

    /** Returns a timeline as protobuf's own decoder prints it, by the message types of {@code timeline.proto}. */
    static String decodeTrace(Path dir, byte[] bytes) throws IOException, InterruptedException {
        Path trace = dir.resolve("timeline.perfetto-trace");
        Files.write(trace, bytes);
        try (InputStream proto = Judge.class.getResourceAsStream("timeline.proto")) {
            Files.copy(Objects.requireNonNull(proto), dir.resolve("timeline.proto"));
        }
        return run(dir, trace, "protoc", "--decode=perfetto.protos.Trace", "timeline.proto");
    }
}
