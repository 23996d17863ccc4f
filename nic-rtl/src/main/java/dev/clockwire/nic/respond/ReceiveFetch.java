package dev.clockwire.nic.respond;

import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.mem.Payload;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads receive WQEs ahead of their use. There is no doorbell for them: the doorbell record in host memory says how many
 * are posted, so it is read first whenever the known ones run low. Part of the responder.
 */
final class ReceiveFetch {
    private static final int RECORD_BYTES = 8;
    private static final int FLOW = 0xFFFE;
    private static final int WINDOW = 1024;
    private static final long RECORD = 1L << 32;
    private static final long SHARED = 1L << 33;
    private static final long CHECK = 1L << 34;

    private final EventPort port;
    private final Inlet<DmaRead> replies;
    private final RespondState state;
    private final List<DmaRead> free = new ArrayList<>();
    private boolean broken;
    private boolean checked;

    ReceiveFetch(EventPort port, Inlet<DmaRead> replies, RespondState state) {
        this.port = port;
        this.replies = replies;
        this.state = state;
    }

    /** Whether a reply can be taken in a cycle. */
    boolean answered(long cycle) {
        return replies.valid(cycle);
    }

    /** Takes one reply; returns the ring that it was for, null if there is none. */
    @Nullable
    ReceiveWqes tick(long cycle, long now) {
        if (!replies.valid(cycle)) {
            return null;
        }
        DmaRead reply = replies.take(cycle);
        long cookie = reply.cookie;
        ReceiveWqes wqes = (cookie & SHARED) != 0 ? state.shared((int) cookie) : state.at((int) cookie).wqes;
        wqes.fetching = false;
        boolean failed = reply.error != DmaError.NONE;
        boolean flushing = !wqes.shared && state.at(wqes.id).qp.state == QpState.ERR;
        broken = failed;
        checked = (cookie & CHECK) != 0 && !failed;
        free.add(reply);
        if (failed) {
            failed(wqes, (cookie & RECORD) != 0, flushing, reply.into);
            return wqes;
        }
        if ((cookie & RECORD) != 0) {
            wqes.producer = ((reply.into.byteAt(2) & 0xFF) << 8) | (reply.into.byteAt(3) & 0xFF);
            wqes.foundNone = wqes.posted() == 0 && wqes.asked;
        } else {
            wqes.add(reply.into);
        }
        if (wqes.posted() > 0 || wqes.mustAsk()) {
            ahead(wqes, now);
        }
        return wqes;
    }

    /** A flush needs no more than the number of receives, and ends where even that cannot be read; else nothing is known until it is asked again. */
    private static void failed(ReceiveWqes wqes, boolean record, boolean flushing, Payload zeros) {
        if (flushing && record) {
            wqes.foundNone = wqes.asked;
        } else if (flushing) {
            wqes.add(zeros);
        }
    }

    /** Whether the last reply's receives, or their number, could not be read. */
    boolean broken() {
        return broken;
    }

    /** Whether the last reply was a record that was read since a ring seemed to be below its limit. */
    boolean checked() {
        return checked;
    }

    /** Starts the next read of a ring unless one is on its way; returns whether it did. */
    boolean ahead(ReceiveWqes wqes, long now) {
        if (wqes.fetching || !wqes.exists() || wqes.available() == ReceiveWqes.AHEAD) {
            return false;
        }
        int count = wqes.nextRead();
        if (count == 0) {
            record(wqes, now);
        } else {
            long at = wqes.base + (long) (wqes.fetched & ((1 << wqes.logEntries) - 1)) * wqes.stride;
            read(wqes, at, count * wqes.stride, 0, now);
        }
        return true;
    }

    /** Reads the doorbell record of a ring of which nothing is being read. */
    void record(ReceiveWqes wqes, long now) {
        wqes.asked = wqes.waited;
        read(wqes, wqes.recordAddress, RECORD_BYTES, RECORD | (wqes.belowLimit() ? CHECK : 0), now);
    }

    private void read(ReceiveWqes wqes, long address, int length, long why, long now) {
        DmaRead r = free.isEmpty() ? new DmaRead() : free.remove(free.size() - 1);
        r.address = address;
        r.length = length;
        r.cookie = wqes.id | (wqes.shared ? SHARED : 0) | why;
        r.into.clear();
        r.flow = FLOW;
        r.window = WINDOW;
        r.reply = replies;
        wqes.fetching = true;
        port.send(now + 1, 0, 0, 0, r);
    }
}
