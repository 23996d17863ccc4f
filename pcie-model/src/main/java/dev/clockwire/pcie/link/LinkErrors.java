package dev.clockwire.pcie.link;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.Arrays;
import java.util.function.Consumer;

/** What the data link layer of one end has corrected. */
public final class LinkErrors implements State {
    private static final int KINDS = LinkError.values().length;

    private final long[] counts = new long[KINDS];
    private long naks;
    private long repeated;
    private long duplicates;
    private final BitErrors damage;
    private Consumer<LinkError> observer = e -> {};

    LinkErrors(StatRegistry stats, String path, BitErrors damage) {
        this.damage = damage;
        stats.reading(
                path + ".bad_tlps", "packets", "TLPs that arrived damaged at this end", () -> count(LinkError.BAD_TLP));
        stats.reading(
                path + ".bad_dllps",
                "packets",
                "DLLPs that arrived damaged at this end",
                () -> count(LinkError.BAD_DLLP));
        stats.reading(path + ".naks", "packets", "NAKs that this end has sent", this::naks);
        stats.reading(path + ".repeated_tlps", "packets", "TLPs that this end has sent again", this::repeated);
        stats.reading(path + ".duplicate_tlps", "packets", "TLPs that this end had already", this::duplicates);
        stats.reading(
                path + ".replay_timeouts",
                "events",
                "acknowledgements that did not come in time",
                () -> count(LinkError.REPLAY_TIMER));
        stats.reading(
                path + ".replay_rollovers",
                "events",
                "times the link was retrained",
                () -> count(LinkError.REPLAY_ROLLOVER));
    }

    /** Says who hears of each error; one at most. */
    public void observe(Consumer<LinkError> who) {
        observer = who;
    }

    void report(LinkError error) {
        counts[error.index()]++;
        observer.accept(error);
    }

    void nak() {
        naks++;
    }

    void repeat() {
        repeated++;
    }

    void duplicate() {
        duplicates++;
    }

    /** Returns how often an error has happened. */
    public long count(LinkError error) {
        return counts[error.index()];
    }

    /** Returns how many packets have come to this end, good ones and damaged ones: DLLPs that count, or TLPs. */
    public long arrived(boolean dllp) {
        return damage.seen(dllp);
    }

    /** Returns NAKs sent. */
    public long naks() {
        return naks;
    }

    /** Returns TLPs sent again. */
    public long repeated() {
        return repeated;
    }

    /** Returns TLPs that came though they had been accepted before. */
    public long duplicates() {
        return duplicates;
    }

    @Override
    public void save(Snapshot out) {
        out.putLongs(counts);
        out.putLong(naks);
        out.putLong(repeated);
        out.putLong(duplicates);
    }

    @Override
    public void load(Snapshot in) {
        Arrays.fill(counts, 0);
        in.getLongs(counts);
        naks = in.getLong();
        repeated = in.getLong();
        duplicates = in.getLong();
    }
}
