package dev.clockwire.roce.transport;

import dev.clockwire.roce.transport.RequestDecision.Action;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;

/**
 * What a connected responder does with the request it expects. The checks run in the order of the standard: opcode sequence,
 * right of the queue pair, resource, length, key.
 */
final class Execution {
    /** The request is executed. */
    static final int DONE = 0;

    private static final long MAX_MESSAGE = 1L << 31;

    private Execution() {}

    /**
     * Executes a request: changes the state and fills the decision, or refuses it and changes nothing.
     *
     * @return {@link #DONE} or the syndrome of the refusal
     */
    static int run(ResponderState s, RocePacket in, Opcode opcode, ResponderEnv env, RequestDecision d) {
        AccessFlag right = right(opcode);
        int expected = right == AccessFlag.REMOTE_WRITE ? ResponderState.IN_WRITE : ResponderState.IN_SEND;
        boolean inOrder = opcode.startsMessage() ? s.message == ResponderState.IDLE : s.message == expected;
        if (!inOrder || (right != AccessFlag.LOCAL_WRITE && !right.in(s.access))) {
            return Syndrome.NAK_INVALID_REQUEST;
        }
        return switch (right) {
            case REMOTE_WRITE -> write(s, in, opcode, env, d);
            case REMOTE_READ -> read(s, in, env, d);
            case REMOTE_ATOMIC -> atomic(s, in, opcode, env, d);
            default -> send(s, in, opcode, env, d);
        };
    }

    /** Returns the right that an operation needs; a SEND goes where the receiver said, which needs its local one only. */
    static AccessFlag right(Opcode opcode) {
        int operation = opcode.code() & 0x1F;
        if (opcode.hasAtomicEth()) {
            return AccessFlag.REMOTE_ATOMIC;
        }
        if (operation == Opcode.RC_RDMA_READ_REQUEST.code()) {
            return AccessFlag.REMOTE_READ;
        }
        boolean write = operation >= Opcode.RC_RDMA_WRITE_FIRST.code()
                && operation <= Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE.code();
        return write ? AccessFlag.REMOTE_WRITE : AccessFlag.LOCAL_WRITE;
    }

    private static int send(ResponderState s, RocePacket in, Opcode opcode, ResponderEnv env, RequestDecision d) {
        if (opcode.startsMessage() && !takeReceive(s, env, d)) {
            return Syndrome.RNR_NAK;
        }
        if (!opcode.payloadRule().allows(in.payloadLength, s.mtu)) {
            return Syndrome.NAK_INVALID_REQUEST;
        }
        long before = opcode.startsMessage() ? 0 : s.received;
        if (before + in.payloadLength > env.receiveCapacity()) {
            d.receiveStatus = WcStatus.LOC_LEN_ERR;
            return Syndrome.NAK_INVALID_REQUEST;
        }
        d.action = Action.SEND;
        d.offset = before;
        d.length = in.payloadLength;
        s.received = before + in.payloadLength;
        s.message = ResponderState.IN_SEND;
        s.receiveHeld = true;
        finish(s, in, opcode, d);
        return DONE;
    }

    private static int write(ResponderState s, RocePacket in, Opcode opcode, ResponderEnv env, RequestDecision d) {
        if (opcode.consumesRecv() && !takeReceive(s, env, d)) {
            return Syndrome.RNR_NAK;
        }
        boolean starts = opcode.startsMessage();
        long rest = starts ? in.dmaLen : s.remaining;
        int length = in.payloadLength;
        boolean exact = opcode.endsMessage() ? length == rest : length < rest;
        if (!exact || rest > MAX_MESSAGE || !opcode.payloadRule().allows(length, s.mtu)) {
            return Syndrome.NAK_INVALID_REQUEST;
        }
        if (starts && rest > 0) {
            int refusal = env.checkRemote(in.rkey, in.va, rest, AccessFlag.REMOTE_WRITE.code());
            if (refusal != ResponderEnv.GRANTED) {
                if (opcode.consumesRecv()) {
                    d.receiveStatus = WcStatus.LOC_ACCESS_ERR;
                }
                return refusal;
            }
        }
        d.action = Action.WRITE;
        d.va = starts ? in.va : s.va;
        d.rkey = starts ? in.rkey : s.rkey;
        d.length = length;
        s.va = d.va + length;
        s.rkey = d.rkey;
        s.remaining = rest - length;
        s.received = (starts ? 0 : s.received) + length;
        s.message = ResponderState.IN_WRITE;
        finish(s, in, opcode, d);
        return DONE;
    }

    private static boolean takeReceive(ResponderState s, ResponderEnv env, RequestDecision d) {
        d.takesReceive = !s.receiveHeld;
        return s.receiveHeld || env.receiveAvailable();
    }

    private static void finish(ResponderState s, RocePacket in, Opcode opcode, RequestDecision d) {
        s.expectedPsn = Psn.plus(in.psn, 1);
        s.ackablePsn = in.psn;
        d.ackDue = in.ackReq && s.type == QpType.RC && s.owe();
        if (!opcode.endsMessage()) {
            return;
        }
        s.message = ResponderState.IDLE;
        count(s, d);
        if (opcode.makesRecvCqe()) {
            s.receiveHeld = false;
            d.completesReceive = true;
            d.byteLength = s.received;
            d.receiveOfWrite = d.action == Action.WRITE;
            d.solicited = in.solicited;
            d.hasImm = opcode.hasImm();
            d.hasInvalidate = opcode.hasIeth();
            d.immOrKey = d.hasImm ? in.imm : d.hasInvalidate ? in.invalidateKey : 0;
        }
    }

    private static int read(ResponderState s, RocePacket in, ResponderEnv env, RequestDecision d) {
        if (s.maxDestRdAtomic == 0 || s.resourcesBusy() || in.dmaLen > MAX_MESSAGE) {
            return Syndrome.NAK_INVALID_REQUEST;
        }
        if (in.dmaLen > 0) {
            int refusal = env.checkRemote(in.rkey, in.va, in.dmaLen, AccessFlag.REMOTE_READ.code());
            if (refusal != ResponderEnv.GRANTED) {
                return refusal;
            }
        }
        d.action = Action.READ;
        d.va = in.va;
        d.rkey = in.rkey;
        d.length = in.dmaLen;
        d.responses = Psn.count(in.dmaLen, s.mtu);
        d.resource = s.keepRead(in.psn, d.responses, in.va, in.rkey, in.dmaLen);
        s.expectedPsn = Psn.plus(in.psn, d.responses);
        s.owed = 0;
        count(s, d);
        return DONE;
    }

    private static int atomic(ResponderState s, RocePacket in, Opcode opcode, ResponderEnv env, RequestDecision d) {
        if (s.maxDestRdAtomic == 0 || s.resourcesBusy()) {
            return Syndrome.NAK_INVALID_REQUEST;
        }
        int refusal = env.checkRemote(in.rkey, in.va, Long.BYTES, AccessFlag.REMOTE_ATOMIC.code());
        if (refusal != ResponderEnv.GRANTED) {
            return refusal;
        }
        if ((in.va & Long.BYTES - 1) != 0) {
            return Syndrome.NAK_INVALID_REQUEST;
        }
        d.action = Action.ATOMIC;
        d.va = in.va;
        d.rkey = in.rkey;
        d.length = Long.BYTES;
        d.compareSwap = opcode == Opcode.RC_COMPARE_SWAP;
        d.swapAdd = in.swapAdd;
        d.compare = in.compare;
        d.resource = s.keepAtomic(in.psn);
        s.owed = 0;
        s.expectedPsn = Psn.plus(in.psn, 1);
        s.ackablePsn = in.psn;
        count(s, d);
        return DONE;
    }

    /** Counts a message. */
    private static void count(ResponderState s, RequestDecision d) {
        s.msn = Psn.plus(s.msn, 1);
        d.msn = s.msn;
    }
}
