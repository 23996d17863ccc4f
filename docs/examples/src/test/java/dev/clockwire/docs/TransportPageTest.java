package dev.clockwire.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every rule of the transport, and every public fault, has a test that exists. */
class TransportPageTest {
    private static final Pattern ROW = Pattern.compile("^\\| (\\d+\\.\\d+[a-z]?|\\d+|[a-d]) \\|.*$", Pattern.MULTILINE);
    private static final Pattern TEST = Pattern.compile("\\[(\\w+)\\.(\\w+)]\\(([^)]+/src/test/java/[^)]+)\\)");
    private static final Pattern CLASS = Pattern.compile("\\[(\\w+)]\\([^)]+/src/main/java/[^)]+/(\\w+)\\.java\\)");
    private static final Pattern ANNOTATION = Pattern.compile("@(Test|Property|Example|ParameterizedTest)\\b");

    private static final String PAGE = Page.read(Page.DOCS.resolve("transport.md"));

    private static List<String> rows() {
        List<String> rows = new ArrayList<>();
        Matcher m = ROW.matcher(PAGE);
        while (m.find()) {
            rows.add(m.group());
        }
        return rows;
    }

    @Test
    void everyRowHasATest() {
        List<String> rows = rows();
        assertThat(rows).hasSizeGreaterThan(90);
        assertThat(rows)
                .allSatisfy(row -> assertThat(TEST.matcher(row).find()).as(row).isTrue());
    }

    @Test
    void everyTestExists() {
        List<String> missing = new ArrayList<>();
        int seen = 0;
        Matcher m = TEST.matcher(PAGE);
        while (m.find()) {
            seen++;
            if (!isTest(Page.DOCS.resolve(m.group(3)), m.group(1), m.group(2))) {
                missing.add(m.group(1) + "." + m.group(2));
            }
        }
        assertThat(missing).isEmpty();
        assertThat(seen).isGreaterThan(150);
    }

    private static boolean isTest(Path file, String type, String method) {
        if (!Files.exists(file) || !file.getFileName().toString().equals(type + ".java")) {
            return false;
        }
        String text = Page.read(file);
        int at = text.indexOf("void " + method + "(");
        int endOfTheOneBefore = text.lastIndexOf("\n    }\n", at);
        return at >= 0
                && ANNOTATION
                        .matcher(text.substring(Math.max(0, endOfTheOneBefore), at))
                        .find();
    }

    @Test
    void everyClassIsTheOneThatIsNamed() {
        Matcher m = CLASS.matcher(PAGE);
        while (m.find()) {
            assertThat(m.group(2)).isEqualTo(m.group(1));
        }
    }
}
