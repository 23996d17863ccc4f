package dev.clockwire.sim.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the end of an error line says of a wrong name. */
class NearestTest {
    private static final List<String> PATHS =
            List.of("nic.cache.ways", "nic.cache.misses", "nic.core_mhz", "pcie.lanes", "pcie.mps");

    @ParameterizedTest
    @CsvSource({
        "pcie.lane, pcie.lanes",
        "PCIE.LANES, pcie.lanes",
        "pcei.mps, pcie.mps",
        "nic.cache.wais, nic.cache.ways"
    })
    void aNameOfWhichAThirdAtMostIsWrongIsMeant(String typed, String meant) {
        assertThat(Nearest.hint(typed, PATHS)).isEqualTo("; did you mean " + meant + "?");
    }

    @Test
    void aNameThatIsLikeNoneBringsItsGroup() {
        assertThat(Nearest.hint("nic.cache.replacement", PATHS))
                .isEqualTo("; known are nic.cache.ways, nic.cache.misses");
        assertThat(Nearest.hint("nic.bluebird.colour", PATHS)).isEqualTo("; known are nic.cache.*, nic.core_mhz");
        assertThat(Nearest.hint("foo", PATHS)).isEqualTo("; known are nic.*, pcie.*");
        assertThat(Nearest.hint("foo", List.of("drop", "delay"))).isEqualTo("; known are drop, delay");
    }

    @Test
    void nothingIsSaidWhereALineWouldNotHoldIt() {
        List<String> many = IntStream.range(0, 21).mapToObj(i -> "option" + i).toList();

        assertThat(Nearest.hint("foo", many)).isEmpty();
        assertThat(Nearest.hint("foo", List.of())).isEmpty();
    }

    @Test
    void numbersHaveNoExponent() {
        assertThat(Plain.text(1e-4)).isEqualTo("0.0001");
        assertThat(Plain.text(6.4e7)).isEqualTo("64000000");
        assertThat(Plain.text(2.50)).isEqualTo("2.5");
        assertThat(Plain.text(0)).isEqualTo("0");
        assertThat(Plain.text(Double.NaN)).isEqualTo("NaN");
    }
}
