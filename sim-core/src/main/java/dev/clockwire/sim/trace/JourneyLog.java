package dev.clockwire.sim.trace;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The stamps of all followed operations in one ring of primitives: which journey spent which interval in which stage, and why. When
 * the ring is full the oldest stamps are lost. Stage and cause numbers come from a {@link StageRegistry}; journeys are positive.
 *
 * <p>Between them lie delays: which journey lost which interval to which cause, said by the block that knows why. A delay belongs to no
 * stage; the stages whose time it covers are told apart by {@link Waterfall#along}.
 */
public final class JourneyLog {
    /** The part number of a delay that holds up the whole operation. */
    public static final int WHOLE = Integer.MIN_VALUE;

    private static final int WIDTH = 4;
    private static final long DELAY = Long.MIN_VALUE;
    /** Journeys of one device have the bits from here on in common; its queues have this bit besides. */
    private static final int DEVICE_SHIFT = 40;

    private static final long QUEUE = 1L << (DEVICE_SHIFT - 1);

    private final long[] ring;
    private final int mask;
    private long total;
    private long @Nullable [] followed;
    /** Starts and ends, ascending, of the times in which delays of queues are recorded. */
    private long[] times = {};

    /**
     * Creates an empty log.
     *
     * @param capacity stamps kept, 1 to 2^26, rounded up to a power of two
     */
    public JourneyLog(int capacity) {
        if (capacity < 1 || capacity > 1 << 26) {
            throw new ConfigurationException("journey log capacity " + capacity + " is not in 1.." + (1 << 26));
        }
        int n = Integer.highestOneBit(Math.max(1, 2 * capacity - 1));
        mask = n - 1;
        ring = new long[WIDTH * n];
    }

    /**
     * Records an interval. Journey 0 is not recorded.
     *
     * @param journey number of the operation
     * @param stage number of the stage, 0 to 65535
     * @param seq which of several parts of the operation (a TLP, a packet), 0 if there is one
     * @param inPs start of the interval
     * @param outPs end of the interval
     * @param cause number of the cause, 0 to 65535
     */
    public void stamp(long journey, int stage, int seq, long inPs, long outPs, int cause) {
        if (journey == 0 || !isFollowed(journey)) {
            return;
        }
        keep(journey, stage, seq, inPs, outPs, cause);
    }

    private void keep(long journey, int stage, int seq, long inPs, long outPs, int cause) {
        int i = ((int) total++ & mask) * WIDTH;
        long[] r = ring;
        r[i] = journey;
        r[i + 1] = ((long) seq << 32) | ((long) (stage & 0xFFFF) << 16) | (cause & 0xFFFF);
        r[i + 2] = inPs;
        r[i + 3] = outPs;
    }

    /**
     * Records that an operation lost an interval to a cause. Journey 0 and empty intervals are not recorded. To be called where the wait
     * ends, by the block that waited; intervals may overlap each other and ends of stages.
     *
     * @param journey number of the operation
     * @param seq which of several parts of the operation (a packet) waited, {@link #WHOLE} if all of it
     * @param cause number of the cause, see {@link Causes}
     * @param fromPs start of the wait
     * @param toPs end of the wait
     */
    public void delay(long journey, int seq, int cause, long fromPs, long toPs) {
        if (journey != 0 && toPs > fromPs) {
            stamp(journey | DELAY, 0, seq, fromPs, toPs, cause);
        }
    }

    /**
     * Records only these journeys from now on: of a long run, those that it will be asked about.
     *
     * @param journeys their numbers
     * @param fromPs when each of them begins, so that what holds up queues is recorded only while one is under way
     * @param toPs when each of them ends
     */
    public void follow(long[] journeys, long[] fromPs, long[] toPs) {
        followed = journeys.clone();
        Arrays.sort(followed);
        times = joined(fromPs, toPs);
    }

    /** Records only these journeys from now on, and what holds up queues at any time. */
    public void follow(long... journeys) {
        follow(journeys, new long[] {Long.MIN_VALUE}, new long[] {Long.MAX_VALUE});
    }

    /** Returns disjoint times that cover all of some, starts and ends by turns. */
    private static long[] joined(long[] from, long[] to) {
        Integer[] order = new Integer[from.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingLong(i -> from[i]));
        long[] joined = new long[2 * from.length];
        int n = 0;
        for (int i : order) {
            if (n > 0 && from[i] <= joined[n - 1]) {
                joined[n - 1] = Math.max(joined[n - 1], to[i]);
            } else {
                joined[n++] = from[i];
                joined[n++] = to[i];
            }
        }
        return Arrays.copyOf(joined, n);
    }

    private boolean isFollowed(long journey) {
        long[] only = followed;
        return only == null || Arrays.binarySearch(only, journey & ~DELAY) >= 0;
    }

    /**
     * Returns the number under which the delays of a queue stand. What holds up a queue holds up all that waits in it.
     *
     * @param journey of anything that the device of the queue does
     * @param queue its number, less than 2^39
     */
    public static long queue(long journey, long queue) {
        return journey >>> DEVICE_SHIFT << DEVICE_SHIFT | QUEUE | queue;
    }

    /** Tells whether delays under a number are those of a queue. */
    static boolean isQueue(long journey) {
        return (journey & QUEUE) != 0;
    }

    /** Records that a {@linkplain #queue queue} lost an interval to a cause. */
    public void queueDelay(long queue, int cause, long fromPs, long toPs) {
        if (toPs > fromPs && isAsked(fromPs, toPs)) {
            keep(queue | DELAY, 0, WHOLE, fromPs, toPs, cause);
        }
    }

    private boolean isAsked(long from, long to) {
        int found = Arrays.binarySearch(times, from);
        int next = found < 0 ? -found - 1 : found + 1;
        return followed == null || (next & 1) != 0 || (next < times.length && times[next] < to);
    }

    /** Records the same of a wait in one stage: it does not count in others that the operation passes meanwhile. */
    public void delay(long journey, int stage, int seq, int cause, long fromPs, long toPs) {
        if (journey != 0 && toPs > fromPs) {
            stamp(journey | DELAY, stage, seq, fromPs, toPs, cause);
        }
    }

    /** Returns the number of stamps and delays kept. */
    public int size() {
        return (int) Math.min(total, mask + 1L);
    }

    /** Returns the number of stamps that were overwritten. */
    public long lost() {
        return total - size();
    }

    /** Forgets all stamps. */
    public void clear() {
        total = 0;
    }

    private int at(int i) {
        return ((int) (total - size() + i) & mask) * WIDTH;
    }

    /** Returns the journey of stamp i, 0 being the oldest kept. */
    public long journey(int i) {
        return ring[at(i)] & ~DELAY;
    }

    /** Tells whether stamp i is a delay. */
    public boolean isDelay(int i) {
        return ring[at(i)] < 0;
    }

    /** Returns the stage of stamp i. */
    public int stage(int i) {
        return (int) (ring[at(i) + 1] >>> 16) & 0xFFFF;
    }

    /** Returns the part number of stamp i. */
    public int seq(int i) {
        return (int) (ring[at(i) + 1] >>> 32);
    }

    /** Returns the cause of stamp i. */
    public int cause(int i) {
        return (int) ring[at(i) + 1] & 0xFFFF;
    }

    /** Returns the start of stamp i in ps. */
    public long in(int i) {
        return ring[at(i) + 2];
    }

    /** Returns the end of stamp i in ps. */
    public long out(int i) {
        return ring[at(i) + 3];
    }
}
