package dev.clockwire.bench.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountTest {
    @Test
    void oneOfAThingIsNoPlural() {
        assertThat(Count.of(0, "line")).isEqualTo("0 lines");
        assertThat(Count.of(1, "line")).isEqualTo("1 line");
        assertThat(Count.of(2, "known deviation")).isEqualTo("2 known deviations");
    }
}
