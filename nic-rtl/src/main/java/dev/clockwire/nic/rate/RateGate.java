package dev.clockwire.nic.rate;

import dev.clockwire.nic.profile.RateSpec;
import dev.clockwire.roce.congestion.LiteralTokenBucket;
import dev.clockwire.roce.congestion.TokenBucket;
import dev.clockwire.roce.congestion.TokenBucketSpec;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import org.jspecify.annotations.Nullable;

/**
 * The pacing of one queue pair: a token bucket that is charged per packet, or per message as article 1 has it, at the rate that software
 * set or, if that is lower, the one its reaction point has come to.
 *
 * <p>Of the article's states CHECK_TOKEN, DMA_FETCH and UPDATE_TOKEN usually fall into the cycle in which payload is asked for; a packet
 * without tokens waits (WAIT_TIMER) for the cycle in which there will be enough, and is checked again then, because the rate may be new.
 * The debit comes with the request for payload, not after it: refills of a long fetch would be cut at a bucket that looks full. With
 * {@code nic.rate.fsm=article} each state lasts: one cycle of IDLE, CHECK_TOKEN and UPDATE_TOKEN, the whole fetch in DMA_FETCH, and one
 * thing is fetched at a time. No cycle is evaluated in which nothing changes.
 */
public final class RateGate implements State {
    /** The states of article 1. */
    public enum Phase {
        /** Nothing was asked. */
        IDLE,
        /** Looks whether there are tokens. */
        CHECK_TOKEN,
        /** The payload is on its way. */
        DMA_FETCH,
        /** Takes the tokens. */
        UPDATE_TOKEN,
        /** Waits until there will be enough. */
        WAIT_TIMER
    }

    private static final Phase[] PHASES = Phase.values();
    private static final long NEVER = Long.MAX_VALUE;

    private final TokenBucket bucket = new TokenBucket(TokenBucketSpec.reset());
    private final @Nullable RateControl control;
    private final RateSpec spec;
    private TokenBucketSpec set = TokenBucketSpec.reset();
    private @Nullable LiteralTokenBucket literal;
    private Phase phase = Phase.IDLE;
    private long due;
    private long asked;

    /** Creates a gate that is open; that with the article's own bucket never fills without a rate. */
    public RateGate(RateSpec spec) {
        this.spec = spec;
        control = spec.dcqcn() == RateSpec.Dcqcn.OFF ? null : new RateControl(spec);
        literal = spec.literalBucket() ? new LiteralTokenBucket(set, false) : null;
    }

    /** Whether there is a rate to keep to. */
    public boolean limits() {
        return literal != null || !bucket.unlimited() || (control != null && control.limits());
    }

    /**
     * Takes a rate and burst over; what waits is checked again. A bucket that begins to limit is full.
     *
     * @param asRead the article's bucket from now on, whatever the profile says
     */
    public void change(TokenBucketSpec to, long cycle, boolean asRead) {
        set = to;
        literal = asRead || spec.literalBucket() ? new LiteralTokenBucket(to, false) : null;
        if (control != null) {
            follow(control, cycle);
        }
        limit(cycle);
        checkAgain();
    }

    private void checkAgain() {
        if (phase == Phase.WAIT_TIMER) {
            phase = spec.articleStates() ? Phase.CHECK_TOKEN : Phase.IDLE;
            due = 0;
        }
    }

    /**
     * Sets rate and burst: a reaction point paces packet by packet, else each idle time ended in a burst at line rate. The bucket holds what fills in a
     * cycle besides: a packet leaves in a whole cycle, and what came in too much is the next one's.
     */
    private void limit(long cycle) {
        long rate = lower();
        boolean paced = control != null && control.rate() != 0;
        long fill = (rate >> TokenBucketSpec.REGISTER_BITS) + 1;
        bucket.burst(cycle, paced ? Math.min(set.burstBytes(), spec.pacedBurst() + fill) : set.burstBytes());
        bucket.rate(cycle, rate);
    }

    /** The lower of the rate set and that of the reaction point; 0 is no limit. */
    private long lower() {
        long own = set.perCycle();
        long other = control == null ? 0 : control.rate();
        return own == 0 || other == 0 ? Math.max(own, other) : Math.min(own, other);
    }

    /** A notification of congestion came. */
    public void notification(long cycle) {
        if (control != null) {
            follow(control, cycle - 1);
            control.notification(cycle);
            limit(cycle);
            checkAgain();
        }
    }

    /** Returns notifications that had an effect. */
    public long notifications() {
        return control == null ? 0 : control.handled();
    }

    /** Changes the rate in each cycle in which the reaction point has changed it. */
    private void follow(RateControl point, long cycle) {
        for (long at = point.due(); at <= cycle; at = point.due()) {
            point.settle(at);
            limit(at);
        }
        point.settle(cycle);
    }

    /** Whether the packet that is next must wait for a cycle that was found before: nothing to do until {@link #due}. */
    public boolean holds(long cycle) {
        return phase != Phase.IDLE && due > cycle;
    }

    /** Returns the cycle in which a packet that waits is checked again; {@link Long#MAX_VALUE}: it waits for a fetch, or for ever. */
    public long due() {
        return due;
    }

    /** Returns the state. */
    public Phase phase() {
        return phase;
    }

    /** Returns the tokens at the start of a cycle, in bytes with 16 binary places. */
    public long tokens(long cycle) {
        return bucket.tokens(cycle);
    }

    /** Returns when tokens were last counted, as TB_TS_REG has it. */
    public int timestamp() {
        return bucket.timestamp();
    }

    /** Whether what waits is a message that was let through with its first packet. */
    public boolean isOpenFor(boolean first) {
        return spec.perMessage() && !first;
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
        if (isOpenFor(first)) {
            return true;
        }
        long bytes = spec.perMessage() ? message + packets * spec.packetOverhead() : payload + spec.packetOverhead();
        if (control != null) {
            follow(control, cycle);
        }
        if (spec.articleStates()) {
            return step(cycle, bytes);
        }
        if (!enough(cycle, bytes)) {
            return false;
        }
        charge(cycle, bytes);
        phase = Phase.IDLE;
        return true;
    }

    /** Looks whether there are tokens; else waits until there will be, or until the rate may be another one. */
    private boolean enough(long cycle, long bytes) {
        LiteralTokenBucket asRead = literal;
        long when = asRead == null ? bucket.eligible(cycle, bytes) : asRead.eligible(cycle, bytes);
        if (when > cycle) {
            phase = Phase.WAIT_TIMER;
            due = Math.min(when, control == null ? NEVER : control.due());
            return false;
        }
        return true;
    }

    private void charge(long cycle, long bytes) {
        LiteralTokenBucket asRead = literal;
        if (asRead == null) {
            bucket.charge(cycle, bytes);
        } else {
            asRead.settle(cycle - 1);
            boolean unused = asRead.cycle(cycle, true, bytes);
        }
        if (control != null) {
            long before = control.rate();
            control.sent(cycle, bytes);
            if (control.rate() != before) {
                limit(cycle); // an increase by volume
            }
        }
    }

    private boolean step(long cycle, long bytes) {
        switch (phase) {
            case CHECK_TOKEN -> {
                if (!enough(cycle, bytes)) {
                    return false;
                }
                phase = Phase.DMA_FETCH;
                asked = bytes;
                due = NEVER;
                return true;
            }
            case DMA_FETCH -> {
                return false;
            }
            default -> { // from IDLE, and from the others when their time is over
                phase = Phase.CHECK_TOKEN;
                due = cycle + 1;
                return false;
            }
        }
    }

    /** What was let through has been fetched. */
    public void fetched(long cycle) {
        if (phase == Phase.DMA_FETCH) {
            if (control != null) {
                follow(control, cycle + 1);
            }
            charge(cycle + 1, asked);
            phase = Phase.UPDATE_TOKEN;
            due = cycle + 2;
        }
    }

    /** What waited is thrown away: the next packet is checked anew. */
    public void forget() {
        phase = Phase.IDLE;
    }

    @Override
    @SuppressWarnings("EnumOrdinal") // snapshots are for the same build only
    public void save(Snapshot out) {
        bucket.save(out);
        out.putLong(set.perCycle());
        out.putLong(set.burstBytes());
        out.putBoolean(literal != null);
        if (literal != null) {
            literal.save(out);
        }
        if (control != null) {
            control.save(out);
        }
        out.putInt(phase.ordinal());
        out.putLong(due);
        out.putLong(asked);
    }

    @Override
    public void load(Snapshot in) {
        bucket.load(in);
        set = new TokenBucketSpec(in.getLong(), TokenBucketSpec.REGISTER_BITS, in.getLong());
        literal = in.getBoolean() ? new LiteralTokenBucket(set, false) : null;
        if (literal != null) {
            literal.load(in);
        }
        if (control != null) {
            control.load(in);
        }
        phase = PHASES[in.getInt()];
        due = in.getLong();
        asked = in.getLong();
    }
}
