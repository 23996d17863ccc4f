package dev.clockwire.storage.check.monitor;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A version of a chain: its nodes in order, and what each may do. */
public final class ChainTable {
    private final long version;
    private final List<Integer> nodes;
    private final List<TargetState> states;
    private final int[] serving;

    ChainTable(long version, List<Integer> nodes, List<TargetState> states) {
        if (nodes.size() != states.size()) {
            throw new ConfigurationException("chain version " + version + ": " + nodes.size() + " nodes and "
                    + states.size() + " states; there must be one for each");
        }
        this.version = version;
        this.nodes = List.copyOf(nodes);
        this.states = List.copyOf(states);
        serving = new int[count(TargetState.SERVING)];
        int n = 0;
        for (int i = 0; i < nodes.size(); i++) {
            if (states.get(i) == TargetState.SERVING) {
                serving[n++] = nodes.get(i);
            }
        }
    }

    /** Returns the version of the chain. */
    public long version() {
        return version;
    }

    /** Returns how many nodes serve. */
    public int servingCount() {
        return serving.length;
    }

    /** Returns the node that serves at a place, 0 = head. */
    public int serving(int place) {
        return serving[place];
    }

    /** Returns the place of a node among those that serve, -1 if it does not. */
    public int placeOf(int node) {
        for (int i = 0; i < serving.length; i++) {
            if (serving[i] == node) {
                return i;
            }
        }
        return -1;
    }

    /** Returns what a node may do, null if it is not of the chain. */
    public @Nullable TargetState stateOf(int node) {
        int i = nodes.indexOf(node);
        return i < 0 ? null : states.get(i);
    }

    /** Returns how many nodes are in a state. */
    public int count(TargetState state) {
        int n = 0;
        for (TargetState s : states) {
            n += s == state ? 1 : 0;
        }
        return n;
    }

    void save(Snapshot out) {
        out.putLong(version);
        out.putInt(nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            out.putInt(nodes.get(i));
            out.putString(states.get(i).name());
        }
    }

    static ChainTable load(Snapshot in) {
        long version = in.getLong();
        List<Integer> nodes = new ArrayList<>();
        List<TargetState> states = new ArrayList<>();
        for (int n = in.getInt(); n > 0; n--) {
            nodes.add(in.getInt());
            states.add(TargetState.valueOf(in.getString()));
        }
        return new ChainTable(version, nodes, states);
    }
}
