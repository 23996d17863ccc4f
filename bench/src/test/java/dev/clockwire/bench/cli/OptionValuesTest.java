package dev.clockwire.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class OptionValuesTest {
    @ParameterizedTest
    @CsvSource({
        "1, 1000",
        "1ps, 1",
        "12.5us, 12500000",
        "300ns, 300000",
        "2s, 2000000000000",
        "0.001ns, 1",
        "1.0000ms, 1000000000"
    })
    void timesHaveUnits(String text, long ps) {
        assertThat(TimeText.toPs(text)).isEqualTo(ps);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ns", "-1ns", "1 ns", "1h", "0.5ps", "9223373s", "1e3", "1.ns"})
    void otherTextsAreNotTimes(String text) {
        assertThatThrownBy(() -> TimeText.toPs(text))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @CsvSource({
        "nic, nic, 0, 9223372036854775807",
        "host0.nic@1us..2us, host0.nic, 1000000, 2000000",
        "@..2us, '', 0, 2000000",
        "nic@3.., nic, 3000, 9223372036854775807"
    })
    void wavesHaveAScopeAndAWindow(String text, String scope, long from, long to) {
        assertThat(new Waves.Converter().convert(text)).isEqualTo(new Waves(scope, from, to));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nic@", "nic@5", "nic@2us..1us", "nic@1..1", "nic@a..b"})
    void otherWavesAreRefused(String text) {
        assertThatThrownBy(() -> new Waves.Converter().convert(text)).isInstanceOf(CliException.class);
    }

    @Test
    void commonOptionsHaveTheirDefaults() {
        RunOptions options = CommandLine.populateCommand(new RunOptions());
        assertThat(options.profile()).isEqualTo("cx7-400g");
        assertThat(options.seed()).isEqualTo(1);
        assertThat(options.overrides()).isEmpty();
        assertThat(options.out()).isEmpty();
        assertThat(options.waves()).isEmpty();
        assertThat(options.json()).isFalse();
    }

    @Test
    void wavesNeedNoScope() {
        assertThat(CommandLine.populateCommand(new RunOptions(), "--waves", "--json")
                        .waves())
                .contains(new Waves("", 0, Long.MAX_VALUE));
    }

    @Test
    void overridesKeepTheirOrderAndTheirEqualsSigns() {
        assertThat(CommandLine.populateCommand(new RunOptions(), "-P", "a.b=1", "-Pa.b=x=y")
                        .overrides())
                .containsExactly(new ProfileOverride("a.b", "1"), new ProfileOverride("a.b", "x=y"));
    }
}
