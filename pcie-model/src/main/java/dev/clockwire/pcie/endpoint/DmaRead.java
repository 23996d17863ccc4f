package dev.clockwire.pcie.endpoint;

import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * A read of host memory by the device. The device fills it in, sends it to {@link PcieEndpoint#readPort} and gets the same
 * object back through {@link #reply} when the last byte has arrived.
 */
public final class DmaRead extends Token {
    /** First byte. */
    public long address;
    /** Bytes; 0 is a flush: it comes back when earlier writes are in memory. */
    public int length;
    /** Key by which the device knows the memory, 0 for its own structures; never on a wire. */
    public int key;
    /** For whom, as {@link dev.clockwire.sim.mem.MemoryUser} says; never on a wire. */
    public long user;
    /** Which part of the followed operation this belongs to (a PSN). */
    public int part;
    /** Stage of the followed operation that waits for the data; 0 for none. */
    public int stage;
    /** The data are appended here, in address order. */
    public Payload into = new Payload();
    /** Reads of one flow are issued in the order sent and share a window; flows take turns. 0 to 65535. */
    public int flow;
    /** Most MRd packets that this flow may have outstanding when this read is issued, at least 1. */
    public int window = 1;
    /** The device's own. */
    public long cookie;
    /** Where the read comes back. */
    public @Nullable Inlet<DmaRead> reply;
    /** Where the read comes back, 1 ps after the last byte, for devices without a clock. */
    public @Nullable EventPort replyPort;
    /** SC, or how the host refused it; what it refused reads as zeros. */
    public CompletionStatus status = CompletionStatus.SC;
    /** Why the data must not be used, what is missing reads as zeros; the first reason if there are several. */
    public DmaError error = DmaError.NONE;
    /** When the first MRd was handed to the link, in ps. */
    public long issuedPs;
    /** How long it waited before that for its window, a tag or room for its completions, in ps. */
    public long heldPs;
    /** When the last byte arrived, in ps. */
    public long donePs;

    /** Address type of its packets; the device's own. */
    int addressType;
    /** Place among the translated reads; the device's own. */
    long place;

    /** Creates a read of nothing. */
    public DmaRead() {}

    /** Notes why the data must not be used. */
    void fail(DmaError why) {
        if (error == DmaError.NONE) {
            error = why;
        }
    }

    @Override
    protected Token copy() {
        DmaRead r = new DmaRead();
        r.address = address;
        r.length = length;
        r.key = key;
        r.user = user;
        r.part = part;
        r.stage = stage;
        r.into.appendFrom(into, 0, into.length());
        r.flow = flow;
        r.window = window;
        r.cookie = cookie;
        r.reply = reply;
        r.replyPort = replyPort;
        r.status = status;
        r.error = error;
        r.addressType = addressType;
        r.place = place;
        r.issuedPs = issuedPs;
        r.heldPs = heldPs;
        r.donePs = donePs;
        return r;
    }

    @Override
    public long digest() {
        return address * 31 + length;
    }
}
