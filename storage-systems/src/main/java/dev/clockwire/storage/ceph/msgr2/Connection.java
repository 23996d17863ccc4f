package dev.clockwire.storage.ceph.msgr2;

import dev.clockwire.nic.lab.MessageName;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.storage.ceph.stream.RdmaStream;
import dev.clockwire.storage.ceph.stream.StreamUser;
import dev.clockwire.storage.cluster.Task;
import org.jspecify.annotations.Nullable;

/** One stream of a session: banners, introductions, and frames cut out of what comes. */
final class Connection implements StreamUser {
    private static final MessageName SESSION = MessageName.aside("session");
    static final MessageName KEEPALIVE = MessageName.aside("keepalive");

    private final Messenger messenger;
    private final boolean dials;
    private final Task giveUp = (a, b) -> fault();
    private final byte[] preamble = new byte[Frame.PREAMBLE];
    private @Nullable Session session;
    private @Nullable RdmaStream stream;
    private Payload in = new Payload();
    private int at;
    private boolean greeted;
    private boolean over;
    private long patience;

    Connection(Messenger messenger, @Nullable Session session) {
        this.messenger = messenger;
        this.session = session;
        dials = session != null;
    }

    /** Goes over a stream, and not for ever: a peer that ends when it has everything and has not answered leaves a connection that nothing else would break. */
    void use(RdmaStream s) {
        stream = s;
        patience = messenger.node().worker(0).after(messenger.spec().readyPs(), giveUp, 0, 0);
    }

    private void waitsNoMore() {
        messenger.node().worker(0).cancel(patience);
    }

    /** Sends a frame. */
    void send(Payload frame, MessageName name) {
        RdmaStream s = stream;
        if (s != null && !over) {
            messenger
                    .node()
                    .worker(0)
                    .core()
                    .scan(frame.length(), messenger.spec().crcBytePs());
            s.send(frame, name);
        }
    }

    /** Ends it, behind what was sent; the session hears no more of it. */
    void close() {
        over = true;
        waitsNoMore();
        session = null;
        RdmaStream s = stream;
        if (s != null) {
            s.close();
        }
    }

    @Override
    public void opened() {
        if (dials) {
            send(Frame.banner(), SESSION);
        }
    }

    @Override
    public void broken() {
        over = true;
        waitsNoMore();
        Session s = session;
        session = null;
        if (s != null) {
            s.lost(this);
        }
    }

    private void fault() {
        Session s = session;
        close();
        if (s != null) {
            s.lost(this);
        }
    }

    @Override
    public void received(Payload bytes) {
        if (over) {
            return;
        }
        in.appendFrom(bytes, 0, bytes.length());
        boolean more = true;
        while (more && !over) {
            more = next();
        }
        if (at == in.length()) {
            in.clear();
            at = 0;
        } else if (at > 0) {
            Payload rest = new Payload(in.length() - at);
            rest.appendFrom(in, at, in.length() - at);
            in = rest;
            at = 0;
        }
    }

    private boolean next() {
        int there = in.length() - at;
        if (!greeted) {
            return there >= Frame.BANNER && banner();
        }
        if (there < Frame.PREAMBLE) {
            return false;
        }
        in.copyTo(at, preamble, 0, Frame.PREAMBLE);
        int n = Frame.bytes(preamble);
        if (n < 0) {
            fault();
            return false;
        }
        if (there < n) {
            return false;
        }
        Payload frame = in;
        if (at > 0 || there > n) {
            frame = new Payload();
            frame.appendFrom(in, at, n);
        }
        at += n;
        messenger.node().worker(0).core().scan(n, messenger.spec().crcBytePs());
        take(frame);
        return true;
    }

    private boolean banner() {
        byte[] b = new byte[Frame.BANNER];
        in.copyTo(at, b, 0, b.length);
        at += b.length;
        if (!Frame.isBanner(b)) {
            fault();
            return false;
        }
        greeted = true;
        if (!dials) {
            send(Frame.banner(), SESSION);
        }
        hello();
        return true;
    }

    private void hello() {
        send(
                Frame.control(
                        Tag.HELLO, messenger.node().number(), messenger.node().incarnation()),
                SESSION);
    }

    private void take(Payload frame) {
        Tag tag = Tag.of(preamble[0]);
        if (tag == Tag.MESSAGE) {
            Message m = Frame.message(frame, preamble);
            Session s = session;
            if (m == null) {
                fault();
            } else if (s != null) {
                s.came(this, m, Frame.seq(frame), Frame.ackSeq(frame));
            }
            return;
        }
        long[] x = Frame.numbers(frame);
        if (x == null || tag == null) {
            fault();
        } else {
            control(tag, x);
        }
    }

    private void control(Tag tag, long[] x) {
        Session s = session;
        switch (tag) {
            case HELLO -> {
                if (s != null && dials) {
                    introduce(s, (int) x[0]);
                }
            }
            case CLIENT_IDENT, SESSION_RECONNECT -> accept(tag, x);
            case SERVER_IDENT -> {
                if (s != null) {
                    settled(s, (int) x[1], 0);
                }
            }
            case SESSION_RECONNECT_OK -> {
                if (s != null) {
                    settled(s, s.peerIncarnation(), x[0]);
                }
            }
            case SESSION_RESET -> {
                if (s != null) {
                    s.wasReset();
                    identify(s);
                }
            }
            case ACK -> {
                if (s != null) {
                    s.acked(x[0]);
                }
            }
            case KEEPALIVE2 -> send(Frame.control(Tag.KEEPALIVE2_ACK, x), KEEPALIVE);
            default -> {}
        }
    }

    private void introduce(Session s, int number) {
        if (number != s.peer()) {
            fault();
        } else if (s.isFresh()) {
            identify(s);
        } else {
            long[] who = s.introduction();
            send(Frame.control(Tag.SESSION_RECONNECT, who[0], who[1], who[2], s.received()), SESSION);
        }
    }

    private void identify(Session s) {
        send(Frame.control(Tag.CLIENT_IDENT, s.introduction()), SESSION);
    }

    private void accept(Tag tag, long[] x) {
        if (dials || x.length < 4) {
            fault();
            return;
        }
        boolean again = tag == Tag.SESSION_RECONNECT;
        Session s = messenger.introduced(this, x, again);
        if (s == null) {
            send(Frame.control(Tag.SESSION_RESET, 1), SESSION);
            return;
        }
        session = s;
        s.adopt(this, x[2]);
        if (again) {
            send(Frame.control(Tag.SESSION_RECONNECT_OK, s.received()), SESSION);
        } else {
            send(
                    Frame.control(
                            Tag.SERVER_IDENT,
                            messenger.node().number(),
                            messenger.node().incarnation(),
                            x[2]),
                    SESSION);
        }
        settled(s, (int) x[1], again ? x[3] : 0);
    }

    private void settled(Session s, int incarnation, long theirIn) {
        waitsNoMore();
        s.ready(this, incarnation, theirIn);
    }
}
