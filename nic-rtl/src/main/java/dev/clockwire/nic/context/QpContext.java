package dev.clockwire.nic.context;

import dev.clockwire.roce.congestion.TokenBucketSpec;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.RequesterSpec;
import dev.clockwire.roce.transport.ResponderSpec;
import dev.clockwire.roce.wire.FlowAddress;
import org.jspecify.annotations.Nullable;

/** A queue pair as the device knows it: what control commands set. Mutable because commands change it between instants. */
public final class QpContext {
    /** Number, 24 bits. */
    public final int qpn;
    /** Transport service. */
    public final QpType type;
    /** Protection domain. */
    public final int pd;
    /** Address of the send ring. */
    public final long sqBase;
    /** log2 of the send ring's size in 64 B blocks. */
    public final int logSqBlocks;
    /** Address of the receive ring. */
    public final long rqBase;
    /** log2 of the receive ring's size in WQEs; -1 without a receive queue. */
    public final int logRqEntries;
    /** Bytes of one receive WQE, a power of two. */
    public final int rqStride;
    /** Address of the doorbell record: word 0 receive counter, word 1 send counter. */
    public final long recordAddress;
    /** Completion queue of the send side. */
    public final int sendCqn;
    /** Completion queue of the receive side. */
    public final int recvCqn;

    /** Place in the tables of the device and its blocks, from 0; never used again. */
    public int slot;

    /** Page of the doorbells, from 0; another queue pair may get it when this one is destroyed. */
    public int uar;

    /** State of the state machine. */
    public QpState state = QpState.RESET;
    /** The shared queue that receives are taken from; null for an own one. */
    public @Nullable SrqContext srq;

    /** Its sends are released by another queue pair, not by doorbells. */
    public boolean managedSends;

    /** On its way to RESET: what is in its queues ends without a completion. */
    public boolean resetting;

    /** Of its two sides, those that are empty already. */
    public int sidesEmpty;

    /** In SQD with messages under way. */
    public boolean draining;

    /** An event is wanted when it has drained. */
    public boolean drainEvent;

    /** Destroyed: the number is not used again, what is still in the blocks is flushed in silence. */
    public boolean closed;
    /** Its capsules are taken by the NVMe-oF offload; null if the host's core gets them. */
    public @Nullable OffloadQueue offload;

    /** Path MTU in bytes. */
    public int mtu = 1024;
    /** Time without progress after which unacknowledged packets are sent again, in ps; {@code Long.MAX_VALUE}: never. */
    public long ackTimeoutPs = Long.MAX_VALUE;

    /** Where the context lies in host memory, if the chip does not hold all. */
    public long contextAddress;

    /** Pacing of what it sends. */
    public TokenBucketSpec rate = TokenBucketSpec.reset();

    /** Grants in each round of a weighted scheduler, 1 to 255. */
    public int weight = 1;

    /** Priority for a strict scheduler, 0 (lowest) to 7. */
    public int priority;

    /** Queue key of a datagram QP. */
    public int qkey;
    /** What the requester was told; null before the QP is ready to send. */
    public @Nullable RequesterSpec requester;
    /** What the responder was told; null before the QP is ready to receive. */
    public @Nullable ResponderSpec responder;
    /** Addresses of what this QP sends. */
    public final FlowAddress flow = new FlowAddress();
    /** Journey of the operation in each block of the send ring; 0 where nobody follows it. Never on a wire. */
    public final long[] journeys;

    /** Creates the context of a QP in state RESET. */
    public QpContext(
            int qpn,
            QpType type,
            int pd,
            long sqBase,
            int logSqBlocks,
            long rqBase,
            int logRqEntries,
            int rqStride,
            long recordAddress,
            int sendCqn,
            int recvCqn) {
        this.qpn = qpn;
        this.type = type;
        this.pd = pd;
        this.sqBase = sqBase;
        this.logSqBlocks = logSqBlocks;
        this.rqBase = rqBase;
        this.logRqEntries = logRqEntries;
        this.rqStride = rqStride;
        this.recordAddress = recordAddress;
        this.sendCqn = sendCqn;
        this.recvCqn = recvCqn;
        journeys = new long[1 << logSqBlocks];
    }

    /** Returns the journey of the WQE at a block index. */
    public long journey(int index) {
        return journeys[index & journeys.length - 1];
    }
}
