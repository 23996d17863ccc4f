package dev.clockwire.sim;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.stats.Counter;
import dev.clockwire.sim.stats.Gauge;
import dev.clockwire.sim.stats.Histogram;
import dev.clockwire.sim.trace.Causes;
import dev.clockwire.sim.trace.JourneyLog;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of the model that handles events (phase 1 of an instant). Its handlers read and write this node's state only; others are
 * reached by sending. All mutable state lies in {@link State} objects registered with {@link #state}.
 */
public abstract class SimNode extends Scope {
    final int ordinal;
    private final List<State> states = new ArrayList<>();
    /** Saved by the registry; here only to check that idle ticks leave them alone. */
    private final List<State> statistics = new ArrayList<>();

    private @Nullable SimLog log;

    /** Creates the node; its place among all nodes decides the order of events due at the same time. */
    protected SimNode(Scope parent, String name) {
        super(parent, name);
        ordinal = sim.design.nodes.size();
        sim.design.nodes.add(this);
    }

    /** Registers mutable state for snapshots and for the check of idle ticks, and returns it. */
    protected final <S extends State> S state(S s) {
        states.add(s);
        return s;
    }

    /** Returns the time of the instant being simulated, in ps. */
    public final long now() {
        return sim.now;
    }

    /** Returns a new random stream that belongs to this node; its name is the path, a dot and {@code local}. */
    protected final RandomStream random(String local) {
        return state(sim.random(pathOf(local)));
    }

    /** Registers a new counter under this node's path. */
    protected final Counter counter(String name, String unit, String description) {
        return own(sim.stats().counter(pathOf(name), unit, description));
    }

    /** Registers a new gauge under this node's path. */
    protected final Gauge gauge(String name, String unit, String description) {
        return own(sim.stats().gauge(pathOf(name), unit, description));
    }

    /** Registers a new histogram under this node's path. */
    protected final Histogram histogram(String name, String unit, String description) {
        return own(sim.stats().histogram(pathOf(name), unit, description));
    }

    private <S extends State> S own(S stat) {
        statistics.add(stat);
        return stat;
    }

    /** Records that a journey spent an interval in a stage; costs a null check when journeys are off. See {@link JourneyLog#stamp}. */
    protected final void stamp(long journey, int stage, int seq, long inPs, long outPs, int cause) {
        JourneyLog j = sim.journeys;
        if (j != null) {
            j.stamp(journey, stage, seq, inPs, outPs, cause);
        }
    }

    /** Records that a journey lost an interval to a cause; costs a null check when journeys are off. See {@link JourneyLog#delay}. */
    protected final void delayed(long journey, int cause, long fromPs, long toPs) {
        delayed(journey, JourneyLog.WHOLE, cause, fromPs, toPs);
    }

    /** Records the same of one part of the operation, a packet. */
    protected final void delayed(long journey, int seq, int cause, long fromPs, long toPs) {
        JourneyLog j = sim.journeys;
        if (j != null) {
            j.delay(journey, seq, cause, fromPs, toPs);
        }
    }

    /** Records the same of a wait in one stage. */
    protected final void delayed(long journey, int stage, int seq, int cause, long fromPs, long toPs) {
        JourneyLog j = sim.journeys;
        if (j != null) {
            j.delay(journey, stage, seq, cause, fromPs, toPs);
        }
    }

    /** Returns the numbers of the causes of delays. */
    protected final Causes causes() {
        return sim.causes();
    }

    /** Returns the number of a stage or cause name; to be called in constructors. */
    protected final int stageId(String name) {
        return sim.stages().id(name);
    }

    /** Returns the log of this node; lines carry simulated time and path. */
    protected final SimLog log() {
        SimLog l = log;
        if (l == null) {
            l = new SimLog(sim, path());
            log = l;
        }
        return l;
    }

    /** Returns what this node waits for at the moment, for the table a stalled run prints; null if for nothing. */
    protected @Nullable String waitsFor() {
        return null;
    }

    /** Returns why no snapshot can be taken at the moment, null if one can. */
    protected @Nullable String snapshotBlocker() {
        return null;
    }

    final void saveStates(Snapshot out) {
        for (int i = 0; i < states.size(); i++) {
            states.get(i).save(out);
        }
    }

    /** Writes everything that an idle tick must not change. */
    final void saveForDigest(Snapshot out) {
        saveStates(out);
        for (int i = 0; i < statistics.size(); i++) {
            statistics.get(i).save(out);
        }
    }

    final void loadStates(Snapshot in) {
        for (int i = 0; i < states.size(); i++) {
            states.get(i).load(in);
        }
    }
}
