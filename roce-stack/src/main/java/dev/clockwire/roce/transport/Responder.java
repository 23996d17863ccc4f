package dev.clockwire.roce.transport;

import dev.clockwire.roce.transport.RequestDecision.Action;
import dev.clockwire.roce.transport.RequestDecision.Drop;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the receive side: what a request packet means, and the packets that answer it. The decision changes the state
 * at once; the caller places data and sends answers in the order of the decisions, later. No method allocates.
 */
public final class Responder {
    /** Bytes in front of a datagram in its receive buffers: the global route header. */
    public static final int GRH_BYTES = 40;

    private Responder() {}

    /** Judges a request packet; destination, partition and queue key, and the ICRC, are already checked. */
    public static void onRequest(ResponderState s, RocePacket in, ResponderEnv env, RequestDecision out) {
        out.reset(s, in.psn);
        Opcode opcode = Opcode.find(in.opcode);
        boolean foreign = in.opcode >> 5 != s.type.service().bits();
        if (foreign || (opcode != null && !opcode.isRequest())) {
            out.drop(Drop.WRONG_SERVICE);
            return;
        }
        switch (s.type) {
            case RC -> {
                reliable(s, in, opcode, env, out);
                Credits.announce(s, env, out);
            }
            case UC -> unreliable(s, in, opcode, env, out);
            case UD -> datagram(s, in, opcode, env, out);
        }
    }

    private static void reliable(
            ResponderState s, RocePacket in, @Nullable Opcode opcode, ResponderEnv env, RequestDecision out) {
        int order = Psn.compare(in.psn, s.expectedPsn);
        if (order < 0) {
            duplicate(s, in, opcode, env, out);
        } else if (order > 0) {
            outOfSequence(s, out);
        } else {
            s.nakSent = false;
            int refusal = opcode == null || !supported(opcode)
                    ? Syndrome.NAK_INVALID_REQUEST
                    : Execution.run(s, in, opcode, env, out);
            if (refusal == Syndrome.RNR_NAK) {
                // The packets behind this one are in vain: they get no refusal of their own.
                s.nakSent = true;
                out.nak(Syndrome.rnr(s.rnrTimer));
                out.takesReceive = false;
            } else if (refusal != Execution.DONE) {
                out.takesReceive &= out.receiveStatus != WcStatus.SUCCESS;
                refuse(s, out, refusal);
            }
        }
        if (out.action == Action.NAK || out.action == Action.REACK) {
            s.owed = 0;
        }
    }

    private static boolean supported(Opcode opcode) {
        return opcode != Opcode.RC_FLUSH && opcode != Opcode.RC_ATOMIC_WRITE;
    }

    private static void outOfSequence(ResponderState s, RequestDecision out) {
        if (s.nakSent) {
            out.drop(Drop.OUT_OF_SEQUENCE);
            return;
        }
        s.nakSent = true;
        out.nak(Syndrome.NAK_SEQUENCE);
        out.ackPsn = s.expectedPsn;
    }

    private static void duplicate(
            ResponderState s, RocePacket in, @Nullable Opcode opcode, ResponderEnv env, RequestDecision out) {
        if (opcode == null || !supported(opcode)) {
            out.drop(Drop.DUPLICATE);
            return;
        }
        switch (Execution.right(opcode)) {
            case REMOTE_READ -> readAgain(s, in, env, out);
            case REMOTE_ATOMIC -> replay(s, in, out);
            default -> {
                if (s.ackEveryDuplicate || in.ackReq) {
                    out.action = Action.REACK;
                    out.ackPsn = s.ackablePsn;
                    out.ackDue = true;
                } else {
                    out.drop(Drop.DUPLICATE);
                }
            }
        }
    }

    private static void readAgain(ResponderState s, RocePacket in, ResponderEnv env, RequestDecision out) {
        int slot = s.findRead(in.psn);
        int responses = Psn.count(in.dmaLen, s.mtu);
        if (slot < 0 || !inside(s, slot, in) || responses > s.responsesFrom(slot, in.psn)) {
            out.drop(Drop.DUPLICATE);
            return;
        }
        int right = AccessFlag.REMOTE_READ.code();
        if (in.dmaLen > 0 && env.checkRemote(in.rkey, in.va, in.dmaLen, right) != ResponderEnv.GRANTED) {
            out.drop(Drop.DUPLICATE);
            return;
        }
        out.action = Action.REREAD;
        out.resource = slot;
        out.va = in.va;
        out.rkey = in.rkey;
        out.length = in.dmaLen;
        out.responses = responses;
    }

    private static boolean inside(ResponderState s, int slot, RocePacket in) {
        long skipped = in.va - s.resourceVa(slot);
        return in.rkey == s.resourceKey(slot) && skipped >= 0 && skipped + in.dmaLen <= s.resourceLength(slot);
    }

    private static void replay(ResponderState s, RocePacket in, RequestDecision out) {
        int slot = s.findAtomic(in.psn);
        if (slot < 0) {
            out.drop(Drop.DUPLICATE);
            return;
        }
        out.action = Action.REPLAY_ATOMIC;
        out.resource = slot;
        out.original = s.resourceOriginal(slot);
        out.unfinished = !s.isAtomicDone(slot);
    }

    private static void unreliable(
            ResponderState s, RocePacket in, @Nullable Opcode opcode, ResponderEnv env, RequestDecision out) {
        boolean starts = opcode != null && opcode.startsMessage();
        if (starts) {
            // Whatever was in progress is lost; its receive work request serves the new message.
            s.dropping = false;
            s.message = ResponderState.IDLE;
        } else if (in.psn != s.expectedPsn) {
            s.dropping = true;
        }
        s.expectedPsn = Psn.plus(in.psn, 1);
        if (s.dropping) {
            s.message = ResponderState.IDLE;
            out.drop(Drop.MESSAGE_LOST);
            return;
        }
        int refusal = opcode == null ? Syndrome.NAK_INVALID_REQUEST : Execution.run(s, in, opcode, env, out);
        if (refusal != Execution.DONE) {
            s.dropping = true;
            s.message = ResponderState.IDLE;
            out.takesReceive = false;
            out.receiveStatus = WcStatus.SUCCESS;
            out.drop(reason(refusal));
        }
    }

    private static Drop reason(int refusal) {
        return switch (refusal) {
            case Syndrome.RNR_NAK -> Drop.NO_RECEIVE;
            case Syndrome.NAK_INVALID_REQUEST -> Drop.INVALID;
            default -> Drop.ACCESS;
        };
    }

    private static void datagram(
            ResponderState s, RocePacket in, @Nullable Opcode opcode, ResponderEnv env, RequestDecision out) {
        if (opcode == null || !opcode.payloadRule().allows(in.payloadLength, s.mtu)) {
            out.drop(Drop.INVALID);
        } else if (!env.receiveAvailable()) {
            out.drop(Drop.NO_RECEIVE);
        } else if (in.payloadLength + GRH_BYTES > env.receiveCapacity()) {
            out.drop(Drop.INVALID);
        } else {
            out.action = Action.SEND;
            out.offset = GRH_BYTES;
            out.length = in.payloadLength;
            out.takesReceive = true;
            out.completesReceive = true;
            out.byteLength = in.payloadLength + (long) GRH_BYTES;
            out.solicited = in.solicited;
            out.hasImm = opcode.hasImm();
            out.immOrKey = in.imm;
        }
    }

    /**
     * Turns a decision into a final refusal, for a failure that only shows when the data is placed. The queue pair goes to ERR. An
     * unreliable one tells nobody; it goes to ERR only if its own receive is at fault.
     *
     * @param syndrome one of the NAK codes of {@link Syndrome}
     */
    public static void refuse(ResponderState s, RequestDecision decision, int syndrome) {
        if (!decision.reliable) {
            // The rest of the message is lost with this packet; the receive that it took serves another one.
            s.dropping = true;
            s.message = ResponderState.IDLE;
            s.receiveHeld |= decision.completesReceive;
            decision.completesReceive = false;
            decision.drop(Drop.ACCESS);
            decision.qpError = syndrome == Syndrome.NAK_REMOTE_OPERATION;
            return;
        }
        if (decision.completesReceive && decision.receiveOfWrite) {
            decision.receiveStatus = WcStatus.LOC_ACCESS_ERR;
        }
        decision.nak(syndrome);
        decision.ackPsn = decision.psn;
        decision.qpError = true;
    }

    /**
     * Notes that the key which a SEND asks to invalidate may not be invalidated: the receive fails and the queue pair goes to ERR.
     * The message has arrived, so it is acknowledged all the same, as Linux does.
     */
    public static void notInvalidated(RequestDecision decision) {
        decision.completesReceive = false;
        decision.receiveStatus = WcStatus.REM_INV_REQ_ERR;
        decision.qpError = true;
    }

    /**
     * Keeps the result of an atomic so that a duplicate gets the same answer.
     *
     * @param resource {@link RequestDecision#resource} of the decision
     * @param psn of the request
     * @param original value before the operation
     */
    public static void atomicDone(ResponderState s, int resource, int psn, long original) {
        s.atomicDone(resource, psn, original);
    }

    /**
     * Notes that the answer of a READ, or its last response, was made: the requester may have another one outstanding. An atomic is
     * answered with {@link #atomicDone}.
     *
     * @param resource {@link RequestDecision#resource} of the decision
     * @param psn of the request
     */
    public static void answered(ResponderState s, int resource, int psn) {
        s.answered(resource, psn);
    }

    /** Tells whether an acknowledgement is held back for more packets: it must be sent when none comes for a while. */
    public static boolean owesAck(ResponderState s) {
        return s.owed > 0;
    }

    /** Makes a packet the acknowledgement that was held back. */
    public static void fillOwedAck(ResponderState s, RocePacket out) {
        s.owed = 0;
        fillAck(s, s.ackablePsn, s.ackSyndrome, s.msn, out);
    }

    /** Makes a packet an ACKNOWLEDGE: positive, receiver-not-ready or refusal, as the syndrome says. */
    public static void fillAck(ResponderState s, int psn, int syndrome, int msn, RocePacket out) {
        answer(s, Opcode.RC_ACKNOWLEDGE, psn, out);
        out.syndrome = syndrome;
        out.msn = msn;
    }

    /**
     * Makes a packet one response of a READ. A restarted READ answers like a new one: FIRST or ONLY comes first.
     *
     * @param firstPsn {@link RequestDecision#ackPsn} of the decision
     * @param length bytes that the READ asks for
     * @param index of the response, from 0
     * @param syndrome {@link RequestDecision#syndrome} of the decision, goes out in all responses but MIDDLE ones
     * @param msn goes out with it
     * @return offset of the payload in the data, in bytes; its length is {@code out.payloadLength}
     */
    public static long fillReadResponse(
            ResponderState s, int firstPsn, long length, int index, int syndrome, int msn, RocePacket out) {
        long offset = (long) index * s.mtu;
        boolean last = length - offset <= s.mtu;
        Opcode opcode = index == 0
                ? last ? Opcode.RC_RDMA_READ_RESPONSE_ONLY : Opcode.RC_RDMA_READ_RESPONSE_FIRST
                : last ? Opcode.RC_RDMA_READ_RESPONSE_LAST : Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
        answer(s, opcode, Psn.plus(firstPsn, index), out);
        if (opcode.hasAeth()) {
            out.syndrome = syndrome;
            out.msn = msn;
        }
        out.setPayloadLength((int) Math.min(s.mtu, length - offset));
        return offset;
    }

    /** Makes a packet the answer of an atomic. */
    public static void fillAtomicAck(ResponderState s, int psn, int syndrome, int msn, long original, RocePacket out) {
        answer(s, Opcode.RC_ATOMIC_ACKNOWLEDGE, psn, out);
        out.syndrome = syndrome;
        out.msn = msn;
        out.original = original;
    }

    /** Makes a prepared answer, whose data could not be read, the refusal that ends the connection. */
    public static void fail(RocePacket out) {
        out.opcode = Opcode.RC_ACKNOWLEDGE.code();
        out.syndrome = Syndrome.NAK_REMOTE_OPERATION;
        out.payload.clear();
        out.setPayloadLength(0);
    }

    private static void answer(ResponderState s, Opcode opcode, int psn, RocePacket out) {
        out.reset();
        out.opcode = opcode.code();
        out.pkey = s.pkey;
        out.destQp = s.destQpn;
        out.psn = psn;
    }
}
