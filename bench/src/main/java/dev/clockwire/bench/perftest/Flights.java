package dev.clockwire.bench.perftest;

import java.util.Arrays;

/** When each message of a stream was posted and when it was done. */
public final class Flights {
    /** Above so many messages the peak is not looked for, as in the real tool: it would take a time that grows with the square. */
    static final int LARGEST_PEAK_SEARCH = 20_000;

    private final LongList posted;
    private final LongList done;
    private final LongList ids;

    /** Creates an empty record with room for {@code capacity} messages; it grows when full. */
    public Flights(int capacity) {
        posted = new LongList(capacity);
        done = new LongList(capacity);
        ids = new LongList(capacity);
    }

    /** Records one message that is done; {@code id} is a number of the caller's. */
    public void add(long postedPs, long donePs, long id) {
        posted.add(postedPs);
        done.add(donePs);
        ids.add(id);
    }

    /** Returns the number of messages. */
    public int count() {
        return done.size();
    }

    /** Returns when message i of those recorded was posted, in ps. */
    public long posted(int i) {
        return posted.get(i);
    }

    /** Returns when it was done, in ps. */
    public long done(int i) {
        return done.get(i);
    }

    /** Returns the caller's number. */
    public long id(int i) {
        return ids.get(i);
    }

    /** Returns the latency of each message in ps, in the order recorded. */
    public long[] latencies() {
        long[] latencies = new long[count()];
        for (int i = 0; i < latencies.length; i++) {
            latencies[i] = done.get(i) - posted.get(i);
        }
        return latencies;
    }

    /** Returns the time from the first post to the last completion, in ps. */
    public long spanPs() {
        return count() == 0 ? 0 : lastPs() - firstPs();
    }

    /** Returns when the last message was done, in ps. */
    public long lastPs() {
        return Arrays.stream(done.toArray()).max().orElse(0);
    }

    /** Returns when the first message was posted, in ps. */
    public long firstPs() {
        return Arrays.stream(posted.toArray()).min().orElse(0);
    }

    /** Returns the number of messages in flight, integrated over the time from the first post to the last completion. */
    public double inFlightAverage() {
        long[] up = posted.toArray();
        long[] down = done.toArray();
        Arrays.sort(up);
        Arrays.sort(down);
        if (up.length == 0) {
            return 0;
        }
        double integral = 0;
        int level = 0;
        int u = 0;
        long now = up[0];
        for (long end : down) {
            while (u < up.length && up[u] <= end) {
                integral += (double) level * (up[u] - now);
                now = up[u++];
                level++;
            }
            integral += (double) level-- * (end - now);
            now = end;
        }
        long span = down[down.length - 1] - up[0];
        return span == 0 ? 0 : integral / span;
    }

    /**
     * Returns the highest rate of any stretch of consecutive messages, in messages per second, as the real tool searches it;
     * 0 if there are too many messages to search.
     */
    public double peakRate() {
        int n = count();
        if (n > LARGEST_PEAK_SEARCH) {
            return 0;
        }
        double best = Double.POSITIVE_INFINITY;
        for (int i = 0; i < n; i++) {
            for (int j = i; j < n; j++) {
                best = Math.min(best, (double) (done.get(j) - posted.get(i)) / (j - i + 1));
            }
        }
        return best == 0 || Double.isInfinite(best) ? 0 : 1e12 / best;
    }
}
