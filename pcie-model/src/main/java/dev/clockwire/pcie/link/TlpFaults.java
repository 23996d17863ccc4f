package dev.clockwire.pcie.link;

import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The faults of the packets that one end receives, and how many of each type have come. */
final class TlpFaults implements State {
    private final List<TlpFault> faults = new ArrayList<>();
    private final long[] seen;
    private final long[] struck;

    /** Creates the faults of an end; {@code upstream} if it is the root port. */
    TlpFaults(List<TlpFault> all, boolean upstream) {
        for (TlpFault f : all) {
            if (f.upstream() == upstream) {
                faults.add(f);
            }
        }
        seen = new long[faults.size()];
        struck = new long[faults.size()];
    }

    /** Counts a packet that has come, and returns what happens to it. */
    @Nullable
    TlpFault strikes(TlpType type) {
        TlpFault hit = null;
        for (int i = 0; i < seen.length; i++) {
            TlpFault f = faults.get(i);
            if (f.type() == type && ++seen[i] == f.number() && hit == null) {
                hit = f;
                struck[i]++;
            }
        }
        return hit;
    }

    /** Returns how often a fault has struck. */
    long struck(TlpFault fault) {
        int i = faults.indexOf(fault);
        return i < 0 ? 0 : struck[i];
    }

    @Override
    public void save(Snapshot out) {
        out.putLongs(seen);
        out.putLongs(struck);
    }

    @Override
    public void load(Snapshot in) {
        in.getLongs(seen);
        in.getLongs(struck);
    }
}
