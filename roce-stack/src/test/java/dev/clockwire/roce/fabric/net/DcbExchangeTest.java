package dev.clockwire.roce.fabric.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.fabric.net.DcbExchange.Difference;
import dev.clockwire.roce.wire.AppPriority;
import dev.clockwire.roce.wire.DcbSettings;
import dev.clockwire.roce.wire.EtsSettings;
import dev.clockwire.roce.wire.PfcSettings;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The outcome of an exchange by the standard's two state machines. */
class DcbExchangeTest {
    private static final long LOW = 0x0200_0000_0001L;
    private static final long HIGH = 0xFE00_0000_0001L;
    private static final List<Integer> HALF = List.of(50, 0, 0, 50, 0, 0, 0, 0);
    private static final List<Integer> ALL = List.of(100, 0, 0, 0, 0, 0, 0, 0);

    private static DcbSettings pfc(boolean willing, int enabled) {
        return new DcbSettings(null, null, new PfcSettings(willing, false, 0, enabled), List.of());
    }

    private static EtsSettings ets(boolean willing, List<Integer> shares) {
        return new EtsSettings(
                willing, false, 8, List.of(0, 1, 2, 3, 4, 5, 6, 7), shares, List.of(2, 2, 2, 2, 2, 2, 0, 0));
    }

    /** Priorities 3 at the low address, 4 at the high one: who is willing, and what both work with. */
    @ParameterizedTest
    @CsvSource({"false, false, 8, 16", "true, false, 16, 16", "false, true, 8, 8", "true, true, 8, 8"})
    void aWillingPortTakesOverWhatTheOtherDoes(boolean low, boolean high, int atLow, int atHigh) {
        DcbSettings a = pfc(low, 1 << 3);
        DcbSettings b = pfc(high, 1 << 4);
        assertThat(Objects.requireNonNull(DcbExchange.pfc(a, LOW, b, HIGH)).enabled())
                .isEqualTo(atLow);
        assertThat(Objects.requireNonNull(DcbExchange.pfc(b, HIGH, a, LOW)).enabled())
                .isEqualTo(atHigh);
        assertThat(DcbExchange.differences(a, LOW, b, HIGH))
                .isEqualTo(atLow == atHigh ? List.of() : List.of(Difference.PFC_PRIORITIES));
    }

    @Test
    void sharesAreThoseThatTheFarEndRecommends() {
        DcbSettings host = new DcbSettings(ets(true, ALL), null, null, List.of());
        DcbSettings bridge = new DcbSettings(ets(false, HALF), ets(false, HALF), null, List.of());
        assertThat(Objects.requireNonNull(DcbExchange.ets(host, bridge)).shares())
                .isEqualTo(HALF);
        assertThat(DcbExchange.differences(host, LOW, bridge, HIGH)).isEmpty();
        DcbSettings mute = new DcbSettings(ets(false, HALF), null, null, List.of());
        assertThat(Objects.requireNonNull(DcbExchange.ets(host, mute)).shares())
                .as("what the far end does is no recommendation")
                .isEqualTo(ALL);
        assertThat(DcbExchange.differences(host, LOW, mute, HIGH)).containsExactly(Difference.SHARES);
    }

    @Test
    void whoSaysNothingChangesNothing() {
        DcbSettings host = pfc(true, 1 << 3);
        assertThat(Objects.requireNonNull(DcbExchange.pfc(host, LOW, DcbSettings.SILENT, HIGH))
                        .enabled())
                .isEqualTo(1 << 3);
        assertThat(DcbExchange.pfc(DcbSettings.SILENT, HIGH, host, LOW)).isNull();
        assertThat(DcbExchange.differences(host, LOW, DcbSettings.SILENT, HIGH)).containsExactly(Difference.PFC_SILENT);
        assertThat(DcbExchange.differences(DcbSettings.SILENT, LOW, DcbSettings.SILENT, HIGH))
                .isEmpty();
    }

    @Test
    void capacityAndApplicationsAreCompared() {
        DcbSettings narrow = new DcbSettings(
                null,
                null,
                new PfcSettings(true, false, 1, 0),
                List.of(AppPriority.roce(3), new AppPriority(6, 5, 48)));
        DcbSettings wide = new DcbSettings(
                null,
                null,
                new PfcSettings(false, false, 8, 3 << 3),
                List.of(AppPriority.roce(4), new AppPriority(6, 5, 48)));
        assertThat(DcbExchange.differences(narrow, LOW, wide, HIGH))
                .containsExactly(Difference.PFC_CAPACITY, Difference.APPLICATION);
    }
}
