package dev.clockwire.nic.stage;

import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Token;
import java.util.List;

/**
 * A pipeline of fixed latency. A token visible at its input in cycle c is visible behind its output in cycle c + latency;
 * the next token enters as many cycles later as the token has beats on the bus.
 *
 * @param <T> what flows
 */
public class LatencyStage<T extends Token> extends SimModule {
    private final List<Channel<T>> in;
    private final Channel<T> out;
    private final int latency;
    private final LatencyState s;

    /**
     * Creates the stage and connects it.
     *
     * @param latency cycles, at least 1
     */
    public LatencyStage(Scope parent, String name, Clock clock, Channel<T> in, Channel<T> out, int latency) {
        this(parent, name, clock, List.of(in), out, latency);
    }

    /**
     * Creates a stage with several inputs, which take turns.
     *
     * @param latency cycles, at least 1
     */
    public LatencyStage(Scope parent, String name, Clock clock, List<Channel<T>> in, Channel<T> out, int latency) {
        super(parent, name, clock);
        if (latency < 1) {
            throw new ConfigurationException(path(), -1, "latency " + latency + " cycles: allowed is 1 or more");
        }
        this.in = in;
        for (Channel<T> channel : in) {
            channel.to(this);
        }
        this.out = out.from(this);
        this.latency = latency;
        s = state(new LatencyState(latency + 2));
    }

    @Override
    protected final boolean tick(long cycle) {
        boolean did = accept(cycle);
        if (!s.empty() && s.headDue() <= cycle && out.ready(cycle)) {
            long due = s.headDue();
            @SuppressWarnings("unchecked") // only tokens of the inputs are pushed
            T token = (T) s.pop();
            leave(token, due - latency(token) + 1, cycle);
            out.put(cycle, token);
            did = true;
        }
        return more(cycle + 1) || rest(did);
    }

    /** Whether the next cycle may have work; asks for the later one that has. What is due and finds its output full waits for a take. */
    private boolean more(long next) {
        boolean more = false;
        if (!s.empty()) {
            long due = s.headDue();
            if (due > next) {
                wakeAt(due);
            } else {
                more = out.ready(next);
            }
        }
        if (!s.full() && comes(next)) {
            if (s.nextEntry > next) {
                wakeAt(s.nextEntry);
            } else {
                more = true;
            }
        }
        return more;
    }

    private boolean comes(long cycle) {
        for (int i = 0; i < in.size(); i++) {
            if (in.get(i).valid(cycle)) {
                return true;
            }
        }
        return false;
    }

    private boolean accept(long cycle) {
        if (s.full() || cycle < s.nextEntry) {
            return false;
        }
        int n = in.size();
        for (int k = 0; k < n; k++) {
            int i = s.turn + k < n ? s.turn + k : s.turn + k - n;
            Channel<T> channel = in.get(i);
            if (channel.valid(cycle)) {
                T token = channel.take(cycle);
                enter(token, cycle);
                s.push(token, cycle + latency(token) - 1);
                s.nextEntry = cycle + Math.max(1, beats(token));
                s.turn = i + 1 == n || !fair() ? 0 : i + 1;
                return true;
            }
        }
        return false;
    }

    /** Returns the cycles this token needs; one that needs fewer than the token in front of it leaves behind it all the same. */
    protected int latency(T token) {
        return latency;
    }

    /** Whether inputs take turns; otherwise an earlier one always goes first. */
    protected boolean fair() {
        return true;
    }

    /** Returns the beats of a token on the bus: the distance in cycles to the next token. */
    protected int beats(T token) {
        return 1;
    }

    /** Does the stage's work on a token that enters. */
    protected void enter(T token, long cycle) {}

    /** Called when a token that entered in some cycle leaves; it is visible to the next stage at the next edge. */
    protected void leave(T token, long entered, long cycle) {}
}
