package dev.clockwire.storage.ceph.msgr2;

import dev.clockwire.storage.ceph.check.CephEvents;
import dev.clockwire.storage.ceph.stream.RdmaStack;
import dev.clockwire.storage.cluster.Node;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one incarnation of a node, one with each peer. Between OSDs they are lossless, and the one of the lower number connects; others are lossy, and
 * whoever asks connects.
 */
public class Messenger {
    private final Node node;
    private final RdmaStack stack;
    private final MessengerSpec spec;
    private final Dispatcher dispatcher;
    private final CephEvents events;
    private final Map<Integer, Session> sessions = new TreeMap<>();
    private long cookies;

    /** Creates a messenger without sessions. */
    public Messenger(Node node, RdmaStack stack, MessengerSpec spec, Dispatcher dispatcher, CephEvents events) {
        this.node = node;
        this.stack = stack;
        this.spec = spec;
        this.dispatcher = dispatcher;
        this.events = events;
    }

    /** Takes connections up. */
    public void listen() {
        stack.listen(stream -> {
            Connection c = new Connection(this, null);
            c.use(stream);
            return c;
        });
    }

    /** Returns the session with a node, made now if there is none. */
    public Session to(Node other, boolean lossless) {
        Session s = sessions.get(other.number());
        if (s == null) {
            s = session(other.number(), other, lossless, !lossless || node.number() < other.number());
            sessions.put(other.number(), s);
        }
        s.dial();
        return s;
    }

    /** Returns the session with a node if there is one. */
    public @Nullable Session known(int number) {
        return sessions.get(number);
    }

    /** A node is gone, or has begun anew: sessions with an incarnation before the given one are over. */
    public void markDown(int number, int incarnation) {
        Session s = sessions.get(number);
        if (s != null
                && (s.peerIncarnation() != 0 ? s.peerIncarnation() < incarnation : incarnation == Integer.MAX_VALUE)) {
            sessions.remove(number);
            s.end();
        }
    }

    Session session(int peer, @Nullable Node to, boolean lossless, boolean dials) {
        return new Session(this, peer, to, lossless, dials);
    }

    void forget(Session s) {
        sessions.remove(s.peer(), s);
    }

    /** Somebody has said who it is; returns its session, null if it is to be told that there is none. */
    @Nullable
    Session introduced(Connection c, long[] who, boolean again) {
        int number = (int) who[0];
        int incarnation = (int) who[1];
        Session s = sessions.get(number);
        if (again) {
            return s != null && s.isSame(incarnation, who[2]) ? s : null;
        }
        if (s != null && !s.isFresh()) {
            sessions.remove(number);
            s.end();
            if (s.peerIncarnation() == incarnation) {
                dispatcher.reset(s);
            }
            s = null;
        }
        if (s == null) {
            s = session(number, null, who[3] != 0, false);
            sessions.put(number, s);
        }
        return s;
    }

    long nextCookie() {
        return (long) node.incarnation() << Integer.SIZE | ++cookies;
    }

    Node node() {
        return node;
    }

    RdmaStack stack() {
        return stack;
    }

    MessengerSpec spec() {
        return spec;
    }

    CephEvents events() {
        return events;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }
}
