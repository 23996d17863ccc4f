package dev.clockwire.nic.rate;

import dev.clockwire.nic.profile.RateSpec;
import dev.clockwire.roce.congestion.LiteralReactionPoint;
import dev.clockwire.roce.congestion.ReactionPoint;
import dev.clockwire.roce.congestion.TokenBucketSpec;
import dev.clockwire.roce.congestion.VendorReactionPoint;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import org.jspecify.annotations.Nullable;

/**
 * The reaction point of one queue pair in cycles of the core clock, whichever it is: notifications go in, a rate in bytes a cycle with
 * 16 binary places comes out. Who asks settles every cycle in which the rate may change, so that lazy is exact.
 */
final class RateControl implements State {
    private static final long NEVER = Long.MAX_VALUE;
    private static final long MBIT = 1_000_000;

    // article 2 names no number: alpha 1/2 with 10 binary places, the paper's step and period
    private static final int LITERAL_ALPHA = 512;

    private final @Nullable ReactionPoint paper;
    private final @Nullable VendorReactionPoint vendor;
    private final @Nullable LiteralReactionPoint literal;
    private final RateSpec spec;
    private final long hzPerUs;
    private final int literalTimer;
    private boolean active;
    private long last;
    /** Clock in which the article's IDLE state gives up waiting. */
    private long literalExpiry;

    private long handled;

    RateControl(RateSpec spec) {
        this.spec = spec;
        hzPerUs = Math.max(1, spec.coreHz() / MBIT);
        literalTimer = (int) Math.min(spec.paper().timerCycles(), Integer.MAX_VALUE);
        literalExpiry = literalTimer;
        paper = spec.dcqcn() == RateSpec.Dcqcn.PAPER ? new ReactionPoint(spec.paper()) : null;
        vendor = spec.dcqcn() == RateSpec.Dcqcn.VENDOR ? new VendorReactionPoint(spec.vendor()) : null;
        int step =
                (int) TokenBucketSpec.perCycle(spec.paper().additive(), spec.coreHz(), TokenBucketSpec.REGISTER_BITS);
        int line = (int) TokenBucketSpec.perCycle(spec.lineRate(), spec.coreHz(), TokenBucketSpec.REGISTER_BITS);
        literal = spec.dcqcn() == RateSpec.Dcqcn.ARTICLE_LITERAL
                ? new LiteralReactionPoint(line, LITERAL_ALPHA, step, literalTimer, false)
                : null;
    }

    /** A notification came; if this cycle is settled already, it counts for the next one. */
    void notification(long cycle) {
        settle(cycle - 1);
        long at = Math.max(cycle, last + 1);
        handled++;
        if (paper != null) {
            paper.notification(at);
        } else if (vendor != null) {
            vendor.notification(at / hzPerUs);
        } else if (literal != null) {
            long before = literal.lost();
            literal.clock(true, false);
            handled -= literal.lost() - before;
        }
        active = true;
        last = at;
    }

    /** Bytes were sent. */
    void sent(long cycle, long bytes) {
        if (paper != null && active) {
            paper.sent(cycle, Math.min(bytes, spec.paper().byteCounter()));
            last = Math.max(last, cycle);
        }
    }

    /** Returns the next cycle in which the rate may change by itself. */
    long due() {
        if (paper != null) {
            return active ? paper.due() : NEVER;
        }
        if (vendor != null) {
            long us = active ? vendor.due() : NEVER;
            return us == NEVER ? NEVER : Math.max(last + 1, us * hzPerUs);
        }
        long clocks = literal == null ? NEVER : literal.due();
        return clocks == NEVER ? NEVER : last + clocks;
    }

    /** Does what was due up to and in this cycle. */
    void settle(long cycle) {
        if (cycle <= last) {
            return;
        }
        if (paper != null && active) {
            paper.settle(cycle);
        } else if (vendor != null) {
            vendor.settle(cycle / hzPerUs);
        } else if (literal != null) {
            settleLiteral(literal, cycle);
        }
        last = cycle;
    }

    private void settleLiteral(LiteralReactionPoint point, long cycle) {
        while (last < cycle) {
            switch (point.phase()) {
                case IDLE -> {
                    boolean expires = literalExpiry <= cycle;
                    last = expires ? Math.max(last + 1, literalExpiry) : cycle;
                    if (expires) {
                        point.clock(false, true);
                    }
                }
                case INCREASE -> last = cycle;
                default -> {
                    long clocks = Math.min(point.due(), cycle - last);
                    point.idle(clocks);
                    last += clocks;
                    literalExpiry = last + literalTimer;
                }
            }
        }
    }

    /** Whether a notification has ever come: until then there is no rate to keep to. */
    boolean limits() {
        return active;
    }

    /** Returns bytes a cycle with 16 binary places; 0: the line rate, which needs no limit. */
    long rate() {
        if (!active) {
            return 0;
        }
        if (literal != null) {
            return literal.rate() == literal.maxRate() ? 0 : literal.rate() & 0xFFFF_FFFFL;
        }
        long bits = paper != null
                ? paper.current() >> ReactionPoint.RATE_BITS
                : vendor != null ? vendor.current() * MBIT : spec.lineRate();
        return bits >= spec.lineRate() / MBIT * MBIT
                ? 0
                : TokenBucketSpec.perCycle(Math.max(1, bits), spec.coreHz(), TokenBucketSpec.REGISTER_BITS);
    }

    /** Returns notifications that had an effect. */
    long handled() {
        return handled;
    }

    @Override
    public void save(Snapshot out) {
        if (paper != null) {
            paper.save(out);
        } else if (vendor != null) {
            vendor.save(out);
        } else if (literal != null) {
            literal.save(out);
        }
        out.putBoolean(active);
        out.putLong(last);
        out.putLong(literalExpiry);
        out.putLong(handled);
    }

    @Override
    public void load(Snapshot in) {
        if (paper != null) {
            paper.load(in);
        } else if (vendor != null) {
            vendor.load(in);
        } else if (literal != null) {
            literal.load(in);
        }
        active = in.getBoolean();
        last = in.getLong();
        literalExpiry = in.getLong();
        handled = in.getLong();
    }
}
