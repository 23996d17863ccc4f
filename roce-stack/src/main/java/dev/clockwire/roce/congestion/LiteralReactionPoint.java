package dev.clockwire.roce.congestion;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * The DCQCN state machine of article 2 exactly as its pseudo-code reads, kept as a negative example, one call a clock. Alpha has no
 * scale, so a cut underflows the rate register; a notification in RECOVERY is lost; a timer leads to INCREASE, a state without a
 * branch, in which the machine stays for ever; there is no lowest and no highest rate.
 */
public final class LiteralReactionPoint implements State {
    /** The states of the article. */
    public enum Phase {
        /** Waits for a notification or its timer. */
        IDLE,
        /** Takes the reduced rate. */
        DECREASE,
        /** Counts down, then adds R_AI. */
        RECOVERY,
        /** Named by the article, described nowhere: nothing leads out. */
        INCREASE
    }

    private static final Phase[] PHASES = Phase.values();

    private final int maxRate;
    private final int alpha;
    private final int additive;
    private final int recoveryCycles;
    private final boolean resetAsPrinted;
    private Phase phase = Phase.IDLE;
    private int rate;
    private int reduced;
    private int timer;
    private long lost;

    /**
     * Creates the machine in its state after reset.
     *
     * @param maxRate first value of the rate register, 32 bits
     * @param alpha the constant the article calls a factor, as a 10-bit fraction
     * @param additive R_AI
     * @param recoveryCycles T_RC
     * @param resetAsPrinted {@code if (rst_n)} resets: the block stays in reset while the reset line is inactive
     */
    public LiteralReactionPoint(int maxRate, int alpha, int additive, int recoveryCycles, boolean resetAsPrinted) {
        this.maxRate = maxRate;
        this.alpha = alpha;
        this.additive = additive;
        this.recoveryCycles = recoveryCycles;
        this.resetAsPrinted = resetAsPrinted;
        rate = maxRate;
    }

    /** Evaluates one clock with the reset line inactive. */
    public void clock(boolean notification, boolean timerExpired) {
        if (resetAsPrinted) {
            lost += notification ? 1 : 0;
            return;
        }
        lost += notification && phase != Phase.IDLE ? 1 : 0;
        switch (phase) {
            case IDLE -> {
                if (notification) {
                    phase = Phase.DECREASE;
                    reduced = rate - ((rate * alpha) >>> 1);
                } else if (timerExpired) {
                    phase = Phase.INCREASE;
                }
            }
            case DECREASE -> {
                rate = reduced;
                phase = Phase.RECOVERY;
                timer = recoveryCycles;
            }
            case RECOVERY -> {
                if (timer == 0) {
                    rate += additive;
                    phase = Phase.IDLE;
                } else {
                    timer--;
                }
            }
            case INCREASE -> {} // the article has no such branch
        }
    }

    /** Evaluates clocks without a notification, in which the timer of IDLE does not expire. */
    public void idle(long clocks) {
        long left = clocks;
        while (left > 0 && !resetAsPrinted && (phase == Phase.DECREASE || phase == Phase.RECOVERY)) {
            if (phase == Phase.RECOVERY && timer > 0) {
                long counted = Math.min(left, timer);
                timer -= (int) counted;
                left -= counted;
            } else {
                clock(false, false);
                left--;
            }
        }
    }

    /** Returns in how many clocks the rate changes next, without another notification; {@code Long.MAX_VALUE}: never. */
    public long due() {
        if (resetAsPrinted) {
            return Long.MAX_VALUE;
        }
        return switch (phase) {
            case DECREASE -> 1;
            case RECOVERY -> timer + 1L;
            default -> Long.MAX_VALUE;
        };
    }

    /** Returns the state. */
    public Phase phase() {
        return phase;
    }

    /** Returns the 32-bit rate register as it is, which may have wrapped. */
    public int rate() {
        return rate;
    }

    /** Returns how many notifications had no effect. */
    public long lost() {
        return lost;
    }

    /** Returns the rate the register started with. */
    public int maxRate() {
        return maxRate;
    }

    @Override
    @SuppressWarnings("EnumOrdinal") // snapshots are for the same build only
    public void save(Snapshot out) {
        out.putInt(phase.ordinal());
        out.putInt(rate);
        out.putInt(reduced);
        out.putInt(timer);
        out.putLong(lost);
    }

    @Override
    public void load(Snapshot in) {
        phase = PHASES[in.getInt()];
        rate = in.getInt();
        reduced = in.getInt();
        timer = in.getInt();
        lost = in.getLong();
    }
}
