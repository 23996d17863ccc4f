package dev.clockwire.roce.soft;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.stats.StatRegistry;

/** The counters of one device. */
@SuppressWarnings("EnumOrdinal") // an index into an array that lives no longer than the program
final class SoftCounters implements State {
    private static final SoftCounter[] ALL = SoftCounter.values();

    private final long[] values = new long[ALL.length];

    void add(SoftCounter counter) {
        values[counter.ordinal()]++;
    }

    long get(SoftCounter counter) {
        return values[counter.ordinal()];
    }

    void register(StatRegistry stats, String path) {
        for (SoftCounter counter : ALL) {
            stats.reading(path + "." + counter.title(), "events", counter.description(), () -> get(counter));
        }
    }

    @Override
    public void save(Snapshot out) {
        out.putLongs(values);
    }

    @Override
    public void load(Snapshot in) {
        in.getLongs(values);
    }
}
