package dev.clockwire.bench.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void numbersStandRightAndWordsLeft() {
        TextTable table = new TextTable("name", "value").row("a", "5").row("longer", "12.5");
        assertThat(table.lines()).containsExactly("name    value", "a           5", "longer   12.5");
    }

    @Test
    void oneWordMakesTheColumnLeft() {
        TextTable table = new TextTable("value", "x").row("12", "").row("mps", "y");
        assertThat(table.lines()).containsExactly("value  x", "12", "mps    y");
    }

    @Test
    void aRowHasACellForEachHeading() {
        TextTable table = new TextTable("a", "b");
        assertThatThrownBy(() -> table.row("x")).isInstanceOf(IllegalArgumentException.class);
    }
}
