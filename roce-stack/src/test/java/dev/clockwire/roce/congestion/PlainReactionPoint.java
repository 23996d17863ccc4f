package dev.clockwire.roce.congestion;

/** The paper's reaction point written down a second time, each timer on its own and nothing skipped: what the machine is held to. */
final class PlainReactionPoint {
    /** Binary places of the rates. */
    static final int RATE_BITS = 16;

    /** Binary places of alpha. */
    static final int ALPHA_BITS = 48;

    private static final long ONE = 1L << ALPHA_BITS;
    private static final int CUT_SHIFT = ALPHA_BITS + 1;
    private static final int MAX_STAGE = 0xFFFF;

    private final DcqcnSpec spec;
    private final long line;
    private final long floor;
    private long current;
    private long target;
    private long alpha = ONE;
    private int timeStage;
    private int byteStage;
    private long bytes;
    private long alphaDue = Long.MAX_VALUE;
    private long timerDue = Long.MAX_VALUE;

    /** Creates a reaction point at line rate that has never heard of congestion. */
    PlainReactionPoint(DcqcnSpec spec) {
        this.spec = spec;
        line = spec.lineRate() << RATE_BITS;
        floor = spec.floorRate() << RATE_BITS;
        current = line;
        target = line;
    }

    /** A notification arrived in this cycle: nothing else of this cycle has happened yet. */
    void notification(long cycle) {
        settle(cycle - 1);
        target = current;
        current = Math.max(floor, current - scaled(current, alpha));
        alpha = alpha - (alpha >>> spec.gainShift()) + (ONE >>> spec.gainShift());
        timeStage = 0;
        byteStage = 0;
        bytes = 0;
        alphaDue = cycle + spec.alphaCycles();
        timerDue = cycle + spec.timerCycles();
    }

    /** Bytes were sent in this cycle, at most the byte counter's period at once. */
    void sent(long cycle, long count) {
        settle(cycle);
        if (!active()) {
            return;
        }
        bytes += count;
        if (bytes >= spec.byteCounter()) {
            bytes -= spec.byteCounter();
            byteStage++;
            increase();
        }
    }

    /** Does what was due up to and in this cycle. */
    void settle(long cycle) {
        while (alphaDue <= cycle || timerDue <= cycle) {
            if (alphaDue <= timerDue) {
                alpha -= alpha >>> spec.gainShift();
                alphaDue += spec.alphaCycles();
            } else {
                timeStage++;
                timerDue += spec.timerCycles();
                increase();
            }
        }
    }

    private void increase() {
        int most = Math.max(timeStage, byteStage);
        int least = Math.min(timeStage, byteStage);
        if (least > spec.fastRecovery()) {
            raise(least - spec.fastRecovery(), spec.hyper() << RATE_BITS);
        } else if (most >= spec.fastRecovery()) {
            raise(1, spec.additive() << RATE_BITS);
        }
        current = Math.min(line, (target + current) >>> 1);
        // beyond these the stages only matter as "past F"; hyper increase is capped at the line long before
        timeStage = Math.min(timeStage, MAX_STAGE);
        byteStage = Math.min(byteStage, MAX_STAGE);
    }

    /** Raises the target by some steps, up to the line; the product may be more than a long holds. */
    private void raise(long steps, long step) {
        target = step != 0 && steps > (line - target) / step ? line : target + steps * step;
    }

    /** Returns rate x alpha / 2. */
    private static long scaled(long rate, long alpha) {
        return (Math.multiplyHigh(rate, alpha) << (Long.SIZE - CUT_SHIFT)) | ((rate * alpha) >>> CUT_SHIFT);
    }

    /** Whether a notification has ever come: until then nothing is timed and nothing counted. */
    boolean active() {
        return alphaDue != Long.MAX_VALUE;
    }

    /** Returns the present rate R_C in bit/s with binary places. */
    long current() {
        return current;
    }

    /** Returns the rate to recover to, R_T, in bit/s with binary places. */
    long target() {
        return target;
    }

    /** Returns alpha with binary places. */
    long alpha() {
        return alpha;
    }

    /** Returns the increases by time since the last notification. */
    int timeStage() {
        return timeStage;
    }

    /** Returns the increases by volume since the last notification. */
    int byteStage() {
        return byteStage;
    }
}
