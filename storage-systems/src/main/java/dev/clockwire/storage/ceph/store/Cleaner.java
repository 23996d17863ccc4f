package dev.clockwire.storage.ceph.store;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;

/**
 * Makes segments free again by moving what lives in them, those with the least first. It begins when few are free, and moves a few objects with each write of the disk, as SeaStore mixes cleaning
 * into transactions; when next to none is free, others wait for it.
 */
final class Cleaner {
    private static final int AT_ONCE = 4;

    private final SeaStoreLite store;
    private final Segments segments;
    private final Collection<PgDisk> groups;
    private final Deque<Move> moves = new ArrayDeque<>();
    private int underWay;
    private int victim = -1;
    private long moved;

    /** An object that lives in the segment that is cleaned. */
    private record Move(PgDisk pg, StoredObject object) {}

    Cleaner(SeaStoreLite store, Segments segments, Collection<PgDisk> groups) {
        this.store = store;
        this.segments = segments;
        this.groups = groups;
    }

    /** Returns the objects that were moved. */
    long moved() {
        return moved;
    }

    boolean isBusy() {
        return underWay > 0 || !moves.isEmpty();
    }

    /** Goes on, if there is something to do; returns whether it has begun anything. */
    boolean step() {
        if (!isBusy()) {
            victim = -1;
            if (segments.free() <= segments.reserve()) {
                begin();
            }
        }
        int before = underWay;
        while (underWay < AT_ONCE && !moves.isEmpty()) {
            move(moves.remove());
        }
        return underWay > before;
    }

    private void begin() {
        victim = segments.leastLive();
        if (victim < 0) {
            return;
        }
        for (PgDisk pg : groups) {
            for (StoredObject o : pg.objects()) {
                if (lives(o)) {
                    moves.add(new Move(pg, o));
                }
            }
        }
    }

    private boolean lives(StoredObject o) {
        return o.version() != 0 && segments.of(o.at()) == victim;
    }

    private void move(Move m) {
        StoredObject now = m.pg.find(m.object.oid());
        if (now == null || now.version() != m.object.version() || !lives(now)) {
            return; // it was written anew meanwhile
        }
        underWay++;
        store.read(now, data -> {
            if (data == null) { // the disk fails: it is tried again with the next segment
                underWay--;
                store.next();
                return;
            }
            store.rewrite(m.pg, now, data, () -> {
                underWay--;
                moved++;
            });
        });
    }
}
