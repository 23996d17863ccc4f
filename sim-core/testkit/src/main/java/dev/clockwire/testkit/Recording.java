package dev.clockwire.testkit;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.List;

/** What a sink has seen: cycle and value. */
final class Recording implements State {
    private final List<Long> cycles = new ArrayList<>();
    private final List<Long> values = new ArrayList<>();

    void add(long cycle, long value) {
        cycles.add(cycle);
        values.add(value);
    }

    int size() {
        return values.size();
    }

    List<Long> cycles() {
        return List.copyOf(cycles);
    }

    List<Long> values() {
        return List.copyOf(values);
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(cycles.size());
        cycles.forEach(out::putLong);
        values.forEach(out::putLong);
    }

    @Override
    public void load(Snapshot in) {
        int n = in.getInt();
        cycles.clear();
        values.clear();
        for (int i = 0; i < n; i++) {
            cycles.add(in.getLong());
        }
        for (int i = 0; i < n; i++) {
            values.add(in.getLong());
        }
    }
}
