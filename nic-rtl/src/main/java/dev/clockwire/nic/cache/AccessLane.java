package dev.clockwire.nic.cache;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The accesses of one client of the {@link Translator} in their order, and among them whatever must stay behind them (completions,
 * answers). An access asks for its key's context and then for the translation of each page it touches.
 */
final class AccessLane implements State {
    /** Nothing to ask for. */
    static final int DONE = 0;
    /** Has to ask for the context of its key. */
    static final int KEY = 1;
    /** Its key's context is on its way. */
    static final int KEY_COMES = 2;
    /** Has to ask for the translation of a page. */
    static final int PAGE = 3;
    /** The translation of a page is on its way. */
    static final int PAGE_COMES = 4;

    /** A part of a table that it needs cannot be read. */
    static final int FAILED = 5;

    /** One place of the lane. */
    static final class Access {
        @Nullable
        Token token;
        /** Way out. */
        int exit;

        int stage;
        int key;
        /** Page asked for next, and the last one. */
        long page;

        long last;
        int part;
        /** Since when it has waited for what comes, or for those before it, in ps. */
        long since;
    }

    private Access[] ring = new Access[16];
    private int head;
    private int count;
    final Unplaced unplaced = new Unplaced();

    /** What the first access waited for last, and until when, in ps. */
    int cause;

    long freed;
    /** Operation of the access that left last. */
    long journey;

    AccessLane() {
        fill(0);
    }

    private void fill(int from) {
        for (int i = from; i < ring.length; i++) {
            ring[i] = new Access();
        }
    }

    int size() {
        return count;
    }

    Access get(int i) {
        return ring[head + i & ring.length - 1];
    }

    /** Appends a place; the caller fills it. */
    Access add(Token token, int exit, long now) {
        if (count == ring.length) {
            Access[] grown = new Access[2 * count];
            for (int i = 0; i < count; i++) {
                grown[i] = get(i);
            }
            int old = count;
            ring = grown;
            head = 0;
            fill(old);
        }
        Access a = get(count++);
        a.token = token;
        a.exit = exit;
        a.stage = DONE;
        a.since = now;
        return a;
    }

    Token remove() {
        Access a = get(0);
        Token token = Objects.requireNonNull(a.token);
        a.token = null;
        head = head + 1 & ring.length - 1;
        count--;
        return token;
    }

    @Override
    public void save(Snapshot out) {
        unplaced.save(out);
        out.putInt(cause);
        out.putLong(freed);
        out.putLong(journey);
        out.putInt(count);
        for (int i = 0; i < count; i++) {
            Access a = get(i);
            out.putToken(a.token);
            out.putInt(a.exit);
            out.putInt(a.stage);
            out.putInt(a.key);
            out.putInt(a.part);
            out.putLong(a.page);
            out.putLong(a.last);
            out.putLong(a.since);
        }
    }

    @Override
    public void load(Snapshot in) {
        for (Access a : ring) {
            a.token = null;
        }
        unplaced.load(in);
        cause = in.getInt();
        freed = in.getLong();
        journey = in.getLong();
        head = 0;
        count = 0;
        for (int n = in.getInt(); n > 0; n--) {
            Access a = add(Objects.requireNonNull(in.getToken()), in.getInt(), 0);
            a.stage = in.getInt();
            a.key = in.getInt();
            a.part = in.getInt();
            a.page = in.getLong();
            a.last = in.getLong();
            a.since = in.getLong();
        }
    }
}
