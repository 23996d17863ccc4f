package dev.clockwire.storage.check.monitor;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What monitors have found: the first hundred in full, all of them as a number. */
public final class Findings implements State {
    private static final int MOST_KEPT = 100;

    private final List<Finding> first = new ArrayList<>();
    private final Set<Invariant> watched;
    private final Map<Invariant, Long> counts = new EnumMap<>(Invariant.class);

    Findings(Set<Invariant> watched) {
        this.watched = watched;
    }

    /** Takes a finding, if its invariant is watched. */
    public void report(Invariant invariant, long ps, String who, String words) {
        if (watched.contains(invariant)) {
            counts.merge(invariant, 1L, Long::sum);
            if (first.size() < MOST_KEPT) {
                first.add(new Finding(invariant, ps, who, words));
            }
        }
    }

    /** Returns the first hundred, in the order of time. */
    public List<Finding> list() {
        return Collections.unmodifiableList(first);
    }

    /** Returns how many there were. */
    public long count() {
        long all = 0;
        for (long one : counts.values()) {
            all += one;
        }
        return all;
    }

    /** Returns how many there were of an invariant. */
    public long count(Invariant invariant) {
        return counts.getOrDefault(invariant, 0L);
    }

    @Override
    public void save(Snapshot out) {
        for (Invariant invariant : Invariant.values()) {
            out.putLong(count(invariant));
        }
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
        for (Invariant invariant : Invariant.values()) {
            counts.put(invariant, in.getLong());
        }
        first.clear();
        for (int n = in.getInt(); n > 0; n--) {
            Invariant invariant = Invariant.valueOf(in.getString());
            first.add(new Finding(invariant, in.getLong(), in.getString(), in.getString()));
        }
    }
}
