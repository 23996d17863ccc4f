package dev.clockwire.storage.check.monitor;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What monitors have found: the first hundred in full, all of them as a number. */
public final class Findings implements State {
    private static final int MOST_KEPT = 100;

    private final List<Finding> first = new ArrayList<>();
    private long count;

    Findings() {}

    /** Takes a finding. */
    public void report(Invariant invariant, long ps, String who, String words) {
        if (count++ < MOST_KEPT) {
            first.add(new Finding(invariant, ps, who, words));
        }
    }

    /** Returns the first hundred, in the order of time. */
    public List<Finding> list() {
        return Collections.unmodifiableList(first);
    }

    /** Returns how many there were. */
    public long count() {
        return count;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(count);
        out.putInt(first.size());
        for (Finding f : first) {
            out.putString(f.invariant().name());
            out.putLong(f.ps());
            out.putString(f.who());
            out.putString(f.words());
        }
    }

    @Override
    public void load(Snapshot in) {
        count = in.getLong();
        first.clear();
        for (int n = in.getInt(); n > 0; n--) {
            Invariant invariant = Invariant.valueOf(in.getString());
            first.add(new Finding(invariant, in.getLong(), in.getString(), in.getString()));
        }
    }
}
