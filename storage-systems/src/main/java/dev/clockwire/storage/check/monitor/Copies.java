package dev.clockwire.storage.check.monitor;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** The copies that one node has, by the number of their chunk. */
final class Copies implements State {
    private static final int FIRST_ROOM = 16;

    private long[] update = new long[FIRST_ROOM];
    private long[] commit = new long[FIRST_ROOM];
    private long[] highest = new long[FIRST_ROOM];
    private long[] chainVer = new long[FIRST_ROOM];
    private long[] digest = new long[FIRST_ROOM];
    private long[] served = new long[FIRST_ROOM];
    private long[] servedPs = new long[FIRST_ROOM];
    private long[] servedBefore = new long[FIRST_ROOM];
    private long[] servedBeforePs = new long[FIRST_ROOM];

    /** Makes room for so many chunks. */
    void room(int chunks) {
        if (chunks > update.length) {
            resize(Math.max(chunks, 2 * update.length));
        }
    }

    private void resize(int chunks) {
        update = Arrays.copyOf(update, chunks);
        commit = Arrays.copyOf(commit, chunks);
        highest = Arrays.copyOf(highest, chunks);
        chainVer = Arrays.copyOf(chainVer, chunks);
        digest = Arrays.copyOf(digest, chunks);
        served = Arrays.copyOf(served, chunks);
        servedPs = Arrays.copyOf(servedPs, chunks);
        servedBefore = Arrays.copyOf(servedBefore, chunks);
        servedBeforePs = Arrays.copyOf(servedBeforePs, chunks);
    }

    /** Returns the highest version, pending or not; 0 if there is no copy. */
    long update(int chunk) {
        return chunk < update.length ? update[chunk] : 0;
    }

    /** Returns the committed version, 0 if there is none. */
    long commit(int chunk) {
        return chunk < commit.length ? commit[chunk] : 0;
    }

    /** Returns the highest version that was ever committed here. */
    long highest(int chunk) {
        return chunk < highest.length ? highest[chunk] : 0;
    }

    /** Returns the version of the chain at which the committed version was. */
    long chainVer(int chunk) {
        return chunk < chainVer.length ? chainVer[chunk] : 0;
    }

    /** Returns the digest of the committed version. */
    long digest(int chunk) {
        return chunk < digest.length ? digest[chunk] : 0;
    }

    /** Returns the highest version that had been read here before an instant, as far as that is still known; 0 if none had. */
    long served(int chunk, long beforePs) {
        if (chunk >= served.length) {
            return 0;
        }
        return servedPs[chunk] < beforePs ? served[chunk] : servedBeforePs[chunk] < beforePs ? servedBefore[chunk] : 0;
    }

    void serve(int chunk, long version, long ps) {
        if (version > served[chunk]) {
            servedBefore[chunk] = served[chunk];
            servedBeforePs[chunk] = servedPs[chunk];
            served[chunk] = version;
            servedPs[chunk] = ps;
        }
    }

    void update(int chunk, long version) {
        update[chunk] = version;
    }

    void commit(int chunk, long version, long ofChain, long content) {
        commit[chunk] = version;
        highest[chunk] = Math.max(highest[chunk], version);
        chainVer[chunk] = ofChain;
        digest[chunk] = content;
    }

    private long[][] columns() {
        return new long[][] {update, commit, highest, chainVer, digest, served, servedPs, servedBefore, servedBeforePs};
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(update.length);
        for (long[] column : columns()) {
            out.putLongs(column);
        }
    }

    @Override
    public void load(Snapshot in) {
        resize(in.getInt());
        for (long[] column : columns()) {
            in.getLongs(column);
        }
    }
}
