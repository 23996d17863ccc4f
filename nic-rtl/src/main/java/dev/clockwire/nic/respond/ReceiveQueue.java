package dev.clockwire.nic.respond;

import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.roce.transport.ResponderSpec;
import dev.clockwire.roce.transport.ResponderState;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Objects;

/**
 * The receive side of one queue pair: the transport's state and the receive WQE in use. An own ring keeps that in front; one out of a
 * shared ring is copied when it is taken, since the next one may go to another queue pair.
 */
final class ReceiveQueue implements State {
    final QpContext qp;
    final ResponderState responder = new ResponderState();
    final ReceiveWqes wqes;
    private final long[] va;
    private final int[] length;
    private final int[] lkey;
    private int counter;
    /** A WQE of the shared ring is in use. */
    private boolean holding;
    /** The first good packet of the connection has come. */
    boolean established;
    /** In ERR, and the host knows that no WQE of the shared ring is held any more. */
    boolean toldLast;

    private boolean connected;

    ReceiveQueue(QpContext qp, ReceiveWqes wqes) {
        this.qp = qp;
        this.wqes = wqes;
        int held = wqes.shared ? wqes.segments() : 0;
        va = new long[held];
        length = new int[held];
        lkey = new int[held];
    }

    /** Connects the transport's state with the context's values at first use. */
    ResponderState connected() {
        if (!connected) {
            connected = true;
            responder.connect(Objects.requireNonNull(qp.responder));
        }
        return responder;
    }

    /** Whether there is a connection: answers that are ready only now may be of one that has ended. */
    boolean isConnected() {
        return connected;
    }

    /** Forgets the connection; the next one begins anew. */
    void restart() {
        responder.disconnect();
        connected = false;
        established = false;
        toldLast = false;
    }

    /** Takes over new parameters. */
    void modified() {
        ResponderSpec told = qp.responder;
        if (connected && told != null) {
            responder.modify(told);
        }
    }

    /** Takes the first WQE out of the shared ring. */
    void take() {
        for (int i = 0; i < va.length; i++) {
            va[i] = wqes.va(i);
            length[i] = (int) wqes.length(i);
            lkey[i] = wqes.lkey(i);
        }
        counter = wqes.consumed;
        holding = true;
        wqes.next();
    }

    /** Whether a receive WQE is in use or can be: only an own ring has the one in use in front. */
    boolean hasReceive() {
        return holding || wqes.available() > 0;
    }

    /** Whether a WQE of the shared ring is in use. */
    boolean isHolding() {
        return holding;
    }

    /** Returns the counter of the WQE in use. */
    int counter() {
        return holding ? counter : wqes.consumed;
    }

    /** The WQE in use is complete. */
    void complete() {
        if (wqes.shared) {
            holding = false;
        } else {
            wqes.next();
        }
    }

    /** Returns how many receive WQEs of an own ring the device knows of, the one in use included; -1 of a shared ring. */
    int posted() {
        return wqes.shared ? -1 : wqes.available() + wqes.posted();
    }

    /** Returns the number of segments of a receive WQE. */
    int segments() {
        return wqes.segments();
    }

    long va(int i) {
        return holding ? va[i] : wqes.va(i);
    }

    /** Returns the bytes of a segment. */
    long length(int i) {
        return holding ? Wqe.bytes(length[i]) : wqes.length(i);
    }

    int lkey(int i) {
        return holding ? lkey[i] : wqes.lkey(i);
    }

    /** Returns the bytes of the receive WQE that is in use or next. */
    long capacity() {
        long sum = 0;
        for (int i = 0; i < segments(); i++) {
            sum += length(i);
        }
        return sum;
    }

    @Override
    public void save(Snapshot out) {
        responder.save(out);
        if (!wqes.shared) {
            wqes.save(out);
        }
        out.putLongs(va);
        for (int i = 0; i < length.length; i++) {
            out.putLong(((long) length[i] << 32) | (lkey[i] & 0xFFFFFFFFL));
        }
        out.putInt(counter);
        out.putInt((holding ? 1 : 0) | (established ? 2 : 0) | (connected ? 4 : 0) | (toldLast ? 8 : 0));
    }

    @Override
    public void load(Snapshot in) {
        responder.load(in);
        if (!wqes.shared) {
            wqes.load(in);
        }
        in.getLongs(va);
        for (int i = 0; i < length.length; i++) {
            long both = in.getLong();
            length[i] = (int) (both >>> 32);
            lkey[i] = (int) both;
        }
        counter = in.getInt();
        int flags = in.getInt();
        holding = (flags & 1) != 0;
        established = (flags & 2) != 0;
        connected = (flags & 4) != 0;
        toldLast = (flags & 8) != 0;
    }
}
