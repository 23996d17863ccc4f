package dev.clockwire.storage.ceph.osd;

import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.storage.ceph.msgr2.Dispatcher;
import dev.clockwire.storage.ceph.msgr2.Message;
import dev.clockwire.storage.ceph.msgr2.MessageType;
import dev.clockwire.storage.ceph.msgr2.Messenger;
import dev.clockwire.storage.ceph.msgr2.Session;
import dev.clockwire.storage.ceph.store.PgDisk;
import dev.clockwire.storage.ceph.store.SeaStoreLite;
import dev.clockwire.storage.ceph.stream.RdmaStack;
import dev.clockwire.storage.cluster.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One incarnation of an object storage daemon: follows the map, asks its peers whether they live, and gives messages to placement groups. */
public final class Osd implements Dispatcher {
    private final Node node;
    private final OsdSpec spec;
    private final Cast cast;
    private final Parts parts;
    private final RdmaStack stack;
    private final Messenger messenger;
    private final SeaStoreLite store;
    private final Map<Integer, Pg> pgs = new TreeMap<>();
    private final Shards shards;
    private final Heartbeats heartbeats;
    private final List<Early> early = new ArrayList<>();
    private @Nullable OsdMap map;
    private boolean asking;
    private boolean anew;

    /**
     * Who else there is.
     *
     * @param monitor node of the monitor
     * @param nodes of OSDs by number
     * @param wire counts messages
     * @param disks of this OSD by placement group, which outlive it
     * @param watch looks on
     */
    public record Cast(
            Node monitor, Map<Integer, Node> nodes, WireCount wire, Map<Integer, PgDisk> disks, Watch watch) {}

    /** A message of a map that is not here yet. */
    private record Early(Session from, Message message) {}

    /** Creates the daemon; {@link #start} begins it. */
    public Osd(Node node, OsdSpec spec, Cast cast) {
        this(node, spec, cast, new Parts());
    }

    /** Creates a daemon of other parts. */
    Osd(Node node, OsdSpec spec, Cast cast, Parts parts) {
        this.parts = parts;
        this.node = node;
        this.spec = spec;
        this.cast = cast;
        stack = new RdmaStack(node, cast.wire(), spec.streams());
        messenger = parts.messenger(
                node, stack, spec.messenger(), this, cast.watch().events());
        shards = new Shards(node, spec.shards(), spec.hopPs());
        store = new SeaStoreLite(node, cast.disks().values());
        heartbeats = parts.heartbeats(this);
        cast.disks().forEach((id, disk) -> pgs.put(id, parts.group(this, id, disk)));
    }

    /** Begins. */
    public void start() {
        cast.watch().events().crashed(node.worker(0).now(), node.number());
        stack.onLoss(this::exit);
        stack.start(() -> {
            messenger.listen();
            boot(Monitor.BEGUN);
            heartbeats.start();
        });
    }

    /** The device has failed: the daemon ends, and whoever watches it starts it anew at once, without its memory. */
    private void exit() {
        node.boot();
    }

    private void boot(int how) {
        Message m = new Message(MessageType.BOOT);
        m.pg = node.number();
        m.other = node.incarnation();
        m.flags = how;
        m.epoch = epoch();
        messenger.to(cast.monitor(), false).send(m);
    }

    @Override
    public void dispatch(Session from, Message m) {
        switch (m.type) {
            case OSD_MAP -> learn(OsdMap.from(m));
            case PING -> heartbeats.ping(from, m);
            case PING_REPLY -> heartbeats.answered(from, m);
            case BOOT, FAILURE, OSD_OP_REPLY -> {}
            default -> toGroup(from, m);
        }
    }

    private void toGroup(Session from, Message m) {
        OsdMap now = map;
        Pg pg = pgs.get(m.pg);
        if (now == null || m.epoch > now.epoch()) {
            early.add(new Early(from, m));
            subscribe();
        } else if (pg != null) {
            shards.on(Shards.FIRST, pg.shard(), () -> {
                if (m.type == MessageType.OSD_OP || m.type == MessageType.REP_OP) {
                    pg.worker().core().charge(spec.opPs());
                }
                pg.dispatch(from, m);
            });
        }
    }

    private void learn(OsdMap next) {
        OsdMap old = map;
        if (old != null && next.epoch() <= old.epoch()) {
            return;
        }
        map = next;
        anew = false;
        for (OsdState o : next.osds()) {
            if (o.number() != node.number()) {
                messenger.markDown(o.number(), o.up() ? o.incarnation() : Integer.MAX_VALUE);
            }
        }
        OsdState self = next.osd(node.number());
        if (self == null || !self.up() || self.incarnation() != node.incarnation()) {
            boot(Monitor.BEGUN); // it is said to be dead
        } else {
            for (OsdState o : next.osds()) {
                if (o.up() && o.number() != node.number()) {
                    session(o.number());
                }
            }
        }
        heartbeats.follow(next);
        pgs.values().forEach(pg -> shards.on(Shards.FIRST, pg.shard(), () -> pg.follow(next)));
        List<Early> now = new ArrayList<>(early);
        early.clear();
        now.forEach(e -> toGroup(e.from, e.message));
    }

    /** Asks the monitor for a newer map, again and again until there is one. */
    void subscribe() {
        if (!asking) {
            asking = true;
            boot(map == null ? Monitor.BEGUN : Monitor.SUBSCRIBE);
            node.worker(0)
                    .after(
                            spec.times().again(),
                            (a, b) -> {
                                asking = false;
                                if (!early.isEmpty() || map == null) {
                                    subscribe();
                                }
                            },
                            0,
                            0);
        }
    }

    @Override
    public void reset(Session session) {
        OsdMap now = map;
        if (session.peer() == cast.monitor().number()) {
            node.worker(0)
                    .after(spec.times().again(), (a, b) -> boot(map == null ? Monitor.BEGUN : Monitor.SUBSCRIBE), 0, 0);
        } else if (now != null && now.isUp(session.peer()) && !anew) {
            anew = true; // what was on its way is lost, though nobody died: the groups agree anew
            boot(Monitor.ANEW);
        }
    }

    /** Reports that a peer is silent. */
    void report(int peer) {
        Message m = new Message(MessageType.FAILURE);
        m.pg = peer;
        m.epoch = epoch();
        messenger.to(cast.monitor(), false).send(m);
    }

    /** Returns the session with another OSD. */
    Session session(int number) {
        Node to = cast.nodes().get(number);
        if (to == null) {
            throw new dev.clockwire.sim.error.InvariantViolation("no OSD has the number " + number);
        }
        return messenger.to(to, true);
    }

    /** Sends a group's message to another OSD. */
    void send(Pg pg, int peer, Message m) {
        shards.on(pg.shard(), Shards.FIRST, () -> session(peer).send(m));
    }

    /** Sends a group's answer. */
    void answer(Pg pg, Session to, Message m) {
        shards.on(pg.shard(), Shards.FIRST, () -> to.send(m));
    }

    Shards shards() {
        return shards;
    }

    /** Returns the messages from one reactor to another so far. */
    public long hops() {
        return shards.hops();
    }

    /** Hears of a step for the operation that a message is about. */
    void tap(String what, Pg pg, Message m, long version) {
        tap(what, pg, m.oid, version);
        trace(what, pg, m);
    }

    /** Tells only who follows single operations. */
    void trace(String what, Pg pg, Message m) {
        cast.watch().operation(node.number(), what, m, pg.worker().now());
    }

    /** Hears of a step. */
    void tap(String what, Pg pg, long oid, long version) {
        cast.watch().tap().step(node.number(), what, pg.id(), oid, version);
        cast.watch().steps().step(node.number(), what, pg.worker().now());
    }

    Parts parts() {
        return parts;
    }

    Watch watch() {
        return cast.watch();
    }

    int epoch() {
        OsdMap now = map;
        return now == null ? 0 : now.epoch();
    }

    @Nullable
    OsdMap map() {
        return map;
    }

    Node node() {
        return node;
    }

    OsdSpec spec() {
        return spec;
    }

    Heartbeats heartbeats() {
        return heartbeats;
    }

    /** Returns the store. */
    public SeaStoreLite store() {
        return store;
    }

    /** Returns the transport. */
    public RdmaStack stack() {
        return stack;
    }

    /** Returns the session with a node if there is one. */
    public @Nullable Session known(int number) {
        return messenger.known(number);
    }

    /** Returns its placement groups. */
    public Collection<Pg> pgs() {
        return pgs.values();
    }

    /** Returns whether it has a map by which it is up. */
    public boolean isUp() {
        OsdMap now = map;
        OsdState self = now == null ? null : now.osd(node.number());
        return self != null && self.up() && self.incarnation() == node.incarnation();
    }

    /** Returns whether all its groups are whole and nothing is under way, by a map of at least an epoch. */
    public boolean isQuiet(int epoch) {
        return isUp()
                && epoch() >= epoch
                && early.isEmpty()
                && store.isIdle()
                && pgs.values().stream().allMatch(Pg::isQuiet);
    }
}
