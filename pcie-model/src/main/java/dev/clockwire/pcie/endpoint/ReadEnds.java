package dev.clockwire.pcie.endpoint;

import dev.clockwire.pcie.link.QuietHost;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** When reads end, known as soon as their last completion has been handed to the link; until then a time before which they do not. */
final class ReadEnds implements State {
    private static final long NEVER = Long.MAX_VALUE;

    private final ReadTable table;
    /** Ends that are known, in the order of time. */
    private long[] times = new long[16];

    private int first;
    private int known;

    ReadEnds(ReadTable table) {
        this.table = table;
    }

    /** A request of a read will be answered at a time. */
    void answered(int slot, int bytes, long at) {
        int left = table.unanswered[slot] - Math.max(1, bytes);
        table.unanswered[slot] = left;
        if (left == 0) {
            if (known == times.length) {
                grow();
            }
            times[first + known++ & times.length - 1] = at;
        }
    }

    /** The read whose end was known first has ended. */
    void ended() {
        first = first + 1 & times.length - 1;
        known--;
    }

    /**
     * Returns a time before which no read ends, {@code Long.MAX_VALUE} if there is none.
     *
     * @param answer when the next request can be issued at the earliest
     * @param largest bytes of a request
     */
    long notBefore(long answer, QuietHost host, int largest) {
        if (known > 0) {
            return times[first];
        }
        long least = NEVER;
        for (int i = 0; i < table.slots(); i++) {
            if (table.reads[i] != null) {
                least = Math.min(least, notBefore(i, answer, host, largest));
            }
        }
        return least;
    }

    /** Returns a time before which the read in a slot does not end. */
    long notBefore(int slot, long answer, QuietHost host, int largest) {
        DmaRead r = table.read(slot);
        int left = table.unissued[slot];
        if (left <= 0 && table.unanswered[slot] == 0) {
            return NEVER; // known, and not before what is known first
        }
        if (host.mayRefuse(r.address, r.length)) {
            return host.arrivalNotBefore(0, answer);
        }
        long end = host.arrivalNotBefore(r.length == 0 ? 0 : table.unanswered[slot], left > 0 ? answer : NEVER);
        if (left <= 0) {
            return end;
        }
        int requests = (left + largest - 1) / largest;
        return Math.max(end, answer + (1 + (requests - 1) / r.window) * host.leastTripPs());
    }

    private void grow() {
        int n = times.length;
        long[] larger = new long[2 * n];
        for (int i = 0; i < n; i++) {
            larger[i] = times[first + i & n - 1];
        }
        times = larger;
        first = 0;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(known);
        for (int i = 0; i < known; i++) {
            out.putLong(times[first + i & times.length - 1]);
        }
    }

    @Override
    public void load(Snapshot in) {
        first = 0;
        known = 0;
        for (int n = in.getInt(); n > 0; n--) {
            if (known == times.length) {
                grow();
            }
            times[known++] = in.getLong();
        }
    }
}
