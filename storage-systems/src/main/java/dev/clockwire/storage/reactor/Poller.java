package dev.clockwire.storage.reactor;

import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Watcher;
import dev.clockwire.sim.mem.WriteWatch;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A function that a thread calls in every poll (period 0) or from time to time. It is registered and taken away on its own thread. */
public final class Poller implements State {
    private static final long NEVER = Long.MAX_VALUE;

    private final StorageThread thread;
    private final String name;
    private final int index;
    private final PollFunction function;
    private final Watcher watcher = (va, length) -> written = true;

    private PollerState state = PollerState.UNREGISTERED;
    private long periodPs;
    private long nextRun;
    private long runCount;
    private long busyCount;
    private long busyPs;
    private long idlePs;
    /** What the last call said of those to come. */
    private boolean quiet;

    private long quietUntil;
    private int ranges;
    private long[] starts = new long[1];
    private int[] lengths = new int[1];
    private @Nullable WriteWatch[] watches = new @Nullable WriteWatch[1];
    /** Whether somebody has written into a range since the last call began. */
    private boolean written;

    Poller(StorageThread thread, String name, int index, PollFunction function) {
        this.thread = thread;
        this.name = name;
        this.index = index;
        this.function = function;
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns the thread that calls it. */
    public StorageThread thread() {
        return thread;
    }

    /** Returns the core that it runs on, to be charged for its work. */
    public CpuCore cpu() {
        return thread.reactor().core();
    }

    /**
     * Makes the thread call it.
     *
     * @param periodPs 0 for every poll; otherwise the least time between two calls, the first of which is that far from now
     * @throws ConfigurationException if it is registered, or this is another thread
     */
    public void register(long periodPs) {
        thread.require(this + ": register");
        if (state != PollerState.UNREGISTERED) {
            throw wrong("is registered already, " + state.name().toLowerCase(Locale.ROOT));
        }
        if (periodPs < 0) {
            throw wrong("has the period " + periodPs + " ps: must be 0 or more");
        }
        this.periodPs = periodPs;
        state = PollerState.WAITING;
        thread.insert(this, thread.reactor().reactors().now());
    }

    /** Ends the calls; its own function may do this, and is not called again when it returns. */
    public void unregister() {
        thread.require(this + ": unregister");
        switch (state) {
            case UNREGISTERED, ENDING -> throw wrong("is not registered");
            case RUNNING, PAUSING -> state = PollerState.ENDING;
            case WAITING, PAUSED -> {
                thread.remove(this);
                ended();
            }
        }
    }

    /** Stops the calls until {@link #resume}. */
    public void pause() {
        thread.require(this + ": pause");
        switch (state) {
            case RUNNING -> state = PollerState.PAUSING;
            case WAITING -> {
                thread.remove(this);
                state = PollerState.PAUSED;
                disarm(0);
            }
            default -> {}
        }
    }

    /** Has it called again: last registered if in every poll, or a period from now. */
    public void resume() {
        thread.require(this + ": resume");
        if (state == PollerState.PAUSING) {
            state = PollerState.RUNNING;
        } else if (state == PollerState.PAUSED) {
            state = PollerState.WAITING;
            thread.insert(this, thread.reactor().reactors().now());
        }
    }

    /**
     * Says, in a call that finds nothing, that the next ones would find nothing either, each at the cost of this one, unless somebody
     * writes into a range named by {@link #watch} or the time of {@link #quietUntil} comes, or anything else happens on this reactor.
     * Such calls are counted and paid for without being simulated. It lasts until the next call.
     */
    public void quiet() {
        quiet = true;
    }

    /** As {@link #quiet}, up to a time: the first call not before it is made. */
    public void quietUntil(long ps) {
        quiet = true;
        quietUntil = Math.min(quietUntil, ps);
    }

    /** As {@link #quiet}, and names a range whose writes end that. */
    public void watch(long va, int length) {
        quiet = true;
        if (ranges == starts.length) {
            starts = Arrays.copyOf(starts, 2 * ranges);
            lengths = Arrays.copyOf(lengths, 2 * ranges);
            watches = Arrays.copyOf(watches, 2 * ranges);
        }
        AddressSpace memory = thread.reactor().memory();
        WriteWatch w = watches[ranges];
        if (w == null) {
            watches[ranges] = memory.watch(va, length, watcher);
        } else {
            if (starts[ranges] != va || lengths[ranges] != length) {
                memory.move(w, va, length);
            }
            w.arm();
        }
        starts[ranges] = va;
        lengths[ranges] = length;
        ranges++;
    }

    /** Calls the function; returns its result. */
    int run(CpuCore core) {
        state = PollerState.RUNNING;
        quiet = false;
        quietUntil = NEVER;
        ranges = 0;
        written = false;
        core.charge(thread.reactor().spec().callPs());
        int rc = function.poll(this);
        quiet &= rc <= 0;
        disarm(ranges);
        runCount++;
        if (rc > 0) {
            busyCount++;
            busyPs += core.stepPs();
        } else {
            idlePs += core.stepPs();
        }
        return rc;
    }

    /** Counts calls that found nothing and were not simulated. */
    void skipped(long calls, long ps) {
        runCount += calls;
        idlePs += calls * ps;
    }

    void setState(PollerState next) {
        state = next;
        if (next != PollerState.WAITING) {
            disarm(0);
        }
    }

    void ended() {
        setState(PollerState.UNREGISTERED);
    }

    private void disarm(int from) {
        for (int i = from; i < watches.length; i++) {
            WriteWatch w = watches[i];
            if (w != null) {
                w.disarm();
            }
        }
    }

    /** Returns whether the last call said that the next need not be simulated. */
    boolean isQuiet() {
        return quiet;
    }

    /** Returns whether a call now could find something. */
    boolean isDisturbed() {
        return written;
    }

    /** Names to the core what ends its idleness. */
    void watchOn(CpuCore core) {
        for (int i = 0; i < ranges; i++) {
            core.idle(starts[i], lengths[i]);
        }
    }

    long quietEnd() {
        return quietUntil;
    }

    void nextRun(long ps) {
        nextRun = ps;
    }

    /** Returns when a timed poller's next call is due. */
    public long nextRun() {
        return nextRun;
    }

    /** Returns the period, 0 if it is called in every poll. */
    public long periodPs() {
        return periodPs;
    }

    /** Returns what it is doing. */
    public PollerState state() {
        return state;
    }

    /** Returns how often it was called. */
    public long runCount() {
        thread.settle();
        return runCount;
    }

    /** Returns how many calls found work. */
    public long busyCount() {
        return busyCount;
    }

    /** Returns the time of calls that found work. */
    public long busyPs() {
        return busyPs;
    }

    /** Returns the time of calls that found none. */
    public long idlePs() {
        thread.settle();
        return idlePs;
    }

    int index() {
        return index;
    }

    private ConfigurationException wrong(String why) {
        return new ConfigurationException(
                thread.name(), thread.reactor().reactors().now(), this + " " + why);
    }

    @Override
    public String toString() {
        return "poller " + name;
    }

    @Override
    public void save(Snapshot out) {
        out.putString(state.name());
        out.putLong(periodPs);
        out.putLong(nextRun);
        out.putLong(runCount);
        out.putLong(busyCount);
        out.putLong(busyPs);
        out.putLong(idlePs);
        out.putBoolean(quiet);
        out.putLong(quietUntil);
        out.putBoolean(written);
        out.putInt(ranges);
        for (int i = 0; i < ranges; i++) {
            out.putLong(starts[i]);
            out.putInt(lengths[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        state = PollerState.valueOf(in.getString());
        periodPs = in.getLong();
        nextRun = in.getLong();
        runCount = in.getLong();
        busyCount = in.getLong();
        busyPs = in.getLong();
        idlePs = in.getLong();
        quiet = in.getBoolean();
        quietUntil = in.getLong();
        boolean wasWritten = in.getBoolean();
        boolean wasQuiet = quiet;
        ranges = 0;
        disarm(0);
        for (int n = in.getInt(); n > 0; n--) {
            watch(in.getLong(), in.getInt());
        }
        quiet = wasQuiet;
        written = wasWritten;
        if (state != PollerState.WAITING) {
            disarm(0);
        }
    }
}
