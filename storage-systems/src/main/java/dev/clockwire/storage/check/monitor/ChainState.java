package dev.clockwire.storage.check.monitor;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of one chain: its versions, and which of them each node goes by. */
final class ChainState implements State {
    private final List<ChainTable> tables = new ArrayList<>();
    private long[] adopted = new long[0];
    private boolean[] up = new boolean[0];
    private long headVersion;
    private int head = -1;

    void add(ChainTable table) {
        tables.add(table);
    }

    @Nullable
    ChainTable latest() {
        return tables.isEmpty() ? null : tables.get(tables.size() - 1);
    }

    @Nullable
    ChainTable table(long version) {
        for (int i = tables.size() - 1; i >= 0; i--) {
            if (tables.get(i).version() == version) {
                return tables.get(i);
            }
        }
        return null;
    }

    void adopt(int node, long version) {
        if (node >= adopted.length) {
            resize(node + 1);
        }
        adopted[node] = version;
        up[node] = true;
    }

    void down(int node) {
        if (node < up.length) {
            up[node] = false;
        }
    }

    /** Returns the version that a node goes by, or went by before it crashed; 0 if it never did. */
    long adopted(int node) {
        return node < adopted.length ? adopted[node] : 0;
    }

    boolean isUp(int node) {
        return node < up.length && up[node];
    }

    void head(int node, long version) {
        if (version > headVersion) {
            head = node;
            headVersion = version;
        }
    }

    /** Returns the node that has acted as head under a version, -1 if none has or if there was a later one. */
    int head(long version) {
        return version == headVersion ? head : -1;
    }

    private void resize(int nodes) {
        adopted = Arrays.copyOf(adopted, nodes);
        up = Arrays.copyOf(up, nodes);
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(tables.size());
        for (ChainTable table : tables) {
            table.save(out);
        }
        out.putInt(adopted.length);
        for (int i = 0; i < adopted.length; i++) {
            out.putLong(adopted[i]);
            out.putBoolean(up[i]);
        }
        out.putLong(headVersion);
        out.putInt(head);
    }

    @Override
    public void load(Snapshot in) {
        tables.clear();
        for (int n = in.getInt(); n > 0; n--) {
            tables.add(ChainTable.load(in));
        }
        resize(in.getInt());
        for (int i = 0; i < adopted.length; i++) {
            adopted[i] = in.getLong();
            up[i] = in.getBoolean();
        }
        headVersion = in.getLong();
        head = in.getInt();
    }
}
