package dev.clockwire.sim.export;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One interval of a {@link Timeline}; an instant if it is empty. Arrows of a flow lead from each of its slices to the next one. */
public final class TimelineSlice {
    private static final long[] NONE = {};

    private final String process;
    private final String track;
    private final String name;
    private final long in;
    private final long out;
    private final List<Object> args = new ArrayList<>(10);
    private long[] flows = NONE;
    private long[] ends = NONE;

    /**
     * Creates a slice.
     *
     * @param process top of the tree of tracks: a host
     * @param track below it; slices that overlap get lanes of their own
     * @param name shown in the slice
     * @param in its start in ps
     * @param out its end in ps
     */
    public TimelineSlice(String process, String track, String name, long in, long out) {
        this.process = process;
        this.track = track;
        this.name = name;
        this.in = in;
        this.out = out;
    }

    /** Adds an argument, which is shown when the slice is chosen. */
    public TimelineSlice arg(String key, long value) {
        args.add(key);
        args.add(value);
        return this;
    }

    /** Adds an argument; nothing if it is empty. */
    public TimelineSlice arg(String key, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            args.add(key);
            args.add(value);
        }
        return this;
    }

    /** Lets a flow come by. */
    public TimelineSlice passes(long flow) {
        flows = with(flows, flow);
        return this;
    }

    /** Lets a flow end here. */
    public TimelineSlice ends(long flow) {
        ends = with(ends, flow);
        return this;
    }

    private static long[] with(long[] old, long flow) {
        long[] more = Arrays.copyOf(old, old.length + 1);
        more[old.length] = flow;
        return more;
    }

    /** Returns the top of the tree of tracks. */
    public String process() {
        return process;
    }

    /** Returns the track below it. */
    public String track() {
        return track;
    }

    /** Returns the start in ps. */
    public long in() {
        return in;
    }

    /** Returns the end in ps. */
    public long out() {
        return out;
    }

    /** Writes what stands at its start. */
    void write(PerfettoWriter to, long lane) {
        if (out > in) {
            to.begin(lane, in, name);
        } else {
            to.instant(lane, in, name);
        }
        for (int i = 0; i < args.size(); i += 2) {
            String key = (String) args.get(i);
            if (args.get(i + 1) instanceof Long number) {
                to.arg(key, number);
            } else {
                to.arg(key, (String) args.get(i + 1));
            }
        }
        for (long flow : flows) {
            to.flow(flow);
        }
        for (long flow : ends) {
            to.lastOfFlow(flow);
        }
        to.write();
    }
}
