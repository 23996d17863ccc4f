package dev.clockwire.testkit;

import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The laws every block keeps, checked on a small design around it: its trace does not depend on kernel mode, order of evaluation or order
 * of scheduling; idle ticks change nothing; a run that is saved, restored (also in another mode) and continued is the run; a reset, that
 * is the snapshot of time zero, starts it again; and what comes out does not depend on when its neighbours stall.
 */
public final class BlockContract {
    private final Design design;
    private final long untilPs;

    private BlockContract(Design design, long untilPs) {
        this.design = design;
        this.untilPs = untilPs;
    }

    /**
     * Returns the contract of a block.
     *
     * @param untilPs time after which everything has come out even with three cycles of four stalled
     */
    public static BlockContract of(Design design, long untilPs) {
        return new BlockContract(design, untilPs);
    }

    /** Checks all laws with stall patterns drawn from a seed. */
    public void check(long seed) {
        modes(seed);
        snapshots(seed);
        stalls(seed);
    }

    /** The trace is the same in every mode; in the checked one idle ticks are looked at. */
    public void modes(long seed) {
        long wanted = 0;
        for (Map.Entry<String, SimSpec> mode : Modes.all(seed).entrySet()) {
            Sim sim = new Sim(mode.getValue());
            design.build(sim, stall(seed));
            sim.run(untilPs);
            if (mode.getKey().equals("activity")) {
                wanted = sim.traceHash();
            }
            same(wanted, sim.traceHash(), "mode " + mode.getKey(), seed);
        }
    }

    /** Run = run half, save, restore in any mode, run the rest; and the snapshot of time zero is a reset. */
    public void snapshots(long seed) {
        snapshots(seed, 1L + RandomStream.named(seed, "half").below((int) Math.min(untilPs - 1, Integer.MAX_VALUE)));
    }

    /** The same with a run that is saved at a given time, in ps. */
    public void snapshots(long seed, long half) {
        SimSpec plain = Objects.requireNonNull(Modes.all(seed).get("activity"));
        Sim sim = new Sim(plain);
        design.build(sim, stall(seed));
        final Snapshot zero = sim.save();
        sim.run(untilPs);
        final long wanted = sim.traceHash();
        sim.restore(zero);
        sim.run(half);
        Snapshot middle = sim.save();
        for (Map.Entry<String, SimSpec> mode : Modes.all(seed).entrySet()) {
            Sim other = new Sim(mode.getValue());
            design.build(other, stall(seed));
            other.restore(middle);
            other.run(untilPs);
            same(wanted, other.traceHash(), "snapshot at " + half + " ps continued in mode " + mode.getKey(), seed);
        }
        sim.run(untilPs);
        same(wanted, sim.traceHash(), "reset, run to " + half + " ps, saved, continued", seed);
    }

    /** The result does not depend on stalls. */
    public void stalls(long seed) {
        Object wanted = result(seed, n -> Stall.none());
        for (String pattern : new String[] {"10", "1101", "0001"}) {
            sameResult(wanted, result(seed, n -> Stall.pattern(pattern)), "stall pattern " + pattern, seed);
        }
        sameResult(wanted, result(seed, stall(seed)), "random stalls", seed);
    }

    private Object result(long seed, Stalls stalls) {
        Sim sim = new Sim(Objects.requireNonNull(Modes.all(seed).get("activity")));
        Supplier<?> result = design.build(sim, stalls);
        sim.run(untilPs);
        return result.get();
    }

    private static Stalls stall(long seed) {
        return name -> {
            RandomStream r = RandomStream.named(seed, name);
            return Stall.random(r.below(3) * 0.3, r.nextLong());
        };
    }

    private static void same(long wanted, long got, String what, long seed) {
        if (wanted != got) {
            throw new AssertionError(
                    String.format("%s: trace hash %016x, expected %016x (seed %d)", what, got, wanted, seed));
        }
    }

    private static void sameResult(Object wanted, Object got, String what, long seed) {
        if (!wanted.equals(got)) {
            throw new AssertionError(what + ": result " + got + ", expected " + wanted + " (seed " + seed + ")");
        }
    }

    /** Builds the block and drivers around it. */
    @FunctionalInterface
    public interface Design {
        /**
         * Builds below the root of an empty simulation, always the same.
         *
         * @param stalls stall patterns for the drivers, by name
         * @return what came out, to be asked after the run: independent of stalls, comparable with equals
         */
        Supplier<?> build(Sim sim, Stalls stalls);
    }

    /** Gives each driver its stall pattern. */
    @FunctionalInterface
    public interface Stalls {
        /** Returns the pattern of a driver. */
        Stall of(String name);
    }
}
