package dev.clockwire.sim;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * Parameters of a simulation.
 *
 * @param seed root of all random streams
 * @param mode what the kernel evaluates
 * @param loop how it calls modules
 * @param fullHash whether every channel is an observation point of the trace hash
 * @param wheelBits slots of a level of the timing wheel as a power of two, 2 to 16; results do not depend on it
 * @param watchdogPs simulated time without any progress after which a run is stopped, 0 for never
 * @param shuffleEvaluation seed of a random order of modules and clocks inside an instant, 0 for none; for tests
 * @param shuffleScheduling seed of a random order in which the events sent in one instant are inserted, 0 for none; for tests
 * @param checked whether each idle tick is checked to have changed nothing and each cycle argument to be the clock's; for tests
 */
public record SimSpec(
        long seed,
        KernelMode mode,
        LoopKind loop,
        boolean fullHash,
        int wheelBits,
        long watchdogPs,
        long shuffleEvaluation,
        long shuffleScheduling,
        boolean checked) {
    /** Simulated time without progress that stops a run unless the user says otherwise: 100 ms. */
    public static final long WATCHDOG_PS = 100_000_000_000L;

    /** Checks the ranges. */
    public SimSpec {
        if (wheelBits < 2 || wheelBits > 16) {
            throw new ConfigurationException("wheelBits " + wheelBits + " is not in 2..16");
        }
        if (watchdogPs < 0) {
            throw new ConfigurationException("watchdogPs " + watchdogPs + " is negative");
        }
    }

    /** Returns the default parameters with a root seed. */
    public static SimSpec of(long seed) {
        return new SimSpec(seed, KernelMode.ACTIVITY, LoopKind.AUTO, false, 14, WATCHDOG_PS, 0, 0, false);
    }

    /** Returns a copy with another mode. */
    public SimSpec withMode(KernelMode x) {
        return new SimSpec(
                seed, x, loop, fullHash, wheelBits, watchdogPs, shuffleEvaluation, shuffleScheduling, checked);
    }

    /** Returns a copy with another way of calling modules. */
    public SimSpec withLoop(LoopKind x) {
        return new SimSpec(
                seed, mode, x, fullHash, wheelBits, watchdogPs, shuffleEvaluation, shuffleScheduling, checked);
    }

    /** Returns a copy in which every channel is an observation point, or only the probes are. */
    public SimSpec withFullHash(boolean x) {
        return new SimSpec(seed, mode, loop, x, wheelBits, watchdogPs, shuffleEvaluation, shuffleScheduling, checked);
    }

    /** Returns a copy with another size of the wheel's levels. */
    public SimSpec withWheelBits(int x) {
        return new SimSpec(seed, mode, loop, fullHash, x, watchdogPs, shuffleEvaluation, shuffleScheduling, checked);
    }

    /** Returns a copy with another patience. */
    public SimSpec withWatchdogPs(long x) {
        return new SimSpec(seed, mode, loop, fullHash, wheelBits, x, shuffleEvaluation, shuffleScheduling, checked);
    }

    /** Returns a copy with a random order of evaluation and of insertion, 0 for none. */
    public SimSpec withShuffle(long evaluation, long scheduling) {
        return new SimSpec(seed, mode, loop, fullHash, wheelBits, watchdogPs, evaluation, scheduling, checked);
    }

    /** Returns a copy with or without the checks of idle ticks and cycle arguments. */
    public SimSpec withChecked(boolean x) {
        return new SimSpec(seed, mode, loop, fullHash, wheelBits, watchdogPs, shuffleEvaluation, shuffleScheduling, x);
    }

    /** Whether edges take the slow way through the kernel, in which every tick is looked at. */
    boolean careful() {
        return mode == KernelMode.EXHAUSTIVE || shuffleEvaluation != 0 || checked;
    }
}
