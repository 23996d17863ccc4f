package dev.clockwire.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.bench.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The engine that every other must equal, and how that is seen. */
final class Local {
    /** Six points, of which four fail, twice each, with values from all kinds of variables. */
    static final String EVERYTHING = """
        command: perftest write-lat -n 5
        grid: {size: [64, -1, 4096]}
        list:
          - {host.isolcpus: false, ipv6: true}
          - {host.isolcpus: true, nic.core_mhz: 1e9}
        random: {samples: 1, link.gbps: {uniform: [100, 400]}}
        repeat: 2
        """;

    private Local() {}

    /** How a command ended and what it printed. */
    record Said(int code, String out, String err) {
        /** Runs something that prints. */
        static Said by(Command command) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            int code = command.run(
                    new PrintStream(out, true, StandardCharsets.UTF_8),
                    new PrintStream(err, true, StandardCharsets.UTF_8));
            return new Said(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        }
    }

    /** Something that prints. */
    interface Command {
        int run(PrintStream out, PrintStream err);
    }

    static Said sweep(Path plan, Path out, String... more) {
        List<String> words = new ArrayList<>(List.of("sweep", plan.toString(), "--out", out.toString()));
        words.addAll(List.of(more));
        return Said.by((to, err) -> Main.run(to, err, words.toArray(String[]::new)));
    }

    /** Returns every file below a folder with its text. */
    static Map<String, String> files(Path folder) throws IOException {
        Map<String, String> texts = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                texts.put(folder.relativize(file).toString(), Files.readString(file));
            }
        }
        assertThat(texts).containsKeys("results.csv", "intervals.csv", "results.json", "plan.yaml", "rows/000001.json");
        return texts;
    }
}
