package dev.clockwire.storage.check.monitor;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of a store by the events so far. A monitor that is told an event sees it as it was before that. */
public final class Replicas implements State {
    private final ChunkIndex chunks = new ChunkIndex();
    private final List<Copies> nodes = new ArrayList<>();
    private final List<ChainState> chains = new ArrayList<>();
    private final Requests requests = new Requests();
    private long[] acked = new long[0];

    Replicas() {}

    /** Returns how many chunks were heard of; they are numbered in that order. */
    public int chunkCount() {
        return chunks.size();
    }

    /** Returns the number of a chunk. */
    public int chunk(int chain, long key) {
        int chunk = chunks.of(chain, key);
        if (chunk >= acked.length) {
            acked = Arrays.copyOf(acked, Math.max(chunk + 1, 2 * acked.length));
        }
        return chunk;
    }

    /** Returns the chain of a chunk. */
    public int chainOf(int chunk) {
        return chunks.chain(chunk);
    }

    /** Returns the key of a chunk. */
    public long keyOf(int chunk) {
        return chunks.key(chunk);
    }

    /** Returns how many chains were heard of. */
    public int chainCount() {
        return chains.size();
    }

    /** Returns the latest version of a chain, null if there was none. */
    public @Nullable ChainTable table(int chain) {
        return chain(chain).latest();
    }

    /** Returns a version of a chain, null if there was none such. */
    public @Nullable ChainTable table(int chain, long version) {
        return chain(chain).table(version);
    }

    /** Returns the version that a node goes by, or went by before it crashed; 0 if it never did. */
    public long adopted(int node, int chain) {
        return chain(chain).adopted(node);
    }

    /** Returns whether a node serves under a version of a chain, now. */
    public boolean serves(int node, int chain, long version) {
        @Nullable ChainTable table = table(chain, version);
        return table != null
                && chain(chain).isUp(node)
                && chain(chain).adopted(node) == version
                && table.placeOf(node) >= 0;
    }

    /** Returns the node that has acted as head under a version of a chain, -1 if none has. */
    public int headOf(int chain, long version) {
        return chain(chain).head(version);
    }

    /** Returns the highest version of a copy, pending or committed, 0 if there is none. */
    public long updateVersion(int node, int chunk) {
        return copies(node).update(chunk);
    }

    /** Returns the committed version of a copy, 0 if there is none. */
    public long commitVersion(int node, int chunk) {
        return copies(node).commit(chunk);
    }

    /** Returns the highest version that a node has ever committed of a chunk. */
    public long highestCommitted(int node, int chunk) {
        return copies(node).highest(chunk);
    }

    /** Returns the version of the chain at which the committed version of a copy was. */
    public long chainVersion(int node, int chunk) {
        return copies(node).chainVer(chunk);
    }

    /** Returns the digest of the committed version of a copy. */
    public long digest(int node, int chunk) {
        return copies(node).digest(chunk);
    }

    /** Returns the highest version of a copy that had been read before an instant, 0 if none had. */
    public long served(int node, int chunk, long beforePs) {
        return copies(node).served(chunk, beforePs);
    }

    /** Returns the highest version that any node has of a chunk, pending or committed. */
    public long newest(int chunk) {
        long most = 0;
        for (int i = 0; i < nodes.size(); i++) {
            most = Math.max(most, nodes.get(i).update(chunk));
        }
        return most;
    }

    /** Returns the highest version of a chunk that was acknowledged to a client. */
    public long ackedVersion(int chunk) {
        return chunk < acked.length ? acked[chunk] : 0;
    }

    void acked(int chunk, long version) {
        acked[chunk] = Math.max(acked[chunk], version);
    }

    void forgetAcked(int chunk) {
        acked[chunk] = 0;
    }

    Copies copiesWithRoom(int node) {
        Copies copies = copies(node);
        copies.room(chunks.size());
        return copies;
    }

    private Copies copies(int node) {
        while (nodes.size() <= node) {
            nodes.add(new Copies());
        }
        return nodes.get(node);
    }

    ChainState chain(int chain) {
        while (chains.size() <= chain) {
            chains.add(new ChainState());
        }
        return chains.get(chain);
    }

    /** Returns what was carried out for whom. */
    Requests requests() {
        return requests;
    }

    void crashed(int node) {
        requests.crashed(node);
        for (int i = 0; i < chains.size(); i++) {
            chains.get(i).down(node);
        }
    }

    @Override
    public void save(Snapshot out) {
        chunks.save(out);
        out.putInt(acked.length);
        out.putLongs(acked);
        out.putInt(nodes.size());
        for (Copies node : nodes) {
            node.save(out);
        }
        out.putInt(chains.size());
        for (ChainState chain : chains) {
            chain.save(out);
        }
        requests.save(out);
    }

    @Override
    public void load(Snapshot in) {
        chunks.load(in);
        acked = new long[in.getInt()];
        in.getLongs(acked);
        nodes.clear();
        for (int i = in.getInt() - 1; i >= 0; i--) {
            Copies copies = new Copies();
            copies.load(in);
            nodes.add(copies);
        }
        chains.clear();
        for (int i = in.getInt() - 1; i >= 0; i--) {
            ChainState chain = new ChainState();
            chain.load(in);
            chains.add(chain);
        }
        requests.load(in);
    }
}
