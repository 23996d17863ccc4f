package dev.clockwire.nic.sched;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.profile.QueueSpec;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * Decides which of the queues that are ready goes next. A queue stands in it once or not at all. In a scan
 * queues are taken out in the order of the policy; each is either {@link #granted}, which ends the scan, or {@link #pass}ed over, which leaves
 * it in line, or it stays out. A scan in which all are passed over changes nothing.
 */
public abstract class QpArbiter implements State {
    /** Creates an empty arbiter. */
    QpArbiter() {}

    /**
     * Returns an arbiter of the policy that a device has.
     *
     * @param table where weights and priorities of queues stand, by slot
     */
    public static QpArbiter of(QueueSpec.Policy policy, ContextTable table) {
        return switch (policy) {
            case RR -> new RoundRobin();
            case WRR -> new WeightedRoundRobin(q -> table.at(q).weight);
            case STRICT -> new StrictPriority(q -> table.at(q).priority);
        };
    }

    /** Returns how many queues are in line. */
    public abstract int size();

    /** Makes a queue ready unless it is already; tells whether it was not. */
    public abstract boolean add(int q);

    /** Begins a scan. */
    public void begin() {}

    /** Takes the next queue of the scan out; there are as many as were in line when it began. */
    public abstract int next();

    /** The queue taken out last goes: it counts. */
    public void granted(int q) {}

    /** The queue taken out last cannot go now: it stays in line. */
    public abstract void pass(int q);

    /** Returns the most grants that went to others while one queue was ready all the time, the queues that still wait included. */
    public long overtaken() {
        return 0;
    }

    /** Takes all queues out. */
    abstract void clear();

    @Override
    public abstract void save(Snapshot out);

    @Override
    public abstract void load(Snapshot in);
}
