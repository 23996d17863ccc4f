package dev.clockwire.bench.nvmf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.format.NvmeStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each status has a test that provokes it, or a reason why it is never given: both stand in docs/nvmeof.md. */
class StatusListTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern STATUS = Pattern.compile("\\b[0-3]/[0-9A-F]{2}\\b");
    private static final Pattern TEST = Pattern.compile("^\\| `(\\w+Test)`");

    /** Returns the test class of each status of the section, empty for those with a reason. */
    private static Map<String, String> listed() throws IOException {
        List<String> page = Files.readAllLines(ROOT.resolve("docs/nvmeof.md"));
        int from = page.indexOf("### Statuses");
        assertThat(from).isPositive();
        Map<String, String> all = new TreeMap<>();
        for (String line : page.subList(from + 1, page.size())) {
            if (line.startsWith("#")) {
                break;
            }
            if (!line.startsWith("| ")) {
                continue;
            }
            Matcher test = TEST.matcher(line);
            boolean tried = test.find();
            Matcher status = STATUS.matcher(tried ? line : line.substring(0, line.indexOf('|', 2)));
            while (status.find()) {
                assertThat(all.put(status.group(), tried ? test.group(1) : ""))
                        .as(status.group() + " twice")
                        .isNull();
            }
        }
        return all;
    }

    private static String source(String test) throws IOException {
        for (String module : List.of("nvme-model", "storage-systems")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module + "/src/test"))) {
                Path file = files.filter(p -> p.endsWith(test + ".java"))
                        .findFirst()
                        .orElse(null);
                if (file != null) {
                    return Files.readString(file);
                }
            }
        }
        throw new AssertionError("no test " + test);
    }

    @Test
    void eachIsTriedOrHasAReason() throws IOException {
        Map<String, String> listed = listed();
        for (NvmeStatus s : NvmeStatus.values()) {
            String number = NvmeStatus.describe(s.code()).substring(0, 4);
            assertThat(listed).as(s.text()).containsKey(number);
            String test = Objects.requireNonNull(listed.remove(number));
            if (!s.equals(NvmeStatus.SUCCESS) && !test.isEmpty()) {
                assertThat(source(test)).as(test).containsPattern("\\b" + s.name() + "\\b");
            }
        }
        assertThat(listed).as("of no name").isEmpty();
    }
}
