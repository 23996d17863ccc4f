package dev.clockwire.nic.lab;

import dev.clockwire.roce.transport.Psn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The requests that reach one queue pair: what is new, what is on its way with which depth, and what those are for that still have to leave. */
final class WireStream {
    static final int SEND = 0;
    static final int WRITE = 1;
    static final int READ = 2;

    /** Requests in the other direction of the connection; null until the connection was seen to be made. */
    @Nullable
    WireStream peer;

    /** READs among them. */
    final WireReads reads = new WireReads();

    private int host;
    private int qpn;

    private int next;
    private boolean begun;
    private final NameRing names = new NameRing();
    private final List<WireMessage> underWay = new ArrayList<>();
    private final List<WireMessage> spare = new ArrayList<>();

    /** A connection is made anew, to a queue pair of a host: its numbers begin anywhere. */
    void begin(int ofHost, int ofQpn) {
        host = ofHost;
        qpn = ofQpn;
        begun = false;
        reads.clear();
        spare.addAll(underWay);
        underWay.clear();
        names.clear();
    }

    /** Returns the number of the host that the requests reach. */
    int host() {
        return host;
    }

    /** Returns the number of its queue pair. */
    int qpn() {
        return qpn;
    }

    /** A message has been posted, behind those before. */
    void posted(MessageName name) {
        names.add(name);
    }

    /** Takes a packet that leaves; returns whether it leaves for the first time. */
    boolean isNew(int psn) {
        if (begun && Psn.compare(psn, next) < 0) {
            return false;
        }
        begun = true;
        next = Psn.plus(psn, 1);
        return true;
    }

    /** The first packet of a message leaves. */
    void begins(int psn, int atDepth, long ps) {
        WireMessage m = spare.isEmpty() ? new WireMessage() : spare.remove(spare.size() - 1);
        m.psn = psn;
        m.depth = atDepth;
        m.name = names.next();
        m.bytes = 0;
        m.immediate = false;
        m.leftPs = ps;
        m.answerPs = 0;
        m.whole = false;
        underWay.add(m);
    }

    /** Returns the message whose packets leave now, null if none was seen to begin. */
    @Nullable
    WireMessage last() {
        return underWay.isEmpty() ? null : underWay.get(underWay.size() - 1);
    }

    /** Returns the SEND or WRITE that ends with a packet, null if it is not known. */
    @Nullable
    WireMessage endingAt(int psn) {
        for (int i = 0; i < underWay.size(); i++) {
            WireMessage m = underWay.get(i);
            if (m.whole && m.psn == psn) {
                return m;
            }
        }
        return null;
    }

    /** Returns the message that an answer is for, null if it is not known: the latest that is not behind it. */
    @Nullable
    WireMessage answeredBy(int psn, boolean ofRead) {
        WireMessage found = null;
        for (int i = 0; i < underWay.size(); i++) {
            WireMessage m = underWay.get(i);
            boolean fits = ofRead ? m.whole && m.kind == READ : !m.whole || m.kind != READ;
            if (fits && (Psn.compare(m.psn, psn) <= 0 || !m.whole)) {
                found = m;
            }
        }
        return found;
    }

    /** Everything up to a number is acknowledged; returns the deepest WRITE among it, null if there is none. It is kept until the next message begins. */
    @Nullable
    WireMessage acknowledged(int psn) {
        WireMessage deepest = null;
        int kept = 0;
        for (int i = 0; i < underWay.size(); i++) {
            WireMessage m = underWay.get(i);
            if (!m.whole || m.kind == READ || Psn.compare(m.psn, psn) > 0) {
                underWay.set(kept++, m);
                continue;
            }
            if (m.kind == WRITE && (deepest == null || m.depth > deepest.depth)) {
                deepest = m;
            }
            spare.add(m);
        }
        cut(kept);
        return deepest;
    }

    /** The answer to the oldest READ is complete; returns it, null if none is known. It is kept until the next message begins. */
    @Nullable
    WireMessage answered() {
        for (int i = 0; i < underWay.size(); i++) {
            WireMessage m = underWay.get(i);
            if (m.whole && m.kind == READ) {
                underWay.remove(i);
                spare.add(m);
                return m;
            }
        }
        return null;
    }

    private void cut(int size) {
        while (underWay.size() > size) {
            underWay.remove(underWay.size() - 1);
        }
    }
}
