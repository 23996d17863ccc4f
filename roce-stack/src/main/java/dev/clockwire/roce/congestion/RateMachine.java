package dev.clockwire.roce.congestion;

import dev.clockwire.roce.congestion.RateRules.AlphaClock;
import dev.clockwire.roce.congestion.RateRules.Clamp;
import dev.clockwire.roce.congestion.RateRules.CutOrder;
import dev.clockwire.roce.congestion.RateRules.CutTrigger;
import dev.clockwire.roce.congestion.RateRules.HyperRule;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * A reaction point under any {@link RateRules}. Times are ps (or whatever unit the periods of
 * the rules have); whatever was due is made up when somebody looks, so a flow that nobody
 * notifies costs nothing. At one instant: a notification that cuts at once, alpha clock, check, rate timer, bytes; a notification
 * that is latched comes last. Rates have 16 binary places of a bit/s, alpha has 48.
 */
public final class RateMachine implements State {
    /** Binary places of the rates. */
    public static final int RATE_BITS = 16;

    private static final long ONE = 1L << RateRules.ALPHA_BITS;
    private static final long NEVER = Long.MAX_VALUE;
    private static final int CUT_SHIFT = RateRules.ALPHA_BITS + 1;
    private static final int MAX_STAGE = 0xFFFF;
    private static final int PERCENT = 100;
    private static final int DIVIDED_FROM = 10;
    private static final int DIVIDED_BY_SHIFT = 3;

    private final RateRules rules;
    private final long line;
    private final long floor;
    private long current;
    private long target;
    private long alpha = ONE;
    private int timeStage;
    private int byteStage;
    private long bytes;
    private long alphaDue = NEVER;
    private long checkDue = NEVER;
    private long timerDue = NEVER;
    private boolean alphaLatch;
    private boolean cutLatch;
    private boolean active;
    private long cuts;

    /** Creates a reaction point at line rate that has never heard of congestion. */
    public RateMachine(RateRules rules) {
        this.rules = rules;
        line = rules.lineRate() << RATE_BITS;
        floor = rules.floorRate() << RATE_BITS;
        current = line;
        target = line;
    }

    /** A notification came at a time. */
    public void notification(long ps) {
        boolean atOnce = rules.cutTrigger() == CutTrigger.EACH;
        settle(atOnce ? ps - 1 : ps);
        boolean first = !active;
        if (first) {
            begin(ps);
        }
        if (atOnce && rules.cutOrder() == CutOrder.CUT_FIRST) {
            cut(ps);
        }
        if (rules.alphaClock() == AlphaClock.SINCE_NOTIFICATION) {
            alpha = decayed() + rules.gain();
            alphaDue = ps + rules.alphaPs();
        } else {
            alphaLatch = !first;
        }
        if (atOnce && rules.cutOrder() == CutOrder.ALPHA_FIRST) {
            cut(ps);
        }
        cutLatch = !atOnce;
    }

    private void begin(long ps) {
        active = true;
        alphaDue = ps + rules.alphaPs();
        if (rules.cutTrigger() == CutTrigger.MONITOR) {
            checkDue = ps + rules.monitorPs();
        }
        if (rules.firstRate() > 0) {
            current = Math.max(floor, Math.min(current, rules.firstRate() << RATE_BITS));
        }
        target = current;
    }

    /** Bytes were sent at a time, at most the byte counter's period at once. */
    public void sent(long ps, long count) {
        if (!active || rules.byteCounter() == RateRules.NO_BYTE_COUNTER) {
            return;
        }
        settle(ps);
        bytes += count;
        if (bytes >= bytePeriod()) {
            bytes -= bytePeriod();
            step(false);
        }
    }

    private long bytePeriod() {
        return halved() ? rules.byteCounter() / 2 : rules.byteCounter();
    }

    private boolean halved() {
        return rules.hyperRule() == HyperRule.BOTH_STAGES_HALVED && Math.min(timeStage, byteStage) > rules.recoveries();
    }

    /** Does what was due up to and at a time. */
    public void settle(long ps) {
        if (!active) {
            return;
        }
        skipDecays(ps);
        skipIncreases(ps);
        while (true) {
            long check = cutLatch ? checkDue : NEVER;
            long next = Math.min(timerDue, Math.min(alphaDue, check));
            if (next > ps) {
                break;
            }
            if (next == alphaDue) {
                decay();
                skipDecays(ps);
            } else if (next == check) {
                cut(next);
                checkDue += rules.monitorPs();
            } else {
                timerDue += halved() ? rules.timerPs() / 2 : rules.timerPs();
                step(true);
                skipIncreases(ps);
            }
            skipChecks(next);
        }
        skipChecks(ps);
    }

    /** A check without a notification does nothing: the next that can is the first beyond a time. */
    private void skipChecks(long ps) {
        if (!cutLatch && checkDue <= ps) {
            checkDue += ((ps - checkDue) / rules.monitorPs() + 1) * rules.monitorPs();
        }
    }

    /** Alpha so small that a decay takes nothing stays as it is, for however many periods. */
    private void skipDecays(long ps) {
        if (!alphaLatch && alphaDue <= ps && product(alpha, rules.gain(), RateRules.ALPHA_BITS) == 0) {
            alphaDue += ((ps - alphaDue) / rules.alphaPs() + 1) * rules.alphaPs();
        }
    }

    /** Increases at line rate change nothing but their number. */
    private void skipIncreases(long ps) {
        if (atLine() && !cutLatch && timerDue <= ps && rules.hyperRule() != HyperRule.BOTH_STAGES_HALVED) {
            long periods = (ps - timerDue) / rules.timerPs() + 1;
            timerDue += periods * rules.timerPs();
            timeStage = (int) Math.min(timeStage + periods, MAX_STAGE);
        }
    }

    /** Halving the distance to the line ends one binary place below it. */
    private boolean atLine() {
        return target == line && current + 1 >= line;
    }

    private void decay() {
        alpha = Math.min(ONE, decayed() + (alphaLatch ? rules.gain() : 0));
        alphaLatch = false;
        alphaDue += rules.alphaPs();
    }

    private long decayed() {
        return alpha - product(alpha, rules.gain(), RateRules.ALPHA_BITS);
    }

    private void cut(long ps) {
        if (rules.clamp() == Clamp.ALWAYS || timeStage > 0) {
            target = current;
        }
        long left = current - product(current, alpha, CUT_SHIFT);
        // the least that stays is a share: without binary places, so that it cannot overflow
        long least = ((current >> RATE_BITS) * rules.leastLeft() / PERCENT) << RATE_BITS;
        current = Math.max(floor, Math.max(left, least));
        timeStage = 0;
        byteStage = 0;
        bytes = 0;
        timerDue = ps + rules.timerPs();
        cutLatch = false;
        cuts++;
    }

    private void step(boolean byTime) {
        if (rules.countBefore()) {
            count(byTime);
        }
        int most = Math.max(timeStage, byteStage);
        int least = rules.hyperRule() == HyperRule.FLAT ? most : Math.min(timeStage, byteStage);
        if (rules.targetDivided() && most <= 1 && target / DIVIDED_FROM > current) {
            target >>= DIVIDED_BY_SHIFT;
        }
        if (least > rules.recoveries()) {
            raise(hyperSteps(least), rules.hyper() << RATE_BITS);
        } else if (most >= rules.recoveries()) {
            raise(1, rules.additive() << RATE_BITS);
        }
        current = Math.min(line, (target + current) >>> 1);
        if (!rules.countBefore()) {
            count(byTime);
        }
    }

    private int hyperSteps(int least) {
        return switch (rules.hyperRule()) {
            case FLAT -> 1;
            case BOTH_STAGES -> least - rules.recoveries();
            case BOTH_STAGES_HALVED -> least - rules.recoveries() + 1;
        };
    }

    private void count(boolean byTime) {
        if (byTime) {
            timeStage = Math.min(timeStage + 1, MAX_STAGE);
        } else {
            byteStage = Math.min(byteStage + 1, MAX_STAGE);
        }
    }

    private void raise(long steps, long step) {
        target = step != 0 && steps > (line - target) / step ? line : target + steps * step;
    }

    /** Returns a x b with some binary places fewer. */
    private static long product(long a, long b, int shift) {
        return (Math.multiplyHigh(a, b) << (Long.SIZE - shift)) | ((a * b) >>> shift);
    }

    /** Returns the next time at which the rate may change by itself, {@code Long.MAX_VALUE} if never. */
    public long due() {
        return Math.min(cutLatch ? checkDue : NEVER, atLine() ? NEVER : timerDue);
    }

    /** Returns when a timer is due next, also one that changes no rate; {@code Long.MAX_VALUE} before the first notification. */
    long nextTimer() {
        return Math.min(alphaDue, timerDue);
    }

    long alphaBits() {
        return alpha;
    }

    int timeStage() {
        return timeStage;
    }

    int byteStage() {
        return byteStage;
    }

    /** Whether a notification has ever come. */
    public boolean active() {
        return active;
    }

    /** Returns the present rate in bit/s, rounded to the nearest. */
    public long rate() {
        return (current + (1L << (RATE_BITS - 1))) >> RATE_BITS;
    }

    /** Returns the present rate R_C in bit/s with binary places. */
    public long current() {
        return current;
    }

    /** Returns the rate to recover to, R_T, in bit/s with binary places. */
    public long target() {
        return target;
    }

    /** Returns alpha, 0 to 1; -1 before the first notification. */
    public double alpha() {
        return active ? (double) alpha / ONE : -1;
    }

    /** Returns how often the rate was cut. */
    public long cuts() {
        return cuts;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(current);
        out.putLong(target);
        out.putLong(alpha);
        out.putInt(timeStage);
        out.putInt(byteStage);
        out.putLong(bytes);
        out.putLong(alphaDue);
        out.putLong(checkDue);
        out.putLong(timerDue);
        out.putBoolean(alphaLatch);
        out.putBoolean(cutLatch);
        out.putBoolean(active);
        out.putLong(cuts);
    }

    @Override
    public void load(Snapshot in) {
        current = in.getLong();
        target = in.getLong();
        alpha = in.getLong();
        timeStage = in.getInt();
        byteStage = in.getInt();
        bytes = in.getLong();
        alphaDue = in.getLong();
        checkDue = in.getLong();
        timerDue = in.getLong();
        alphaLatch = in.getBoolean();
        cutLatch = in.getBoolean();
        active = in.getBoolean();
        cuts = in.getLong();
    }
}
