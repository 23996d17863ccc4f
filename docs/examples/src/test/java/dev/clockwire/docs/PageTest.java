package dev.clockwire.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A page that says something else than the code fails the build, with the line; only writing was asked for it is written. */
class PageTest {
    private static final String TEXT = "a\n<!-- generated: x -->\n\nold\n<!-- end -->\nz\n";

    @TempDir
    Path folder;

    private Page page() throws IOException {
        Path file = Files.writeString(folder.resolve("page.md"), TEXT);
        return new Page(file);
    }

    @Test
    void aPageThatAgreesIsLeftAlone() throws IOException {
        Page page = page();
        page.section("x", "old");
        page.assertAgrees();
        assertThat(folder.resolve("page.md")).hasContent(TEXT);
    }

    @Test
    void aPageThatDoesNotAgreeFailsWithTheFirstDifference() throws IOException {
        Page page = page();
        page.section("x", "new");
        if (Page.writes()) {
            page.assertAgrees();
            assertThat(folder.resolve("page.md")).hasContent(TEXT.replace("old", "new"));
            return;
        }
        assertThatThrownBy(page::assertAgrees)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("first difference in line 4")
                .hasMessageContaining("page: old")
                .hasMessageContaining("code: new");
        assertThat(folder.resolve("page.md")).hasContent(TEXT);
    }

    @Test
    void aSectionThatIsNotThereIsNamed() throws IOException {
        Page page = page();
        assertThatThrownBy(() -> page.section("y", "new")).hasMessageContaining("has no section 'y'");
    }
}
