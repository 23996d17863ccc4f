package dev.clockwire.storage.ceph.osd;

import dev.clockwire.storage.ceph.msgr2.Message;
import dev.clockwire.storage.ceph.msgr2.MessageType;
import dev.clockwire.storage.ceph.msgr2.Session;
import dev.clockwire.storage.ceph.store.StoredObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How those that hold a group agree at the beginning of an interval. The primary asks all for what they have, follows the best log, fetches what it misses itself, gives the log to the
 * others and waits until they have it; then operations go on, and objects that others miss are pushed beside them. Two of three hold every acknowledged
 * write, so any two that meet know it. Ceph asks for less than whole lists, and remembers past intervals for groups whose {@code min_size} is half or less.
 */
class Peering {
    private static final int AT_ONCE = 4;

    private final Pg pg;
    private final Osd osd;
    private final Map<Integer, PgInfo> infos = new TreeMap<>();
    private final Set<Long> pulling = new TreeSet<>();
    private final Deque<Push> pushes = new ArrayDeque<>();
    private final Set<Integer> unshared = new TreeSet<>();
    /** Objects that somebody misses, with how many do, and what waits until nobody does. */
    private final Map<Long, Integer> degraded = new TreeMap<>();

    private final Map<Long, List<Runnable>> patient = new TreeMap<>();
    private @Nullable PgInfo best;
    private int pushing;
    private long waitPs;
    private boolean done;
    /** What this interval waits for: infos, then the end of promises. */
    private long timer;

    /** An object that somebody misses. */
    private record Push(int peer, long oid, long version) {}

    Peering(Pg pg, Osd osd) {
        this.pg = pg;
        this.osd = osd;
    }

    /** Returns whether everybody has everything. */
    boolean isDone() {
        return done && pushes.isEmpty() && pushing == 0;
    }

    private int self() {
        return osd.node().number();
    }

    /** A new interval has begun. */
    void begin(OsdMap map) {
        infos.clear();
        pulling.clear();
        pushes.clear();
        degraded.clear();
        patient.clear();
        unshared.clear();
        best = null;
        pushing = 0;
        done = false;
        pg.worker().cancel(timer);
        if (pg.isPrimary() && pg.acting().size() >= osd.spec().minReplicas()) {
            int now = pg.since();
            flushed(now, () -> add(info()));
            ask();
        }
    }

    private PgInfo info() {
        long promise = 0;
        OsdMap map = osd.map();
        if (map != null) {
            for (OsdState o : map.osds()) {
                promise = o.up() ? promise : Math.max(promise, osd.heartbeats().promisedPs(o.number()));
            }
        }
        return PgInfo.of(self(), pg.disk(), promise);
    }

    /** Returns whether one log is to be followed rather than another. */
    boolean isBetter(PgInfo one, PgInfo than) {
        return one.isBetter(than);
    }

    /** Goes on when what earlier intervals have begun to write is durable. */
    void flushed(int now, Runnable then) {
        pg.store().flush(() -> {
            if (now == pg.since()) {
                then.run();
            }
        });
    }

    private Message message(MessageType type) {
        Message m = new Message(type);
        m.pg = pg.id();
        m.epoch = pg.since();
        return m;
    }

    private void ask() {
        for (int peer : pg.acting()) {
            if (peer != self() && !infos.containsKey(peer)) {
                osd.send(pg, peer, message(MessageType.PG_QUERY));
                osd.tap("query", pg, 0, 0);
            }
        }
        timer = pg.worker().after(osd.spec().times().again(), (a, b) -> ask(), 0, 0);
    }

    void dispatch(Session from, Message m) {
        int now = pg.since();
        switch (m.type) {
            case PG_QUERY ->
                flushed(now, () -> {
                    Message r = message(MessageType.PG_INFO);
                    info().into(r);
                    osd.send(pg, from.peer(), r);
                    osd.tap("info", pg, 0, pg.disk().lastUpdate());
                });
            case PG_INFO -> add(PgInfo.from(from.peer(), m));
            case PG_LOG -> follow(from, m);
            case PG_LOG_ACK -> shared(from.peer(), m.time);
            case PULL -> give(from.peer(), m.oid, m.version);
            case PUSH -> take(from, m);
            case PUSH_REPLY -> pushed(m.oid);
            default -> {}
        }
    }

    private void add(PgInfo info) {
        if (best != null || !pg.acting().contains(info.peer())) {
            return;
        }
        infos.put(info.peer(), info);
        if (infos.size() < pg.acting().size()) {
            return;
        }
        PgInfo choice = infos.get(self());
        waitPs = 0;
        for (PgInfo i : infos.values()) {
            choice = choice == null || isBetter(i, choice) ? i : choice;
            waitPs = Math.max(waitPs, i.promisePs());
        }
        PgInfo chosen = java.util.Objects.requireNonNull(choice);
        best = chosen;
        pg.worker().cancel(timer);
        osd.tap("elect", pg, chosen.peer(), chosen.lastUpdate());
        int now = pg.since();
        waitPs += pg.worker().now();
        pg.store().merge(pg.disk(), chosen.log(), chosen.need(), now, gone -> {
            merged(now, gone);
            if (now == pg.since()) {
                pull();
            }
        });
    }

    /** The log of an interval is durable here. */
    private void merged(int since, List<StoredObject> gone) {
        long ps = pg.worker().now();
        osd.watch().events().adopted(ps, self(), pg.id(), since);
        osd.watch().merged(ps, self(), pg.id(), pg.disk(), gone);
        osd.tap("merge", pg, 0, pg.disk().lastUpdate());
    }

    /** Fetches what the primary itself misses. */
    private void pull() {
        boolean missing = false;
        for (StoredObject o : pg.disk().objects()) {
            if (!o.isMissing()) {
                continue;
            }
            missing = true;
            if (pulling.size() >= AT_ONCE || pulling.contains(o.oid())) {
                continue;
            }
            for (PgInfo i : infos.values()) {
                if (i.peer() != self() && i.has(o.oid(), o.need())) {
                    pulling.add(o.oid());
                    Message m = message(MessageType.PULL);
                    m.oid = o.oid();
                    m.version = o.need();
                    osd.send(pg, i.peer(), m);
                    osd.tap("pull", pg, o.oid(), o.need());
                    break;
                }
            }
        }
        if (!missing) {
            share();
        }
    }

    /** Sends an object to whoever misses it. */
    private void give(int peer, long oid, long version) {
        int now = pg.since();
        StoredObject o = pg.disk().find(oid);
        if (o == null || o.version() != version) {
            return;
        }
        pg.store().read(o, data -> {
            if (now != pg.since()) {
                return;
            }
            if (data == null) { // its disk fails
                pg.worker().after(osd.spec().times().again(), (a, b) -> give(peer, oid, version), 0, 0);
                return;
            }
            Message m = message(MessageType.PUSH);
            m.oid = oid;
            m.version = version;
            m.digest = o.digest();
            m.length = o.length();
            m.data = data;
            osd.send(pg, peer, m);
            osd.tap("push", pg, oid, version);
            if (pg.isPrimary()) {
                pg.readOver(oid);
            }
        });
    }

    private void take(Session from, Message m) {
        int now = pg.since();
        StoredObject o = pg.disk().find(m.oid);
        boolean wanted = o != null && o.need() == m.version && o.isMissing() && pg.checksum(m.data) == m.digest;
        if (!wanted) {
            taken(from, m);
            return;
        }
        pg.store().write(pg.disk(), m.oid, m.version, m.data, m.digest, null, () -> {
            StoredObject here = pg.disk().find(m.oid);
            if (here != null) {
                osd.watch().recovered(pg.worker().now(), self(), pg.id(), here);
            }
            osd.tap("recover", pg, m.oid, m.version);
            if (now == pg.since()) {
                taken(from, m);
            }
        });
    }

    private void taken(Session from, Message m) {
        if (pg.isPrimary()) {
            pulling.remove(m.oid);
            pull();
        } else {
            Message r = message(MessageType.PUSH_REPLY);
            r.oid = m.oid;
            osd.send(pg, from.peer(), r);
        }
    }

    private void share() {
        if (done || !unshared.isEmpty()) {
            return;
        }
        PgInfo whole = PgInfo.of(self(), pg.disk(), 0);
        for (int peer : pg.acting()) {
            if (peer != self()) {
                unshared.add(peer);
                Message m = message(MessageType.PG_LOG);
                whole.into(m);
                m.time = pg.worker().now();
                osd.send(pg, peer, m);
            }
        }
        if (unshared.isEmpty()) {
            finish();
        }
    }

    private void follow(Session from, Message m) {
        int now = pg.since();
        PgInfo whole = PgInfo.from(from.peer(), m);
        osd.heartbeats().promise(from.peer());
        pg.store().merge(pg.disk(), whole.log(), whole.need(), now, gone -> {
            merged(now, gone);
            if (now == pg.since()) {
                Message r = message(MessageType.PG_LOG_ACK);
                r.time = m.time;
                osd.send(pg, from.peer(), r);
            }
        });
    }

    private void shared(int peer, long time) {
        osd.heartbeats().extend(peer, time);
        if (unshared.remove(peer) && unshared.isEmpty()) {
            finish();
        }
    }

    /** Nobody who is down may answer reads any more, and all have the log. */
    private void finish() {
        long wait = Math.max(0, waitPs - pg.worker().now());
        timer = pg.worker()
                .after(
                        wait,
                        (a, b) -> {
                            if (!done) {
                                done = true;
                                listPushes();
                                osd.tap("activate", pg, 0, pg.disk().lastUpdate());
                                pg.activate();
                                pushNext();
                            }
                        },
                        0,
                        0);
    }

    private void listPushes() {
        List<PgInfo> others = new ArrayList<>(infos.values());
        for (StoredObject o : pg.disk().objects()) {
            for (PgInfo i : others) {
                if (i.peer() != self() && !i.has(o.oid(), o.need())) {
                    pushes.add(new Push(i.peer(), o.oid(), o.need()));
                    degraded.merge(o.oid(), 1, Integer::sum);
                }
            }
        }
    }

    private void pushed(long oid) {
        pushing--;
        if (degraded.merge(oid, -1, Integer::sum) == 0) {
            degraded.remove(oid);
            List<Runnable> now = patient.remove(oid);
            if (now != null) {
                now.forEach(Runnable::run);
            }
        }
        pushNext();
    }

    /** Runs something when all that act for the group have an object: what is told of it must not depend on one disk. */
    void whenWhole(long oid, Runnable then) {
        if (degraded.containsKey(oid)) {
            patient.computeIfAbsent(oid, o -> new ArrayList<>()).add(then);
        } else {
            then.run();
        }
    }

    private void pushNext() {
        while (pushing < AT_ONCE && !pushes.isEmpty()) {
            Push p = pushes.remove();
            pushing++;
            pg.whileStill(p.oid, () -> {
                StoredObject o = pg.disk().find(p.oid);
                if (o != null && o.version() == p.version) {
                    give(p.peer, p.oid, p.version);
                } else { // written anew meanwhile, there too
                    pg.readOver(p.oid);
                    pushed(p.oid);
                }
            });
        }
    }
}
