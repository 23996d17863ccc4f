package dev.clockwire.storage.ceph.osd;

import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.storage.ceph.msgr2.Dispatcher;
import dev.clockwire.storage.ceph.msgr2.Message;
import dev.clockwire.storage.ceph.msgr2.MessageType;
import dev.clockwire.storage.ceph.msgr2.Messenger;
import dev.clockwire.storage.ceph.msgr2.MessengerSpec;
import dev.clockwire.storage.ceph.msgr2.Session;
import dev.clockwire.storage.ceph.stream.RdmaStack;
import dev.clockwire.storage.ceph.stream.StreamSpec;
import dev.clockwire.storage.cluster.Node;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The one monitor: makes maps out of what OSDs say of themselves and of each other, and gives them to everybody. It never fails; elections are no part of the data path. */
public final class Monitor implements Dispatcher {
    /** {@link Message#flags} of a boot: an OSD has begun. */
    static final int BEGUN = 0;
    /** It only wants maps. */
    public static final int SUBSCRIBE = 1;
    /** It has begun anew with its groups, whatever the map says. */
    static final int ANEW = 2;

    /** {@code mon_osd_min_down_reporters}. */
    private static final int REPORTERS = 2;

    private final RdmaStack stack;
    private final Messenger messenger;
    private final Map<Integer, Session> subscribers = new TreeMap<>();
    private final Map<Integer, Set<Integer>> reports = new TreeMap<>();
    private final Node node;
    private final Watch watch;
    private OsdMap map;

    /** Creates the monitor of OSDs on nodes of some numbers, of which none is up. */
    public Monitor(
            Node node,
            WireCount wire,
            StreamSpec streams,
            MessengerSpec spec,
            List<Integer> osds,
            int pgs,
            int replicas,
            Watch watch) {
        this.node = node;
        this.watch = watch;
        stack = new RdmaStack(node, wire, streams);
        messenger = new Messenger(node, stack, spec, this, watch.events());
        map = OsdMap.first(osds, pgs, replicas);
    }

    /** Begins. */
    public void start() {
        stack.start(messenger::listen);
    }

    /** Returns the map of now. */
    public OsdMap map() {
        return map;
    }

    @Override
    public void dispatch(Session from, Message m) {
        if (m.type == MessageType.BOOT) {
            boot(from, m);
        } else if (m.type == MessageType.FAILURE) {
            failed(from, m);
        }
    }

    private void boot(Session from, Message m) {
        boolean known = subscribers.put(from.peer(), from) == from;
        OsdState old = map.osd(from.peer());
        boolean news = old != null
                && m.flags != SUBSCRIBE
                && (!old.up() || old.incarnation() != (int) m.other || m.flags == ANEW);
        if (news) {
            reports.remove(from.peer());
            change(new OsdState(from.peer(), (int) m.other, map.epoch() + 1, true));
        } else if (!known || m.epoch < map.epoch()) {
            from.send(map.message());
        }
    }

    private void failed(Session from, Message m) {
        OsdState target = map.osd(m.pg);
        if (target == null || !target.up() || target.upFrom() > m.epoch || !map.isUp(from.peer())) {
            from.send(map.message());
            return;
        }
        Set<Integer> by = reports.computeIfAbsent(m.pg, n -> new TreeSet<>());
        by.add(from.peer());
        by.removeIf(n -> !map.isUp(n));
        long up = map.osds().stream().filter(OsdState::up).count();
        if (by.size() >= Math.min(REPORTERS, up - 1)) {
            reports.remove(m.pg);
            change(new OsdState(m.pg, target.incarnation(), target.upFrom(), false));
        }
    }

    private void change(OsdState to) {
        map = map.with(to);
        watch.map(node.worker(0).now(), map);
        subscribers.values().forEach(s -> s.send(map.message()));
    }

    @Override
    public void reset(Session session) {
        subscribers.remove(session.peer(), session);
    }

    /** Returns its transport. */
    public RdmaStack stack() {
        return stack;
    }
}
