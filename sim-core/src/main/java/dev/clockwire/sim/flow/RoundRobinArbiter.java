package dev.clockwire.sim.flow;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;

/** The requester after the last one served wins: each waits for at most one turn of every other. */
public final class RoundRobinArbiter implements Arbiter {
    private final int requesters;
    private int last;

    /**
     * Creates an arbiter whose first choice is requester 0.
     *
     * @param requesters 1 to 64
     */
    public RoundRobinArbiter(int requesters) {
        if (requesters < 1 || requesters > 64) {
            throw new ConfigurationException("requesters " + requesters + " is not in 1..64");
        }
        this.requesters = requesters;
        last = requesters - 1;
    }

    @Override
    public int choose(long requests) {
        if (requests == 0) {
            return -1;
        }
        long beyond = requests & (-2L << last);
        return Long.numberOfTrailingZeros(last < 63 && beyond != 0 ? beyond : requests);
    }

    @Override
    public void grant(int requester) {
        if (requester < 0 || requester >= requesters) {
            throw new ConfigurationException("requester " + requester + " is not in 0.." + (requesters - 1));
        }
        last = requester;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(last);
    }

    @Override
    public void load(Snapshot in) {
        last = in.getInt();
    }
}
