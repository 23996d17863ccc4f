package dev.clockwire.testkit;

import dev.clockwire.sim.Frequency;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Generators for jqwik. */
public final class SimArbitraries {
    private SimArbitraries() {}

    /** Returns seeds. */
    public static Arbitrary<Long> seeds() {
        return Arbitraries.longs();
    }

    /** Returns clock frequencies between 1 MHz and 2 GHz, most of them with a period of no whole picoseconds. */
    public static Arbitrary<Frequency> frequencies() {
        Arbitrary<Frequency> whole = Arbitraries.longs().between(1, 2000).map(Frequency::mhz);
        return Arbitraries.oneOf(
                whole, Arbitraries.of(Frequency.ofPeriodPs(102_400, 33), Frequency.ofPeriodPs(6206, 1)));
    }

    /** Returns stall patterns that let at least one cycle in sixteen pass. */
    public static Arbitrary<Stall> stalls() {
        Arbitrary<Stall> patterns =
                Arbitraries.strings().withChars('0', '1').ofMaxLength(15).map(s -> Stall.pattern(s + "1"));
        return Arbitraries.oneOf(patterns, seeds().map(s -> Stall.random(0.5, s)));
    }
}
