package dev.clockwire.roce.fabric.bridge;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** Decides which frames of a queue are marked. A draw is made only where chance decides. */
final class Marker implements State {
    /** Binary places of the average. */
    private static final int PLACES = 15;

    private final MarkSpec spec;
    private final RandomStream random;
    private final double slope;
    private long average;

    Marker(MarkSpec spec, RandomStream random) {
        this.spec = spec;
        this.random = random;
        slope = spec.kmax() == spec.kmin() ? 0 : spec.pmax() / (spec.kmax() - spec.kmin());
    }

    boolean atEnqueue() {
        return spec.atEnqueue();
    }

    /** Whether a frame that meets a queue of some bytes is to be marked. */
    boolean marks(long queued) {
        long q = queued;
        if (spec.averageLog2() > 0) {
            average += ((queued << PLACES) - average) >> spec.averageLog2();
            q = average >> PLACES;
        }
        if (q <= spec.kmin()) {
            return false;
        }
        return q > spec.kmax() || random.chance((q - spec.kmin()) * slope);
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(average);
    }

    @Override
    public void load(Snapshot in) {
        average = in.getLong();
    }
}
