package dev.clockwire.pcie.host;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/**
 * What an idle core does: a round of polls that find nothing, over and over; or it sleeps, and there are no polls. Polls are numbered
 * from 0 from the start on.
 */
final class IdleRound implements State {
    private long from;
    /** Polls of a round; 0 while the core is not idle. */
    private int polls;

    private boolean asleep;
    /** Where the polls of a round end, behind its start. */
    private long[] ends = new long[1];

    boolean active() {
        return polls != 0;
    }

    /** Begins with rounds of one poll. */
    void begin(long at, long costPs) {
        from = at;
        polls = 1;
        asleep = false;
        ends[0] = costPs;
    }

    /** Begins with rounds of several polls. */
    void begin(long at, long[] costsPs, int n) {
        from = at;
        polls = n;
        asleep = false;
        ends = ends.length < n ? Arrays.copyOf(ends, 2 * n) : ends;
        long end = 0;
        for (int i = 0; i < n; i++) {
            end += costsPs[i];
            ends[i] = end;
        }
    }

    void sleep(long at) {
        begin(at, 1);
        asleep = true;
    }

    void end() {
        polls = 0;
    }

    long from() {
        return from;
    }

    /** Returns how many polls start before a time. */
    long before(long t) {
        if (polls == 0 || asleep || t <= from) {
            return 0;
        }
        long period = ends[polls - 1];
        long rounds = (t - from) / period;
        long rest = t - from - rounds * period;
        long n = rounds * polls;
        if (rest > 0) {
            n++;
            for (int i = 0; i < polls - 1 && ends[i] < rest; i++) {
                n++;
            }
        }
        return n;
    }

    /** Returns when the poll with a number starts. */
    long start(long number) {
        return from + length(number);
    }

    /** Returns how long the first polls take together. */
    long length(long count) {
        if (count == 0) {
            return 0;
        }
        int part = (int) (count % polls);
        return count / polls * ends[polls - 1] + (part == 0 ? 0 : ends[part - 1]);
    }

    /** Returns the first time not before another one at which a poll starts. */
    long notBefore(long t) {
        return asleep ? Math.max(t, from) : start(before(t));
    }

    boolean asleep() {
        return asleep;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(from);
        out.putBoolean(asleep);
        out.putInt(polls);
        for (int i = 0; i < polls; i++) {
            out.putLong(ends[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        from = in.getLong();
        asleep = in.getBoolean();
        polls = in.getInt();
        ends = new long[Math.max(1, polls)];
        for (int i = 0; i < polls; i++) {
            ends[i] = in.getLong();
        }
    }
}
