package dev.clockwire.bench.doc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The files that readers of docs/ have beside them when they type what stands there. */
public final class PageFixtures {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Path LOSSY = Path.of(
            "src/test/resources/dev/clockwire/bench/replay/captures", "lossy-verbs-40-writes-rx-loss10-server.pcap");

    private PageFixtures() {}

    /** Puts all of them into a folder. */
    public static void into(Path folder) throws IOException {
        Files.writeString(folder.resolve("scheduler.yaml"), yaml("sweeps.md", "command: "));
        Files.writeString(folder.resolve("faults.yaml"), yaml("faults.md", "partition: "));
        Files.copy(LOSSY, folder.resolve("lossy.pcap"));
        Files.writeString(folder.resolve("nvmf.json"), """
            {"subsystems": [{"subsystem": "bdev", "config": [
              {"method": "bdev_malloc_create", "params": {"name": "M", "num_blocks": 8, "block_size": 512}}]}]}
            """);
    }

    /** Returns the first block of YAML of a page that has these words. */
    private static String yaml(String page, String words) throws IOException {
        return Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(DOCS.resolve(page)))
                .results()
                .map((MatchResult m) -> m.group(1))
                .filter(text -> text.contains(words))
                .findFirst()
                .orElseThrow();
    }
}
