package dev.clockwire.roce.soft;

import dev.clockwire.roce.transport.MemoryKey;
import dev.clockwire.roce.transport.MemoryKeys;
import dev.clockwire.roce.transport.SendWork;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.AddressHandle;
import dev.clockwire.roce.verbs.MwBind;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.SgeList;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.sim.mem.AddressSpace;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One slot of a send queue: the work request as the rules want it, and the local memory. Used again and again. */
final class SendWqe {
    final SendWork work = new SendWork();
    long wrId;
    /** UD: addresses of the datagram. */
    final FlowAddress flow = new FlowAddress();

    final Sges sges = new Sges();
    /** Inline data of {@link #inlineLength} bytes; -1 if the data is not inline. */
    byte[] inline = {};

    int inlineLength = -1;
    /** WAIT: where the send queue stands until it has had {@link #waitFor} completions; null of any other. */
    @Nullable
    SoftCompletionQueue waitCq;

    long waitFor;
    /** BIND_MW: key of the region, bytes and rights of the window. */
    private int bindRegion;

    private long bindLength;
    private int bindAccess;

    void set(SendEntry wr, long index, AddressSpace memory) {
        wrId = wr.wrId;
        waitCq = null;
        work.reset();
        work.id = index;
        work.opcode = wr.opcode;
        work.length = wr.sges().totalLength();
        work.signaled = wr.has(SendFlag.SIGNALED);
        work.solicited = wr.has(SendFlag.SOLICITED);
        work.fence = wr.has(SendFlag.FENCE);
        work.remoteVa = wr.remoteAddress;
        work.rkey = wr.rkey;
        work.immOrKey = wr.immOrKey;
        work.swapAdd = wr.swapAdd;
        work.compare = wr.compare;
        work.destQpn = wr.remoteQpn;
        work.qkey = wr.remoteQkey;
        MwBind bind = wr.bind;
        if (bind != null) {
            bindRegion = bind.region().lkey();
            work.remoteVa = bind.address();
            bindLength = bind.length();
            bindAccess = bind.accessMask();
        }
        AddressHandle ah = wr.ah;
        if (ah != null) {
            flow.set(ah.flow());
        }
        if (wr.has(SendFlag.INLINE)) {
            copy(wr.sges(), memory);
        } else {
            inlineLength = -1;
            sges.set(wr.sges());
        }
    }

    /** Makes this a wait. */
    void set(long newWrId, long index, SoftCompletionQueue cq, long completions) {
        wrId = newWrId;
        work.reset();
        work.id = index;
        inlineLength = -1;
        waitCq = cq;
        waitFor = completions;
    }

    private void copy(SgeList from, AddressSpace memory) {
        inlineLength = (int) from.totalLength();
        if (inline.length < inlineLength) {
            inline = Arrays.copyOf(inline, inlineLength);
        }
        int at = 0;
        for (int i = 0; i < from.count(); i++) {
            memory.getBytes(from.address(i), inline, at, (int) from.length(i));
            at += (int) from.length(i);
        }
    }

    /** Does a local operation and returns how it ended. */
    WcStatus local(MemoryKeys keys, int pd, int qpn) {
        if (work.opcode == WrOpcode.LOCAL_INV) {
            return keys.invalidate(pd, qpn, work.immOrKey) ? WcStatus.SUCCESS : WcStatus.LOC_QP_OP_ERR;
        }
        MemoryKey window = keys.findIndex(work.rkey);
        MemoryKey region = keys.find(bindRegion);
        boolean bound = window != null
                && region != null
                && window.pd() == pd
                && keys.bind(window, work.rkey, region, work.remoteVa, bindLength, qpn, bindAccess);
        return bound ? WcStatus.SUCCESS : WcStatus.MW_BIND_ERR;
    }

    boolean isInline() {
        return inlineLength >= 0;
    }
}
