package dev.clockwire.storage.ceph.msgr2;

import dev.clockwire.nic.lab.MessageName;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.Task;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Messages to and from one peer, numbered, over one connection after another. A lossless session keeps what was not acknowledged and sends it again over the next
 * connection, so each message is delivered once and in order; a lossy one ends with its connection.
 */
public class Session {
    private static final MessageName ACK = MessageName.aside("ack");

    private final Messenger messenger;
    private final int peer;
    private final @Nullable Node node;
    private final boolean lossless;
    private final boolean dials;
    private final Task dialLater = (a, b) -> dial();
    private final Task ackLater = (a, b) -> ackAlone();
    /** What was not acknowledged, of a lossy session what was not sent. */
    private final Deque<Kept> kept = new ArrayDeque<>();

    private @Nullable Connection connection;
    private boolean ready;
    private boolean ended;
    private boolean waits;
    /** The timer of an acknowledgement that is owed, 0 if none is. */
    private long owes;

    private int peerIncarnation;
    private int forgotten;
    private long cookie;
    private long out;
    private long in;
    private long told;
    private long resent;

    /** A message and its number. */
    private record Kept(long seq, Message message) {}

    Session(Messenger messenger, int peer, @Nullable Node node, boolean lossless, boolean dials) {
        this.messenger = messenger;
        this.peer = peer;
        this.node = node;
        this.lossless = lossless;
        this.dials = dials;
    }

    /** Returns the number of the node at the other end. */
    public int peer() {
        return peer;
    }

    /** Returns which incarnation of it this is, 0 as long as it has not been reached. */
    public int peerIncarnation() {
        return peerIncarnation;
    }

    /** Returns whether messages leave at once. */
    public boolean isReady() {
        return ready;
    }

    /** Returns the messages that were sent over more than one connection. */
    public long resent() {
        return resent;
    }

    /** Sends a message, which belongs to the session from now on. */
    public void send(Message m) {
        if (ended) {
            return;
        }
        Kept k = new Kept(++out, m);
        if (keeps() || !ready) {
            kept.add(k);
        }
        if (ready) {
            write(k);
        }
    }

    /** Returns whether messages are kept until they are acknowledged. */
    boolean keeps() {
        return lossless;
    }

    /** Returns whether a message has not come before, over a connection that broke. */
    boolean isNew(long seq) {
        return seq > in;
    }

    private void write(Kept k) {
        Connection c = connection;
        if (c != null) {
            messenger.node().worker(0).core().charge(messenger.spec().messagePs());
            told = in;
            messenger.node().worker(0).cancel(owes);
            owes = 0;
            c.send(Frame.message(k.message, k.seq, in), k.message.type.wire());
        }
    }

    /** Connects, if this side does so and there is no connection. */
    void dial() {
        Node to = node;
        if (connection != null || ended || !dials || waits || to == null) {
            return;
        }
        Connection c = new Connection(messenger, this);
        connection = c;
        if (cookie == 0) {
            cookie = messenger.nextCookie();
        }
        c.use(messenger.stack().connect(to, c));
    }

    long[] introduction() {
        return new long[] {messenger.node().number(), messenger.node().incarnation(), cookie, lossless ? 1 : 0};
    }

    /** Returns whether nothing binds it to what a peer knows of it. */
    boolean isFresh() {
        return peerIncarnation == 0;
    }

    boolean isSame(int incarnation, long theirs) {
        return peerIncarnation == incarnation && cookie == theirs;
    }

    long received() {
        return in;
    }

    /** Goes on over another connection, which the peer has made. */
    void adopt(Connection c, long theirs) {
        Connection old = connection;
        connection = c;
        cookie = theirs;
        ready = false;
        if (old != null && old != c) {
            old.close();
        }
    }

    /** Both sides know each other. */
    void ready(Connection by, int incarnation, long theirIn) {
        if (by != connection || ended) {
            return;
        }
        peerIncarnation = incarnation;
        if (forgotten == incarnation) {
            messenger.dispatcher().reset(this);
        }
        forgotten = 0;
        acked(theirIn);
        ready = true;
        Kept[] all = kept.toArray(new Kept[0]);
        if (!lossless) {
            kept.clear();
        }
        resent += theirIn > 0 ? all.length : 0;
        for (Kept k : all) {
            write(k);
        }
    }

    /** The peer knows nothing of it. */
    void wasReset() {
        kept.clear();
        out = 0;
        in = 0;
        told = 0;
        forgotten = peerIncarnation;
        peerIncarnation = 0;
        cookie = messenger.nextCookie();
    }

    void acked(long seq) {
        while (lossless && !kept.isEmpty() && kept.getFirst().seq <= seq) {
            kept.removeFirst();
        }
    }

    void came(Connection by, Message m, long seq, long ackSeq) {
        if (by != connection || !isNew(seq)) {
            return;
        }
        in = seq;
        if (lossless) {
            long now = messenger.node().worker(0).now();
            messenger.events().delivered(now, messenger.node().number(), peer, cookie, seq);
        }
        acked(ackSeq);
        if (lossless && owes == 0) {
            owes = messenger.node().worker(0).after(messenger.spec().ackPs(), ackLater, 0, 0);
        }
        messenger.node().worker(0).core().charge(messenger.spec().messagePs());
        messenger.dispatcher().dispatch(this, m);
    }

    /** Sends something that is answered at once, so that a connection breaks of which the peer knows nothing any more. */
    public void keepAlive() {
        Connection c = connection;
        if (c != null && ready) {
            c.send(Frame.control(Tag.KEEPALIVE2, messenger.node().worker(0).now()), Connection.KEEPALIVE);
        }
    }

    private void ackAlone() {
        owes = 0;
        Connection c = connection;
        if (c != null && ready && told < in) {
            told = in;
            c.send(Frame.control(Tag.ACK, in), ACK);
        }
    }

    /** A connection is gone. */
    void lost(Connection which) {
        if (which != connection || ended) {
            return;
        }
        connection = null;
        ready = false;
        if (!lossless) {
            ended = true;
            messenger.forget(this);
            messenger.dispatcher().reset(this);
        } else if (dials && !waits) {
            waits = true;
            messenger
                    .node()
                    .worker(0)
                    .after(
                            messenger.spec().backoffPs(),
                            (a, b) -> {
                                waits = false;
                                dialLater.run(0, 0);
                            },
                            0,
                            0);
        }
    }

    /** Is over: what was not sent is lost. */
    void end() {
        ended = true;
        kept.clear();
        Connection c = connection;
        connection = null;
        ready = false;
        if (c != null) {
            c.close();
        }
    }
}
