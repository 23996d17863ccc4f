package dev.clockwire.storage.ceph.client;

import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.storage.ceph.msgr2.Dispatcher;
import dev.clockwire.storage.ceph.msgr2.Message;
import dev.clockwire.storage.ceph.msgr2.MessageType;
import dev.clockwire.storage.ceph.msgr2.Messenger;
import dev.clockwire.storage.ceph.msgr2.Session;
import dev.clockwire.storage.ceph.osd.Monitor;
import dev.clockwire.storage.ceph.osd.Operation;
import dev.clockwire.storage.ceph.osd.OsdMap;
import dev.clockwire.storage.ceph.osd.OsdSpec;
import dev.clockwire.storage.ceph.osd.OsdState;
import dev.clockwire.storage.ceph.osd.Watch;
import dev.clockwire.storage.ceph.stream.RdmaStack;
import dev.clockwire.storage.cluster.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A client of an incarnation of a node, as librados with its {@code Objecter}: an operation goes to the primary of its group, and again, under the same number, when its session breaks or
 * the group is held by others. It never gives up.
 */
public final class RadosClient implements Dispatcher {
    private final Node node;
    private final Node monitor;
    private final Map<Integer, Node> nodes;
    private final OsdSpec spec;
    private final Watch watch;
    private final RdmaStack stack;
    private final Messenger messenger;
    private final Map<Long, Op> ops = new TreeMap<>();
    private final List<Runnable> waiting = new ArrayList<>();
    private @Nullable OsdMap map;
    private long tids;
    private long resent;
    private boolean ticking;
    /** Somebody waits for sessions with all OSDs. */
    private boolean meeting;

    /** An operation under way. */
    private static final class Op {
        final Message message;
        final long va;
        final RadosDone then;
        int target = -1;
        int epoch;
        long since;

        Op(Message message, long va, RadosDone then) {
            this.message = message;
            this.va = va;
            this.then = then;
        }
    }

    /** Creates the client. */
    public RadosClient(Node node, Node monitor, Map<Integer, Node> nodes, WireCount wire, OsdSpec spec, Watch watch) {
        this.node = node;
        this.monitor = monitor;
        this.nodes = nodes;
        this.spec = spec;
        this.watch = watch;
        stack = new RdmaStack(node, wire, spec.streams());
        messenger = new Messenger(node, stack, spec.messenger(), this, watch.events());
    }

    /** Asks for the map, and goes on when it is there and all OSDs are up. */
    public void start(Runnable ready) {
        waiting.add(ready);
        stack.start(this::subscribe);
    }

    private void subscribe() {
        Message m = new Message(MessageType.BOOT);
        m.flags = Monitor.SUBSCRIBE;
        OsdMap now = map;
        m.epoch = now == null ? 0 : now.epoch();
        messenger.to(monitor, false).send(m);
    }

    /** Replaces an object by {@code length} bytes from {@code va} on. */
    public void write(long oid, long va, int length, RadosDone then) {
        Message m = new Message(MessageType.OSD_OP);
        m.flags = Operation.WRITE;
        m.length = length;
        m.data = new Payload();
        node.worker(0).core().memory().read(va, length, m.data);
        begin(m, oid, va, then);
    }

    /** Reads an object into memory from {@code va} on, {@code length} bytes at most. */
    public void read(long oid, long va, int length, RadosDone then) {
        Message m = new Message(MessageType.OSD_OP);
        m.flags = Operation.READ;
        m.length = length;
        begin(m, oid, va, then);
    }

    private void begin(Message m, long oid, long va, RadosDone then) {
        m.oid = oid;
        m.client = node.number() | (long) node.incarnation() << Integer.SIZE;
        m.tid = ++tids;
        Op op = new Op(m, va, then);
        op.since = node.worker(0).now();
        ops.put(m.tid, op);
        tick();
        watch.operations().named(node.number(), m.tid);
        watch.steps().step(node.number(), "submit", node.worker(0).now());
        send(op);
    }

    /** As long as there are operations, those that take long ask whether who is to answer them, and the monitor, still know this client: {@code Objecter::tick}. */
    private void tick() {
        if (!ticking) {
            ticking = true;
            node.worker(0).after(spec.times().tick(), (a, b) -> ticked(), 0, 0);
        }
    }

    private void ticked() {
        ticking = false;
        if (ops.isEmpty()) {
            return;
        }
        long laggy = node.worker(0).now() - spec.times().laggy();
        Set<Integer> asked = new TreeSet<>();
        for (Op op : ops.values()) {
            if (op.since <= laggy) {
                asked.add(op.target);
                asked.add(monitor.number());
            }
        }
        for (int peer : asked) {
            Session s = messenger.known(peer);
            if (s != null) {
                s.keepAlive();
            }
        }
        tick();
    }

    private void send(Op op) {
        OsdMap now = map;
        if (now == null) {
            return;
        }
        int pg = now.pg(op.message.oid);
        List<Integer> acting = now.acting(pg);
        op.epoch = now.epoch();
        op.target = acting.isEmpty() ? -1 : acting.get(0);
        watch.operation(node.number(), "send", op.message, node.worker(0).now());
        if (op.target < 0) {
            return; // there will be another map
        }
        Message m = new Message(MessageType.OSD_OP);
        m.pg = pg;
        m.epoch = now.epoch();
        m.flags = op.message.flags;
        m.length = op.message.length;
        m.oid = op.message.oid;
        m.client = op.message.client;
        m.tid = op.message.tid;
        m.data = op.message.data;
        session(op.target).send(m);
    }

    private Session session(int number) {
        Node to = nodes.get(number);
        if (to == null) {
            throw new dev.clockwire.sim.error.InvariantViolation("no OSD has the number " + number);
        }
        return messenger.to(to, false);
    }

    @Override
    public void dispatch(Session from, Message m) {
        if (m.type == MessageType.OSD_MAP) {
            learn(OsdMap.from(m));
        } else if (m.type == MessageType.OSD_OP_REPLY) {
            answered(m);
        }
    }

    private void learn(OsdMap next) {
        OsdMap old = map;
        if (old != null && next.epoch() <= old.epoch()) {
            return;
        }
        map = next;
        for (OsdState o : next.osds()) {
            messenger.markDown(o.number(), o.up() ? o.incarnation() : Integer.MAX_VALUE);
        }
        for (Op op : new ArrayList<>(ops.values())) {
            if (op.target < 0 || next.since(next.pg(op.message.oid)) > op.epoch) {
                resent++;
                send(op);
            }
        }
        meet();
        if (next.osds().stream().allMatch(OsdState::up)) {
            List<Runnable> now = new ArrayList<>(waiting);
            waiting.clear();
            now.forEach(Runnable::run);
        }
    }

    private void answered(Message m) {
        Op op = ops.remove(m.tid);
        if (op == null) {
            return; // answered twice
        }
        watch.operation(node.number(), "answered", op.message, node.worker(0).now());
        int n = 0;
        if (op.message.flags == Operation.READ && m.version > 0) {
            n = Math.min(op.message.length, m.data.length());
            node.worker(0).core().memory().write(op.va, m.data, 0, n);
        }
        long now = node.worker(0).now();
        if (op.message.flags == Operation.WRITE) {
            watch.events().acked(now, node.number(), m.pg, m.oid, m.epoch, m.version);
        }
        watch.steps().step(node.number(), "done", now);
        op.then.ended(m.version, n);
    }

    @Override
    public void reset(Session session) {
        int peer = session.peer();
        node.worker(0)
                .after(
                        spec.messenger().backoffPs(),
                        (a, b) -> {
                            if (peer == monitor.number()) {
                                subscribe();
                                return;
                            }
                            meet();
                            for (Op op : new ArrayList<>(ops.values())) {
                                if (op.target == peer) {
                                    resent++;
                                    send(op);
                                }
                            }
                        },
                        0,
                        0);
    }

    /** Connects to all OSDs, so that the first operation finds sessions; begins again with those that are lost until {@link #connected}. */
    public void connect() {
        meeting = true;
        nodes.values().forEach(n -> messenger.to(n, false));
    }

    private void meet() {
        if (meeting) {
            connect();
        }
    }

    /** Nobody waits for sessions any more: from now on they are opened when something is asked. */
    public void connected() {
        meeting = false;
    }

    /** Returns whether all OSDs that are up can be asked. */
    public boolean isConnected() {
        OsdMap now = map;
        return now != null && now.osds().stream().filter(OsdState::up).allMatch(o -> isConnected(o.number()));
    }

    private boolean isConnected(int osd) {
        Session s = messenger.known(osd);
        return s != null && s.isReady();
    }

    /** Returns how often something was asked for again. */
    public long resent() {
        return resent;
    }

    /** Returns the transport. */
    public RdmaStack stack() {
        return stack;
    }

    /** Returns the session with an OSD if there is one. */
    public @Nullable Session known(int number) {
        return messenger.known(number);
    }
}
