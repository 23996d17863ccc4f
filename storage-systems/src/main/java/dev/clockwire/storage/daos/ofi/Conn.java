package dev.clockwire.storage.daos.ofi;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.CmParameters;
import dev.clockwire.roce.cm.PrivateData;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.storage.cluster.Node;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One reliable connection of an endpoint. What is sent before it stands waits. */
public final class Conn {
    private static final EnumSet<AccessFlag> ACCESS =
            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);
    private static final int NAME_BYTES = 8;
    /** When a queue pair in ERR has surely handed back what was posted. */
    private static final long RELEASE_PS = 100_000_000_000L;

    private final RdmEndpoint owner;
    private final int peer;
    final Deque<Outgoing> waiting = new ArrayDeque<>();
    private @Nullable CmId id;
    private @Nullable QueuePair qp;
    private int incarnation;
    private boolean open;
    private boolean dead;
    private int underWay;
    private byte[] partial = new byte[0];
    private int held;

    /**
     * Something to post.
     *
     * @param op null for a segment of a message
     */
    record Outgoing(Segment segment, @Nullable RdmaOp op) {}

    Conn(RdmEndpoint owner, int peer) {
        this.owner = owner;
        this.peer = peer;
    }

    /** Returns the address of the other end. */
    public int peer() {
        return peer;
    }

    /** Returns whether it stands. */
    public boolean isOpen() {
        return open && !dead;
    }

    /** Returns whether it broke, or never came to be. */
    public boolean isDead() {
        return dead;
    }

    void connect(Node to, int port) {
        CmId end = owner.node().connector().client(e -> owner.onWorker(() -> happened(e)));
        prepare(end, () -> end.connect(to.gid(), port, terms()));
    }

    void accept(CmId end) {
        prepare(end, () -> end.accept(terms()));
    }

    private CmParameters terms() {
        OfiSpec spec = owner.spec();
        int depth = spec.maxRdAtomic();
        byte[] me = new byte[NAME_BYTES];
        LittleEndian.put32(me, 0, owner.address());
        LittleEndian.put32(me, Integer.BYTES, owner.node().incarnation());
        return new CmParameters(depth, depth, false, spec.retries(), spec.rnrRetries(), PrivateData.of(me));
    }

    /** Returns who asks for a connection. */
    static int asker(CmEvent e) {
        return LittleEndian.get32(e.privateData().bytes(NAME_BYTES), 0);
    }

    /** Returns which incarnation of a node is at the other end, as it has said itself. */
    static int incarnation(CmEvent e) {
        return LittleEndian.get32(e.privateData().bytes(NAME_BYTES), Integer.BYTES);
    }

    int incarnation() {
        return incarnation;
    }

    void incarnation(int of) {
        incarnation = of;
    }

    private void prepare(CmId end, Runnable then) {
        id = end;
        OfiSpec spec = owner.spec();
        QpCapabilities sizes = new QpCapabilities(spec.sends() + spec.maxRdma(), spec.receivesEach(), 1, 1, 0);
        QpInit init = QpInit.of(QpType.RC, owner.cq(), sizes);
        var created = end.createQp(owner.pd(), spec.receivesEach() > 0 ? init : init.withSrq(owner.srq()), ACCESS);
        created.whenDone(made -> {
            qp = made;
            owner.made(this, made.qpn());
            if (!dead) {
                owner.provide(this, then);
            }
        });
        // no room for another queue pair: who wants something asks again later
        created.whenFailed(why -> owner.worker().post((a, b) -> fail(), 0, 0));
    }

    void happened(CmEvent e) {
        switch (e.type()) {
            case ESTABLISHED -> {
                if (!open && !dead) {
                    open = true;
                    owner.established(this);
                }
            }
            case CONNECT_RESPONSE -> incarnation = incarnation(e);
            case CONNECT_REQUEST -> {}
            default -> fail();
        }
    }

    QueuePair pair() {
        return Objects.requireNonNull(qp);
    }

    /** Returns whether the send queue has room. */
    boolean hasRoom() {
        return underWay < owner.spec().sends() + owner.spec().maxRdma();
    }

    void posted() {
        underWay++;
    }

    void retired() {
        underWay--;
    }

    /** Takes a segment; returns the whole message if this was its last. */
    byte @Nullable [] gather(byte[] from, int off, int length, int at, int total) {
        if (at == 0) {
            partial = new byte[total];
            held = 0;
        }
        if (held != at || at + length > partial.length) {
            return null; // its beginning went to a connection that broke
        }
        System.arraycopy(from, off, partial, at, length);
        held += length;
        return held == total ? partial : null;
    }

    /** Ends it: what was posted comes back flushed before memory is used again. */
    void fail() {
        if (dead) {
            return;
        }
        dead = true;
        open = false;
        CmId end = id;
        if (end != null && qp != null) {
            end.disconnect();
        }
        owner.broken(this);
        owner.worker().after(RELEASE_PS, (a, b) -> release(), 0, 0);
    }

    private void release() {
        QueuePair pair = qp;
        if (pair != null) {
            qp = null;
            owner.gone(pair.qpn());
            pair.close();
        }
    }
}
