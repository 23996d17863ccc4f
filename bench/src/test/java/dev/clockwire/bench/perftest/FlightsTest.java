package dev.clockwire.bench.perftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class FlightsTest {
    @Test
    void oneAtATimeIsOneInFlight() {
        Flights f = new Flights(0);
        for (int i = 0; i < 100; i++) {
            f.add(i * 10L, i * 10L + 10, 0);
        }
        assertThat(f.inFlightAverage()).isCloseTo(1, within(1e-12));
        assertThat(f.spanPs()).isEqualTo(1000);
    }

    @Test
    void gapsAndOverlapsCountByTheirTime() {
        Flights f = new Flights(4);
        f.add(100, 200, 0);
        f.add(100, 300, 0);
        f.add(450, 500, 0);
        assertThat(f.inFlightAverage()).isCloseTo((100 + 200 + 50) / 400.0, within(1e-12));
        assertThat(f.firstPs()).isEqualTo(100);
        assertThat(f.latencies()).containsExactly(100, 200, 50);
    }

    @Test
    void completionsMayBeRecordedInAnyOrder() {
        Flights f = new Flights(4);
        f.add(0, 90, 0);
        f.add(10, 40, 0);
        assertThat(f.spanPs()).isEqualTo(90);
        assertThat(f.inFlightAverage()).isCloseTo((90 + 30) / 90.0, within(1e-12));
    }

    @Test
    void thePeakIsTheBestStretch() {
        Flights f = new Flights(4);
        f.add(0, 100, 0);
        f.add(100, 150, 0);
        f.add(150, 200, 0);
        f.add(200, 400, 0);
        assertThat(f.peakRate()).isCloseTo(1e12 / 50, within(1e-3));
    }

    @Test
    void nothingHasNoFigures() {
        Flights f = new Flights(4);
        assertThat(f.inFlightAverage()).isZero();
        assertThat(f.spanPs()).isZero();
        assertThat(f.peakRate()).isZero();
    }

    @Test
    void aLongRunHasNoPeak() {
        Flights f = new Flights(4);
        for (int i = 0; i <= Flights.LARGEST_PEAK_SEARCH; i++) {
            f.add(i, i + 1, 0);
        }
        assertThat(f.peakRate()).isZero();
    }
}
