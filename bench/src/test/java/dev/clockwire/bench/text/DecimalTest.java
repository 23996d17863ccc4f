package dev.clockwire.bench.text;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTest {
    @ParameterizedTest
    @CsvSource({"5,5", "-0.5,-0.5", "+1e3,1000", ".25,0.25", "7.,7", "' 3 ',3", "1E-3,0.001"})
    void asPeopleWriteThem(String text, double value) {
        assertThat(Decimal.of(text)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "1d",
                "1f",
                "0x1p3",
                "0x10",
                "NaN",
                "Infinity",
                "-Infinity",
                "1e999",
                "1,5",
                "1_000",
                "\u0663",
                "5 5"
            })
    void whatOnlyJavaTakesIsNone(String text) {
        assertThatThrownBy(() -> Decimal.of(text)).isInstanceOf(NumberFormatException.class);
    }

    @Test
    void longDigitsTakeNoTime() {
        String digits = "1".repeat(1_000_000) + "x";
        assertTimeoutPreemptively(
                ofSeconds(5),
                () -> assertThatThrownBy(() -> Decimal.of(digits)).isInstanceOf(NumberFormatException.class));
    }
}
