package dev.clockwire.roce.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.random.RandomStream;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VendorReactionPointTest {
    @ParameterizedTest
    @ValueSource(strings = {"rp_vendor_fixed_4cnps_100g.csv", "rp_vendor_fixed_cnp_every50us_100g.csv"})
    void goldenFiles(String file) {
        VendorDcqcnSpec spec = VendorDcqcnSpec.defaults(100_000);
        VendorReactionPoint point = new VendorReactionPoint(spec);
        for (String[] row : Golden.rows(file)) {
            long us = Long.parseLong(row[0]);
            point.settle(us);
            if (row[1].contains("CNP")) {
                point.notification(us);
            }
            int stage = Math.min(Integer.parseInt(row[5]), spec.rpgThreshold() + 1);
            assertThat(List.of(point.alpha(), point.current(), point.target(), point.stage()))
                    .as("us %d", us)
                    .containsExactly(
                            Integer.parseInt(row[2]), Integer.parseInt(row[3]), Integer.parseInt(row[4]), stage);
        }
    }

    @Test
    void alphaFallsInAStaircaseToZero() {
        VendorReactionPoint point = new VendorReactionPoint(VendorDcqcnSpec.defaults(100_000));
        point.notification(0);
        point.settle(465);
        assertThat(point.alpha()).isEqualTo(1);
        point.settle(466);
        assertThat(point.alpha()).isZero();
    }

    /** Skipping the microseconds in which nothing can change is the same as evaluating each. */
    @Property(tries = 200)
    void skippingIsInvisible(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 50) int period,
            @ForAll @IntRange(min = 1, max = 400) int reset,
            @ForAll boolean clamp) {
        VendorDcqcnSpec spec =
                new VendorDcqcnSpec(100_000, 900, 1023, 11, 50, 1, period, reset, 3, 5, 50, clamp, !clamp);
        VendorReactionPoint each = new VendorReactionPoint(spec);
        VendorReactionPoint lazy = new VendorReactionPoint(spec);
        RandomStream random = new RandomStream(seed);
        for (int us = 0; us < 6_000; us++) {
            each.settle(us);
            if (random.chance(0.002)) {
                each.notification(us);
                lazy.notification(us);
                assertThat(List.of(lazy.alpha(), lazy.current(), lazy.target(), lazy.stage()))
                        .containsExactly(each.alpha(), each.current(), each.target(), each.stage());
            }
        }
        lazy.settle(5_999);
        assertThat(List.of(lazy.alpha(), lazy.current(), lazy.target(), lazy.stage()))
                .containsExactly(each.alpha(), each.current(), each.target(), each.stage());
    }

    @Test
    void rangesAreChecked() {
        assertThatThrownBy(() -> VendorDcqcnSpec.defaults(0)).hasMessage("line rate in Mbit/s 0 is not in 1..8388607");
        VendorReactionPoint point = new VendorReactionPoint(VendorDcqcnSpec.defaults(100_000));
        point.settle(7);
        assertThatThrownBy(() -> point.settle(6)).hasMessageContaining("microsecond 6 after 7");
    }
}
