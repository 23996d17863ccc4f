package dev.clockwire.nic.rate;

import dev.clockwire.roce.congestion.TokenBucket;
import dev.clockwire.roce.congestion.TokenBucketSpec;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * The pacing of one queue pair: a token bucket that is charged per packet, or per message as article 1 has it. Of the article's states
 * CHECK_TOKEN, DMA_FETCH and UPDATE_TOKEN all fall into the cycle in which payload is asked for; a packet without tokens waits
 * (WAIT_TIMER) for the cycle in which there will be enough, and is checked again then, because the rate may be new.
 *
 * <p>The debit comes with the request for payload, not after it: refills of a long fetch would be cut at a bucket that looks full.
 */
public final class RateGate implements State {
    private final TokenBucket bucket = new TokenBucket(TokenBucketSpec.reset());
    private final int overhead;
    private final boolean perMessage;
    private boolean waiting;
    private long due;

    /**
     * Creates a gate that is open.
     *
     * @param overhead bytes charged for each packet besides its payload
     * @param perMessage charge a message whole before its first packet
     */
    public RateGate(int overhead, boolean perMessage) {
        this.overhead = overhead;
        this.perMessage = perMessage;
    }

    /** Whether there is a rate to keep to. */
    public boolean limits() {
        return !bucket.unlimited();
    }

    /** Takes a rate and burst over; what waits is checked again. A bucket that begins to limit is full. */
    public void change(TokenBucketSpec spec, long cycle) {
        bucket.burst(cycle, spec.burstBytes());
        bucket.rate(cycle, spec.perCycle());
        waiting = false;
    }

    /** Whether the packet that is next must wait for a cycle that was found before: nothing to do until {@link #due}. */
    public boolean holds(long cycle) {
        return waiting && due > cycle;
    }

    /** Returns the cycle in which a packet that waits is checked again. */
    public long due() {
        return due;
    }

    /**
     * Lets a packet through, or makes it wait; either changes the state.
     *
     * @param payload its bytes of payload
     * @param first the first of its message
     * @param message bytes of payload of the whole message
     * @param packets packets of the whole message
     */
    public boolean pass(long cycle, long payload, boolean first, long message, long packets) {
        if (perMessage && !first) {
            return true;
        }
        long bytes = perMessage ? message + packets * overhead : payload + overhead;
        long when = bucket.eligible(cycle, bytes);
        if (when > cycle) {
            waiting = true;
            due = when;
            return false;
        }
        bucket.take(cycle, bytes);
        waiting = false;
        return true;
    }

    /** What waited is thrown away: the next packet is checked anew. */
    public void forget() {
        waiting = false;
    }

    @Override
    public void save(Snapshot out) {
        bucket.save(out);
        out.putBoolean(waiting);
        out.putLong(due);
    }

    @Override
    public void load(Snapshot in) {
        bucket.load(in);
        waiting = in.getBoolean();
        due = in.getLong();
    }
}
