package dev.clockwire.nic.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What texts each kind of parameter takes, at the ends of its range. */
class ParamTest {
    private final Param COUNT = Param.integer("a.count", "B", -5, 100, "A count");
    private final Param TIME = Param.number("a.time", "ns", 0, 10, "A time");
    private final Param SHARE = Param.number("a.share", "", 0, 1e-3, "A share");
    private final Param ON = Param.flag("a.on", "A switch");
    private final Param WORD = Param.choice("a.word", "", "A word", "one", "two");

    @ParameterizedTest
    @CsvSource({"0,0", "-5,-5", "100,100", "+7,7", "1e2,100", "5.0,5", "007,7", "1E1,10", "10e-1,1"})
    void wholeNumbers(String text, String canonical) {
        assertThat(COUNT.check(" " + text + " ")).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-6", "101", "1.5", "", "x", "1d", "0x10", "1e", "1e400", "NaN", "Infinity", "- 1", "1 2", "1_0"
            })
    void noWholeNumbers(String text) {
        assertThatThrownBy(() -> COUNT.check(text))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("a.count=" + text.strip() + ": allowed is a whole number from -5 to 100 B");
    }

    /** A picosecond is the grain of time: a text finer than that would be rounded in silence. */
    @ParameterizedTest
    @CsvSource({
        "0,true",
        "10,true",
        "0.001,true",
        "9.999,true",
        "3.14,true",
        "0.0001,false",
        "1.0005,false",
        "10.001,false",
        "-0.001,false"
    })
    void timesAreWholePicoseconds(String text, boolean good) {
        if (good) {
            assertThat(TIME.check(text)).isEqualTo(text);
        } else {
            assertThatThrownBy(() -> TIME.check(text))
                    .hasMessageContaining("a number from 0 to 10 ns in steps of 0.001");
        }
    }

    @Test
    void numbersWithoutAUnitHaveNoSteps() {
        assertThat(SHARE.check("0.00000001")).isEqualTo("0.00000001");
        assertThat(SHARE.check("1e-3")).isEqualTo("1e-3");
        assertThatThrownBy(() -> SHARE.check("0.0011"))
                .hasMessage("a.share=0.0011: allowed is a number from 0 to 0.001");
        assertThat(Param.number("a", "", 0, 1e16, "x").allowed()).isEqualTo("a number from 0 to 10000000000000000");
        assertThat(Param.number("a", "", 0, 1e14, "x").allowed()).isEqualTo("a number from 0 to 100000000000000");
    }

    @Test
    void wordsAreThoseOfTheList() {
        assertThat(ON.check(" true")).isEqualTo("true");
        assertThat(ON.check("false")).isEqualTo("false");
        assertThat(WORD.check("two ")).isEqualTo("two");
        assertThatThrownBy(() -> ON.check("yes")).hasMessage("a.on=yes: allowed is true, false");
        assertThatThrownBy(() -> WORD.check("One")).hasMessage("a.word=One: allowed is one, two");
    }

    @Test
    void eachKindIsItsOwn() {
        assertThat(COUNT.kind()).isEqualTo(Param.Kind.INTEGER);
        assertThat(TIME.kind()).isEqualTo(Param.Kind.NUMBER);
        assertThat(ON.kind()).isEqualTo(Param.Kind.SWITCH);
        assertThat(WORD.kind()).isEqualTo(Param.Kind.CHOICE);
        assertThat(Parameters.byPath("link.mtu").choices()).containsExactly("256", "512", "1024", "2048", "4096");
        assertThatThrownBy(() -> Parameters.byPath("link.mtv")).hasMessageContaining("link.mtu");
    }
}
