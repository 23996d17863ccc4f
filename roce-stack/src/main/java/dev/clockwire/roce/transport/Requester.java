package dev.clockwire.roce.transport;

import dev.clockwire.roce.transport.ResponseResult.Action;
import dev.clockwire.roce.wire.Header;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the send side: which PSNs a work request gets, which packets it becomes, and what a response means. Retry is
 * go-back-N from the oldest unacknowledged PSN. The caller owns the timers. No method allocates.
 */
public final class Requester {
    /** Not admitted: the ring is full. */
    public static final int STALL_RING = -1;
    /** Not admitted: too many READs and atomics are outstanding; later work waits too. */
    public static final int STALL_RD_ATOMIC = -2;
    /** Not admitted: the work request has a fence, and READs or atomics are outstanding. */
    public static final int STALL_FENCE = -3;
    /** Not admitted: half of all PSNs would be unacknowledged. */
    public static final int STALL_WINDOW = -4;

    private Requester() {}

    /** Returns the PSNs that a work request takes. */
    public static int packetCount(WrOpcode opcode, long length, int mtu) {
        return opcode.isAtomic() ? 1 : Psn.count(length, mtu);
    }

    /**
     * Gives the next work request its PSNs. Work requests must come in posting order; one that stalls is offered again when
     * something has completed.
     *
     * @return the entry of the work request, or one of the STALL values
     */
    public static long admit(RequesterState s, SendWork work) {
        if (s.tail - s.head == s.capacity()) {
            return STALL_RING;
        }
        boolean response = work.opcode.needsResponse();
        if (response && s.outstandingReads >= s.maxRdAtomic) {
            return STALL_RD_ATOMIC;
        }
        if (work.fence && s.outstandingReads > 0) {
            return STALL_FENCE;
        }
        int count = packetCount(work.opcode, work.length, s.mtu);
        if (s.type == QpType.RC && Psn.distance(s.ackPsn, s.nextPsn) + count > Psn.WINDOW) {
            return STALL_WINDOW;
        }
        long entry = s.tail++;
        s.store(entry, work, Psn.plus(s.nextPsn, count - 1));
        s.nextPsn = Psn.plus(s.nextPsn, count);
        if (response) {
            s.outstandingReads++;
        }
        return entry;
    }

    /** Returns the PSNs that an entry has: its request packets, or the response packets of a READ. */
    public static int packetCount(RequesterState s, long entry) {
        return Psn.distance(s.firstPsn(entry), s.lastPsn(entry)) + 1;
    }

    /** Tells whether a packet may be sent now. */
    public static boolean canSend(RequesterState s) {
        return s.cursorEntry < s.tail && !s.rnrWaiting && !s.failed && mayFill(s, s.cursorEntry, s.cursorPacket);
    }

    /**
     * Tells whether a packet of an entry may follow those before it, as far as the receives of the peer are concerned. If not, something
     * is not acknowledged yet, and its answer changes that.
     */
    public static boolean mayFill(RequesterState s, long entry, int packet) {
        return Credits.maySend(s, entry, packet);
    }

    /** Fills the packet at the cursor and moves the cursor on; see {@link #fillRequest} and {@link #sent}. */
    public static long fillNext(RequesterState s, RocePacket out) {
        long entry = s.cursorEntry;
        int packet = s.cursorPacket;
        long offset = fillRequest(s, entry, packet, out);
        sent(s, entry, packet);
        return offset;
    }

    /**
     * Makes a packet a request of an entry: everything from the BTH on; the caller adds addresses, journey and payload.
     *
     * @param packet index of the packet in the message; of a READ, of the first response that is still missing
     * @param out is reset first
     * @return offset of the payload in the message, in bytes; its length is {@code out.payloadLength}
     */
    public static long fillRequest(RequesterState s, long entry, int packet, RocePacket out) {
        WrOpcode operation = s.opcode(entry);
        boolean last = packet == packetCount(s, entry) - 1 || !operation.carriesPayload();
        Opcode opcode = operation.packet(s.type, packet == 0, last);
        out.reset();
        out.opcode = opcode.code();
        out.pkey = s.pkey;
        out.destQp = s.destQpn(entry);
        out.psn = Psn.plus(s.firstPsn(entry), packet);
        out.solicited = last && s.solicited(entry);
        out.ackReq = s.type == QpType.RC && (last || asksEarly(s, entry, packet));
        long offset = operation.isAtomic() ? 0 : (long) packet * s.mtu;
        fillExtended(s, entry, opcode, offset, out);
        out.setPayloadLength(payloadOf(s, entry, packet));
        return offset;
    }

    /** Returns the bytes of payload in a request packet of an entry; READs and atomics carry none. */
    public static int payloadOf(RequesterState s, long entry, int packet) {
        return s.opcode(entry).carriesPayload() ? (int) Math.min(s.mtu, s.length(entry) - (long) packet * s.mtu) : 0;
    }

    private static boolean asksEarly(RequesterState s, long entry, int packet) {
        return (s.ackInterval > 0 && (packet + 1) % s.ackInterval == 0) || (packet == 0 && Credits.beyond(s, entry));
    }

    private static void fillExtended(RequesterState s, long entry, Opcode opcode, long offset, RocePacket out) {
        if (opcode.hasReth()) {
            out.va = s.remoteVa(entry) + offset;
            out.rkey = s.rkey(entry);
            out.dmaLen = s.length(entry) - offset;
        }
        if (opcode.hasAtomicEth()) {
            out.va = s.remoteVa(entry);
            out.rkey = s.rkey(entry);
            out.swapAdd = s.swapAdd(entry);
            out.compare = s.compare(entry);
        }
        if (opcode.hasImm()) {
            out.imm = s.immOrKey(entry);
        }
        if (opcode.hasIeth()) {
            out.invalidateKey = s.immOrKey(entry);
        }
        if (opcode.has(Header.DETH)) {
            out.qkey = s.qkey(entry);
            out.srcQp = s.localQpn;
        }
    }

    /**
     * Notes that a request packet left. Packets must leave in order, from the cursor on.
     *
     * @return whether this completed the entry: UC and UD work is complete when its last packet has left
     */
    public static boolean sent(RequesterState s, long entry, int packet) {
        WrOpcode operation = s.opcode(entry);
        boolean last = true;
        int newest = s.lastPsn(entry);
        if (operation.isRead()) {
            s.setReadStart(entry, packet);
        } else {
            last = packet == packetCount(s, entry) - 1;
            newest = Psn.plus(s.firstPsn(entry), packet);
        }
        if (Psn.compare(newest, s.sentPsn) >= 0) {
            s.sentPsn = Psn.plus(newest, 1);
        }
        s.cursorEntry = last ? entry + 1 : entry;
        s.cursorPacket = last ? 0 : packet + 1;
        if (s.type == QpType.RC || !last) {
            return false;
        }
        s.head = entry + 1;
        s.ackPsn = s.sentPsn;
        return true;
    }

    /** Tells whether the acknowledge timer must run: something was sent and is not acknowledged, and no RNR wait goes on. */
    public static boolean awaitsAck(RequesterState s) {
        return s.type == QpType.RC && !s.failed && !s.rnrWaiting && s.sentPsn != s.ackPsn;
    }

    /** Judges a response packet of an RC queue pair; the header fields are already checked. */
    public static void onResponse(RequesterState s, RocePacket in, ResponseResult out) {
        out.reset(s.head);
        Opcode opcode = Opcode.find(in.opcode);
        boolean known = Psn.compare(in.psn, s.ackPsn) >= 0 && Psn.compare(in.psn, s.sentPsn) < 0;
        if (!known || s.failed || s.type != QpType.RC || opcode == null || !opcode.isResponse()) {
            out.action = Action.IGNORE;
            // An acknowledgement that says nothing new may say that there are receives again.
            if (opcode == Opcode.RC_ACKNOWLEDGE && in.psn == Psn.plus(s.ackPsn, -1) && Syndrome.isAck(in.syndrome)) {
                Credits.learn(s, in);
            }
            return;
        }
        if (opcode.hasAeth() && Syndrome.isAck(in.syndrome)) {
            s.lastMsn = in.msn;
            Credits.learn(s, in);
        }
        if (opcode == Opcode.RC_ACKNOWLEDGE) {
            acknowledge(s, in, out);
        } else if (!acknowledgeThrough(s, Psn.plus(in.psn, -1), out)) {
            retry(s, out);
        } else if (opcode == Opcode.RC_ATOMIC_ACKNOWLEDGE) {
            atomicResponse(s, in, out);
        } else {
            readResponse(s, in, opcode, out);
        }
    }

    private static void acknowledge(RequesterState s, RocePacket in, ResponseResult out) {
        boolean ack = Syndrome.isAck(in.syndrome);
        @Nullable WcStatus failure = Syndrome.failure(in.syndrome);
        if (!ack && !Syndrome.isRnr(in.syndrome) && in.syndrome != Syndrome.NAK_SEQUENCE && failure == null) {
            out.action = Action.IGNORE;
        } else if (!acknowledgeThrough(s, ack ? in.psn : Psn.plus(in.psn, -1), out)) {
            retry(s, out);
        } else if (Syndrome.isRnr(in.syndrome)) {
            receiverNotReady(s, in.syndrome, out);
        } else if (failure != null) {
            fail(s, failure, out);
        } else if (!ack) {
            retry(s, out);
        }
    }

    /**
     * Completes everything up to a PSN, that one included.
     *
     * @return false if a READ or atomic without its answer is in the way: its responses are lost
     */
    private static boolean acknowledgeThrough(RequesterState s, int psn, ResponseResult out) {
        while (s.head < s.tail && Psn.compare(psn, s.ackPsn) >= 0) {
            if (s.opcode(s.head).needsResponse()) {
                return false;
            }
            int last = s.lastPsn(s.head);
            if (Psn.compare(psn, last) < 0) {
                advance(s, psn, out);
                return true;
            }
            advance(s, last, out);
            complete(s, out);
        }
        return true;
    }

    private static void atomicResponse(RequesterState s, RocePacket in, ResponseResult out) {
        if (!s.opcode(s.head).isAtomic()) {
            fail(s, WcStatus.BAD_RESP_ERR, out);
            return;
        }
        out.place = true;
        out.atomic = true;
        out.placeEntry = s.head;
        out.placeLength = Long.BYTES;
        out.original = in.original;
        advance(s, in.psn, out);
        complete(s, out);
    }

    private static void readResponse(RequesterState s, RocePacket in, Opcode opcode, ResponseResult out) {
        long entry = s.head;
        int packet = Psn.distance(s.firstPsn(entry), in.psn);
        if (!s.opcode(entry).isRead() || !fits(s, entry, packet, in.payloadLength, opcode)) {
            fail(s, WcStatus.BAD_RESP_ERR, out);
            return;
        }
        out.place = true;
        out.placeEntry = entry;
        out.placeOffset = (long) packet * s.mtu;
        out.placeLength = in.payloadLength;
        advance(s, in.psn, out);
        if (in.psn == s.lastPsn(entry)) {
            complete(s, out);
        }
    }

    /**
     * A response that starts a READ, or a restarted one, may be FIRST or ONLY; responders also go on with MIDDLE or LAST after
     * a restart, and both are right.
     */
    private static boolean fits(RequesterState s, long entry, int packet, int length, Opcode opcode) {
        boolean last = packet == packetCount(s, entry) - 1;
        boolean mayStart = packet == 0 || packet == s.readStart(entry);
        long rest = s.length(entry) - (long) packet * s.mtu;
        return opcode.endsMessage() == last
                && (opcode.startsMessage() ? mayStart : packet > 0)
                && length == (last ? rest : s.mtu);
    }

    private static void advance(RequesterState s, int psn, ResponseResult out) {
        s.ackPsn = Psn.plus(psn, 1);
        s.retriesLeft = s.retryCount;
        s.rnrRetriesLeft = s.rnrRetry;
        s.retrying = false;
        out.progress = true;
        if (s.cursorEntry == s.head) {
            s.cursorPacket = Math.max(s.cursorPacket, Psn.distance(s.firstPsn(s.head), s.ackPsn));
        }
    }

    private static void complete(RequesterState s, ResponseResult out) {
        if (s.opcode(s.head).needsResponse()) {
            s.outstandingReads--;
        }
        s.head++;
        out.completed++;
        if (s.cursorEntry < s.head) {
            s.cursorEntry = s.head;
            s.cursorPacket = 0;
        }
    }

    private static void receiverNotReady(RequesterState s, int syndrome, ResponseResult out) {
        if (s.rnrWaiting) {
            out.action = Action.IGNORE;
            return;
        }
        if (s.rnrRetriesLeft == 0) {
            fail(s, WcStatus.RNR_RETRY_EXC_ERR, out);
            return;
        }
        if (s.rnrRetry != RequesterSpec.ENDLESS) {
            s.rnrRetriesLeft--;
        }
        rewind(s);
        s.rnrWaiting = true;
        out.rnrWaitPs = Syndrome.rnrWaitPs(syndrome);
        out.action = Action.WAIT_RNR;
    }

    /** Ends the wait after a receiver-not-ready: sending goes on at the refused packet. */
    public static void rnrExpired(RequesterState s) {
        s.rnrWaiting = false;
        s.retrying = false;
    }

    /** The acknowledge timer expired: go back, or give up. */
    public static void onTimeout(RequesterState s, ResponseResult out) {
        out.reset(s.head);
        if (!awaitsAck(s)) {
            out.action = Action.IGNORE;
            return;
        }
        s.retrying = false;
        retry(s, out);
        // Whatever was in flight is gone: a refusal that comes now is about what is sent from now on.
        s.retrying = false;
    }

    private static void retry(RequesterState s, ResponseResult out) {
        if (s.retrying || s.rnrWaiting) {
            out.action = Action.IGNORE;
        } else if (s.retriesLeft == 0) {
            fail(s, WcStatus.RETRY_EXC_ERR, out);
        } else {
            s.retriesLeft--;
            rewind(s);
            out.action = Action.RETRY;
        }
    }

    private static void rewind(RequesterState s) {
        s.retrying = true;
        s.rewinds++;
        s.cursorEntry = s.head;
        s.cursorPacket = s.head == s.tail ? 0 : Psn.distance(s.firstPsn(s.head), s.ackPsn);
    }

    /** The oldest entry fails, for instance because its local memory is protected; the queue stops. */
    public static void fail(RequesterState s, WcStatus status, ResponseResult out) {
        s.failed = true;
        out.action = Action.FAIL;
        out.failedEntry = s.head;
        out.status = status;
    }
}
