package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.WrOpcode;
import org.jspecify.annotations.Nullable;

/**
 * One send work request of a {@link SendBatch}: what {@link SendWorkRequest} says, mutable and without objects of its own.
 * Providers read it during {@link QueuePairProvider#postSend} and keep nothing of it.
 */
public final class SendEntry {
    /** A number for the completion. */
    public long wrId;
    /** The operation. */
    public WrOpcode opcode = WrOpcode.SEND;
    /** {@link SendFlag} mask. */
    public int flags;
    /** Remote address; not for SEND. */
    public long remoteAddress;
    /** Remote key, or the new key of a window; not for SEND. */
    public int rkey;
    /** Immediate data in wire order, or the key to invalidate, the peer's or the own one. */
    public int immOrKey;
    /** Value to swap in or to add. */
    public long swapAdd;
    /** Value to compare with. */
    public long compare;
    /** UD: the way to the receiver. */
    public @Nullable AddressHandle ah;
    /** UD: queue pair number of the receiver. */
    public int remoteQpn;
    /** UD: queue key of the receiver; with bit 31, the own one is sent. */
    public int remoteQkey;

    /** BIND_MW: what the window opens. */
    public @Nullable MwBind bind;

    private final SgeList sges;

    SendEntry(int maxSge) {
        sges = new SgeList(maxSge);
    }

    /** Makes this an unsignalled SEND of nothing again. */
    public void reset() {
        wrId = 0;
        opcode = WrOpcode.SEND;
        flags = 0;
        remoteAddress = 0;
        rkey = 0;
        immOrKey = 0;
        swapAdd = 0;
        compare = 0;
        ah = null;
        remoteQpn = 0;
        remoteQkey = 0;
        bind = null;
        sges.clear();
    }

    /** Returns the local memory. */
    public SgeList sges() {
        return sges;
    }

    /** Tells whether a flag is set. */
    public boolean has(SendFlag flag) {
        return flag.in(flags);
    }

    /** Takes over a work request. */
    public void set(SendWorkRequest wr) {
        wrId = wr.wrId();
        opcode = wr.opcode();
        flags = SendFlag.mask(wr.flags());
        remoteAddress = wr.remoteAddress();
        rkey = wr.rkey();
        immOrKey = wr.immOrKey();
        swapAdd = wr.swapAdd();
        compare = wr.compare();
        ah = wr.ah();
        remoteQpn = wr.remoteQpn();
        remoteQkey = wr.remoteQkey();
        bind = wr.bind();
        sges.set(wr.sges());
    }
}
