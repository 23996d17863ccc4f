package dev.clockwire.storage.check.monitor;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/**
 * What was carried out last for each channel of each client in each chain. A chain knows nothing of others: a request that was given up may be carried out
 * in one when the channel's next has gone to another, and overwrites nothing of it.
 */
final class Requests implements State {
    private static final int NOBODY = -1;
    /** Channels have 16 bits. */
    private static final int CHANNELS = 1 << 16;

    private final ChunkIndex callers = new ChunkIndex();
    private long[] sequences = new long[0];
    private long[] versions = new long[0];
    private int[] nodes = new int[0];

    /** Returns the number of a channel of a client in a chain. */
    int caller(int chain, Request r) {
        int i = callers.of(chain * CHANNELS + r.channel(), r.client());
        if (i >= nodes.length) {
            resize(Math.max(i + 1, 2 * nodes.length));
        }
        return i;
    }

    private void resize(int n) {
        sequences = Arrays.copyOf(sequences, n);
        versions = Arrays.copyOf(versions, n);
        nodes = Arrays.copyOf(nodes, n);
    }

    /** Returns the last request, 0 if there was none. */
    long sequence(int caller) {
        return sequences[caller];
    }

    /** Returns the version that it got. */
    long version(int caller) {
        return versions[caller];
    }

    /** Returns the node that has carried it out and lives still, -1 if there is none. */
    int node(int caller) {
        return sequences[caller] == 0 ? NOBODY : nodes[caller];
    }

    void executed(int node, int chain, Request r, long version) {
        int i = caller(chain, r);
        if (r.sequence() >= sequences[i]) {
            sequences[i] = r.sequence();
            versions[i] = version;
            nodes[i] = node;
        }
    }

    void crashed(int node) {
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = nodes[i] == node ? NOBODY : nodes[i];
        }
    }

    @Override
    public void save(Snapshot out) {
        callers.save(out);
        out.putInt(nodes.length);
        out.putLongs(sequences);
        out.putLongs(versions);
        for (int node : nodes) {
            out.putInt(node);
        }
    }

    @Override
    public void load(Snapshot in) {
        callers.load(in);
        resize(in.getInt());
        in.getLongs(sequences);
        in.getLongs(versions);
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = in.getInt();
        }
    }
}
