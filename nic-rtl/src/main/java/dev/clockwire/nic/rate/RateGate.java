package dev.clockwire.nic.rate;

import dev.clockwire.roce.congestion.TokenBucket;
import dev.clockwire.roce.congestion.TokenBucketSpec;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * The pacing of one queue pair: the state machine of article 1 around a token bucket that is charged per packet, or per message as the
 * article has it. A packet with tokens passes CHECK_TOKEN, DMA_FETCH and UPDATE_TOKEN in the cycle in which its payload is asked for; one
 * without waits in WAIT_TIMER for the cycle in which there will be enough, and is checked again then, because the rate may be new.
 *
 * <p>The debit comes with the request for payload, not after it: refills of a long fetch would be cut at a bucket that looks full.
 */
public final class RateGate implements State {
    /** The states of the article. */
    public enum Phase {
        /** Nothing waits for tokens. */
        IDLE,
        /** A packet or message is compared with the tokens. */
        CHECK_TOKEN,
        /** There were enough: its payload is asked for. */
        DMA_FETCH,
        /** It is charged. */
        UPDATE_TOKEN,
        /** There were not: until the tokens have grown. */
        WAIT_TIMER
    }

    private static final Phase[] PHASES = Phase.values();

    private final TokenBucket bucket = new TokenBucket(TokenBucketSpec.reset());
    private final int overhead;
    private final boolean perMessage;
    private Phase phase = Phase.IDLE;
    private long since;
    private long due;
    private long waits;
    private long waited;

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
        phase = Phase.IDLE;
    }

    /** Whether the packet that is next must wait for a cycle that was found before: nothing to do until {@link #due}. */
    public boolean holds(long cycle) {
        return phase == Phase.WAIT_TIMER && due > cycle;
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
            waits += phase == Phase.WAIT_TIMER ? 0 : 1;
            since = phase == Phase.WAIT_TIMER ? since : cycle;
            phase = Phase.WAIT_TIMER;
            due = when;
            return false;
        }
        waited += phase == Phase.WAIT_TIMER ? cycle - since : 0;
        bucket.take(cycle, bytes);
        phase = Phase.IDLE;
        return true;
    }

    /** What waited is thrown away: the next packet is checked anew. */
    public void forget() {
        phase = Phase.IDLE;
    }

    /** Returns the state between two cycles: IDLE or WAIT_TIMER, the others pass within one. */
    public Phase phase() {
        return phase;
    }

    /** Returns how many packets or messages had to wait. */
    public long waits() {
        return waits;
    }

    /** Returns the cycles that packets waited which have left since. */
    public long waitedCycles() {
        return waited;
    }

    @Override
    @SuppressWarnings("EnumOrdinal") // snapshots are for the same build only
    public void save(Snapshot out) {
        bucket.save(out);
        out.putInt(phase.ordinal());
        out.putLong(since);
        out.putLong(due);
        out.putLong(waits);
        out.putLong(waited);
    }

    @Override
    public void load(Snapshot in) {
        bucket.load(in);
        phase = PHASES[in.getInt()];
        since = in.getLong();
        due = in.getLong();
        waits = in.getLong();
        waited = in.getLong();
    }
}
