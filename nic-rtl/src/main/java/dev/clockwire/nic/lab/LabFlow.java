package dev.clockwire.nic.lab;

import dev.clockwire.roce.fabric.host.Flow;
import dev.clockwire.roce.fabric.host.FlowSpec;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.QueuePair;
import org.jspecify.annotations.Nullable;

/** A flow between two hosts with whole devices: RDMA WRITEs of one queue pair, each as long as the buffer, the last one shorter. */
public final class LabFlow implements Flow {
    private static final long BIT_PS = 8_000_000_000_000L;

    private final FlowSpec spec;
    private final long beginsPs;
    private final int message;
    final QueuePair qp;
    final long from;
    final int lkey;
    final long to;
    final int rkey;
    final long packets;

    /** Bytes posted and bytes whose completion was polled. */
    private long posted;

    private long acknowledged;
    private long doneAt = -1;
    private @Nullable WcStatus failure;
    /** On the line of the sender. */
    private long packetsSent;

    private long bytesSent;
    private long bytesSeen;
    private long seenAt;

    LabFlow(FlowSpec spec, long beginsPs, int mtu, QueuePair qp, Buffers buffers) {
        this.spec = spec;
        this.beginsPs = beginsPs;
        this.qp = qp;
        message = buffers.length;
        from = buffers.from;
        lkey = buffers.lkey;
        to = buffers.to;
        rkey = buffers.rkey;
        seenAt = beginsPs;
        long whole = spec.bytes() / message;
        long rest = spec.bytes() % message;
        packets = whole * ((message + mtu - 1) / mtu) + (rest + mtu - 1) / mtu;
    }

    /** Where its messages come from and go to. */
    record Buffers(int length, long from, int lkey, long to, int rkey) {}

    /** Returns the length of the next message, 0 if all are posted. */
    int next() {
        return failure != null ? 0 : (int) Math.min(message, spec.bytes() - posted);
    }

    int underWay() {
        return (int) ((posted - acknowledged + message - 1) / message);
    }

    void posted(int bytes) {
        posted += bytes;
    }

    void completed(WcStatus status, long now) {
        if (status != WcStatus.SUCCESS) {
            failure = failure == null ? status : failure; // the first one says why, the others are flushed
            return;
        }
        acknowledged += Math.min(message, spec.bytes() - acknowledged);
        if (acknowledged == spec.bytes()) {
            doneAt = now;
        }
    }

    /** A packet of it is on its sender's line. */
    void sent(int bytes) {
        packetsSent++;
        bytesSent += bytes;
    }

    /** Returns its packets on the sender's line. */
    public long packetsSent() {
        return packetsSent;
    }

    /** Returns why it failed; null if it has not. */
    public @Nullable WcStatus failure() {
        return failure;
    }

    @Override
    public FlowSpec spec() {
        return spec;
    }

    @Override
    public long beginsPs() {
        return beginsPs;
    }

    @Override
    public boolean done() {
        return doneAt >= 0;
    }

    @Override
    public boolean failed() {
        return failure != null;
    }

    @Override
    public long completionPs() {
        return doneAt - beginsPs;
    }

    @Override
    public long acknowledgedBytes() {
        return acknowledged;
    }

    /** Returns the packets on the sender's line beyond those that it takes; a flow that has not ended counts what was sent so far. */
    @Override
    public long retransmissions() {
        return Math.max(0, packetsSent - packets);
    }

    /** Returns what it has sent since the last look. */
    @Override
    public long rate(long now) {
        long bytes = bytesSent - bytesSeen;
        long time = now - seenAt;
        bytesSeen = bytesSent;
        seenAt = now;
        return time <= 0 ? 0 : (long) ((double) bytes * BIT_PS / time);
    }
}
