package dev.clockwire.testkit;

import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultDirection;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

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

    /**
     * Returns plans of up to four faults of single frames: lost, damaged, twice, out of order or late; by chance, at certain frames of
     * the first hundred of a direction. The most that is lost by chance is one frame in ten, so a reliable service gets through.
     */
    public static Arbitrary<FaultPlan> faultPlans() {
        return faultRules().list().ofMaxSize(4).map(FaultPlan::new);
    }

    private static Arbitrary<FaultRule> faultRules() {
        Arbitrary<FaultAction> actions = Arbitraries.of(
                new FaultAction.Drop(),
                new FaultAction.Corrupt(FaultAction.Corrupt.ANY_BIT),
                new FaultAction.Duplicate(),
                new FaultAction.Reorder(),
                new FaultAction.Delay());
        Arbitrary<FaultTrigger> byChance =
                Arbitraries.doubles().between(0, 0.1).ofScale(4).map(FaultTrigger.Probability::new);
        Arbitrary<FaultTrigger> atFrames = Arbitraries.longs()
                .between(1, 100)
                .set()
                .ofMinSize(1)
                .ofMaxSize(5)
                .map(numbers ->
                        new FaultTrigger.Frames(numbers.stream().sorted().toList()));
        Arbitrary<Long> delays = Arbitraries.longs().between(0, 20_000_000);
        return Combinators.combine(actions, Arbitraries.oneOf(byChance, atFrames), directions(), delays)
                .as((action, trigger, direction, ps) -> {
                    FaultRule rule = FaultRule.of(action, trigger).in(direction);
                    boolean takesTime = action instanceof FaultAction.Reorder || action instanceof FaultAction.Delay;
                    return takesTime ? rule.lasting(ps) : rule;
                });
    }

    private static Arbitrary<FaultDirection> directions() {
        return Arbitraries.of(FaultDirection.values());
    }
}
