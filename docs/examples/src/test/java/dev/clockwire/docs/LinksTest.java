package dev.clockwire.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

    @Test
    void everyLinkLeadsSomewhere() {
        List<String> broken = new ArrayList<>();
        for (Path page : Page.all()) {
            Matcher m = LINK.matcher(Page.read(page).replaceAll("(?s)```.*?```", ""));
            while (m.find()) {
                String link = m.group(1);
                if (!link.contains("://") && !leads(page, link)) {
                    broken.add(page.normalize() + " -> " + link);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    private static boolean leads(Path page, String link) {
        int hash = link.indexOf('#');
        String name = hash < 0 ? link : link.substring(0, hash);
        Path target =
                name.isEmpty() ? page : Objects.requireNonNull(page.getParent()).resolve(name);
        if (!Files.exists(target)) {
            return false;
        }
        return hash < 0 || anchors(target).contains(link.substring(hash + 1));
    }

    /** Returns the anchors that GitHub gives to headings. */
    private static List<String> anchors(Path page) {
        return Page.read(page)
                .lines()
                .filter(l -> l.startsWith("#"))
                .map(l -> l.replaceFirst("^#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{Alnum} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    @Test
    void theIndexNamesEveryPage() {
        List<String> missing = new ArrayList<>();
        for (Path page : Page.all()) {
            Path index = Objects.requireNonNull(page.getParent()).resolve("README.md");
            boolean listed = page.equals(index) || !page.startsWith(Page.DOCS);
            String name = page.getFileName().toString();
            if (!listed && !Page.read(index).contains("(" + name + ")")) {
                missing.add(page.normalize().toString());
            }
        }
        assertThat(missing)
                .as("pages that the README.md of their folder does not link")
                .isEmpty();
    }
}
