package dev.clockwire.sim.mem;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * WRITEs under way to one end of a reliable connection. They land in the order posted, each byte once: a packet that comes again is acknowledged
 * and not written. What does not fit that order is not guessed at: then those known so far are forgotten, and late ones among them are missed.
 */
final class WritesUnderWay {
    private final RemoteMemory peer;
    private final int peerQpn;
    private final Deque<PostedWrite> writes = new ArrayDeque<>();
    /** By how much memory lies above the addresses that peers use with a key, learned from what lands; regions may start at any. */
    private long shift;

    private int shiftKey;
    private boolean learned;

    WritesUnderWay(RemoteMemory peer, int peerQpn) {
        this.peer = peer;
        this.peerQpn = peerQpn;
    }

    boolean isFrom(RemoteMemory who, int qpn) {
        return peerQpn == qpn && peer.equals(who);
    }

    RemoteMemory peer() {
        return peer;
    }

    /**
     * Adds the next. Those whose completion the peer has polled are past the network: if one has not landed it never will, as when it went to memory
     * of a device, and must not be taken for the next one.
     */
    void add(PostedWrite write) {
        while (!writes.isEmpty() && writes.element().work.end() == Release.COMPLETED) {
            writes.remove();
        }
        writes.add(write);
    }

    void forget() {
        writes.clear();
        learned = false;
    }

    /** Returns whose byte lands at an address, null if nobody knows. */
    @Nullable
    PostedWrite landing(int rkey, long va) {
        if (!skipTo(rkey)) {
            return null;
        }
        PostedWrite first = writes.element();
        long here = va - first.next();
        if (learned && shiftKey == rkey && shift != here) {
            forget();
            return null;
        }
        shift = here;
        shiftKey = rkey;
        learned = true;
        return first;
    }

    /** Drops what was posted before the first with a key: it went elsewhere. */
    private boolean skipTo(int rkey) {
        PostedWrite first = writes.peek();
        boolean any = first != null && first.rkey == rkey;
        if (!any) {
            for (PostedWrite w : writes) {
                any |= w.rkey == rkey;
            }
        }
        while (any && writes.element().rkey != rkey) {
            writes.remove();
        }
        return any;
    }

    /** Bytes of the first have landed. */
    void landed(long bytes) {
        PostedWrite first = writes.element();
        first.land(bytes);
        if (first.left() == 0) {
            writes.remove();
        }
    }
}
