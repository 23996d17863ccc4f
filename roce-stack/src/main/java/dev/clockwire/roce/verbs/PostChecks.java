package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WrOpcode;
import org.jspecify.annotations.Nullable;

/**
 * Checks of work requests while they are posted. Keys, ranges and rights are no matter of posting: they show in the completion.
 * A check returns null if it has nothing against the work request, so that the good case costs nothing.
 */
final class PostChecks {
    static final String SEND = "post_send";
    static final String RECEIVE = "post_recv";
    static final String WAIT = "post_wait";
    static final String ENABLE = "post_enable";

    private PostChecks() {}

    static @Nullable VerbsException send(
            QueuePairProvider queue, QpInit init, int maxRdAtomic, SendEntry wr, int index) {
        QpState state = queue.state();
        if (!state.allowsPostSend()) {
            return refuse(Errno.EINVAL, SEND, index, "state is " + state + ": must be RTS, SQD, SQE or ERR");
        }
        if (!wr.opcode.allowedOn(init.type())) {
            return refuse(Errno.EINVAL, SEND, index, wr.opcode + " is not allowed on " + init.type());
        }
        if (wr.opcode.needsResponse() && maxRdAtomic == 0) {
            return refuse(Errno.EINVAL, SEND, index, wr.opcode + " needs a max_rd_atomic of at least 1");
        }
        int max = init.capabilities().maxSendSge();
        if (wr.sges().count() > max) {
            return refuse(Errno.ENOMEM, SEND, index, wr.sges().count() + " SGEs: must be 0.." + max);
        }
        VerbsException error = pieces(wr.sges(), SEND, index);
        if (error == null) {
            error = flags(init, wr, index);
        }
        if (error == null) {
            error = operands(init, wr, index);
        }
        if (error == null && queue.sendSpace() <= 0) {
            int depth = init.capabilities().maxSendWr();
            error = refuse(
                    Errno.ENOMEM, SEND, index, "send queue of " + depth + " is full: poll a signalled completion");
        }
        return error;
    }

    private static @Nullable VerbsException flags(QpInit init, SendEntry wr, int index) {
        if (wr.has(SendFlag.FENCE) && init.type() != QpType.RC) {
            return refuse(
                    Errno.EINVAL,
                    SEND,
                    index,
                    "FENCE on " + init.type() + ": only RC has READs and atomics to wait for");
        }
        if (!wr.has(SendFlag.INLINE)) {
            return null;
        }
        if (!wr.opcode.carriesPayload()) {
            return refuse(Errno.EINVAL, SEND, index, wr.opcode + " cannot be inline: only SEND and WRITE carry data");
        }
        int max = init.capabilities().maxInlineData();
        long length = wr.sges().totalLength();
        return length <= max ? null : refuse(Errno.ENOMEM, SEND, index, length + " inline bytes: must be 0.." + max);
    }

    private static @Nullable VerbsException operands(QpInit init, SendEntry wr, int index) {
        if (wr.opcode.isAtomic()) {
            long length = wr.sges().totalLength();
            if (length != Long.BYTES) {
                return refuse(
                        Errno.EINVAL, SEND, index, length + " bytes for the result of " + wr.opcode + ": must be 8");
            }
        }
        if (wr.opcode == WrOpcode.BIND_MW && wr.bind == null) {
            return refuse(Errno.EINVAL, SEND, index, "BIND_MW needs a window and a region");
        }
        if (wr.opcode.isLocal() && wr.sges().count() > 0) {
            return refuse(Errno.EINVAL, SEND, index, wr.opcode + " takes no SGEs");
        }
        if (init.type() == QpType.UD) {
            AddressHandle ah = wr.ah;
            if (ah == null || ah.isClosed()) {
                return refuse(Errno.EINVAL, SEND, index, "a datagram needs an address handle that is not destroyed");
            }
        }
        return null;
    }

    static @Nullable VerbsException waits(QueuePairProvider queue, QpInit init, CompletionQueue cq) {
        return cq.isClosed()
                ? refuse(Errno.EINVAL, WAIT, 0, "CQ " + cq.number() + " is destroyed")
                : crossChannel(queue, init, WAIT);
    }

    static @Nullable VerbsException enables(QueuePairProvider queue, QpInit init, QueuePair other) {
        if (other.isClosed() || !other.init().managedSends()) {
            String what = other.isClosed() ? " is destroyed" : " has no managed sends: its doorbell releases them";
            return refuse(Errno.EINVAL, ENABLE, 0, "QP 0x" + Integer.toHexString(other.qpn()) + what);
        }
        return crossChannel(queue, init, ENABLE);
    }

    private static @Nullable VerbsException crossChannel(QueuePairProvider queue, QpInit init, String verb) {
        QpState state = queue.state();
        if (!state.allowsPostSend()) {
            return refuse(Errno.EINVAL, verb, 0, "state is " + state + ": must be RTS, SQD, SQE or ERR");
        }
        if (init.type() == QpType.UD) {
            return refuse(Errno.EINVAL, verb, 0, "not allowed on UD");
        }
        int depth = init.capabilities().maxSendWr();
        return queue.sendSpace() > 0
                ? null
                : refuse(Errno.ENOMEM, verb, 0, "send queue of " + depth + " is full: poll a signalled completion");
    }

    /** Checks what a binding names; a work request with another operation than BIND_MW has none. */
    static @Nullable VerbsException bind(MwBind bind, MwType type, SendEntry wr, int index) {
        MemoryWindow window = bind.window();
        if (wr.opcode != WrOpcode.BIND_MW) {
            return refuse(Errno.EINVAL, SEND, index, wr.opcode + " binds no window");
        }
        if (window.isClosed() || bind.region().isClosed()) {
            return refuse(Errno.EINVAL, SEND, index, "window or region is closed");
        }
        if (window.type() != type) {
            return refuse(Errno.EINVAL, SEND, index, window.type() + ": bind_mw takes TYPE_1, a work request TYPE_2");
        }
        return null;
    }

    static @Nullable VerbsException receive(QueuePairProvider queue, QpInit init, ReceiveEntry wr, int index) {
        QpState state = queue.state();
        if (!state.allowsPostReceive()) {
            return refuse(Errno.EINVAL, RECEIVE, index, "state is " + state + ": must be INIT or later");
        }
        if (init.srq() != null) {
            return refuse(Errno.EINVAL, RECEIVE, index, "receives come from a shared queue: post there");
        }
        int max = init.capabilities().maxRecvSge();
        if (wr.sges().count() > max) {
            return refuse(Errno.EINVAL, RECEIVE, index, wr.sges().count() + " SGEs: must be 0.." + max);
        }
        VerbsException error = pieces(wr.sges(), RECEIVE, index);
        if (error == null && queue.receiveSpace() <= 0) {
            int depth = init.capabilities().maxRecvWr();
            error = refuse(Errno.ENOMEM, RECEIVE, index, "receive queue of " + depth + " is full");
        }
        return error;
    }

    /** Checks the lengths of a gather list. */
    static @Nullable VerbsException pieces(SgeList sges, String verb, int index) {
        int bad = sges.badPiece();
        return bad < 0
                ? null
                : refuse(Errno.EINVAL, verb, index, "length " + sges.length(bad) + " of an SGE: must be 0..2147483648");
    }

    private static VerbsException refuse(Errno errno, String verb, int index, String text) {
        return new VerbsException(errno, verb, index, text);
    }
}
