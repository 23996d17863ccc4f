package dev.clockwire.sim.fsm;

import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.stats.StatRegistry;
import dev.clockwire.sim.trace.Signals;
import dev.clockwire.sim.trace.WaveSink;
import dev.clockwire.sim.trace.WaveSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the transitions of a state machine: for waves, log and statistics, and to refuse an edge that was not declared. What happens
 * in a state stays a plain {@code switch} over {@link #now} in the block, which also registers this object as its state:
 *
 * <pre>{@code
 * private final Fsm<Phase> fsm = state(new Fsm<>(this, "phase", Phase.IDLE)
 *         .edge(Phase.IDLE, Phase.FETCH)
 *         .edge(Phase.FETCH, Phase.IDLE));
 * }</pre>
 *
 * @param <E> the states
 */
public final class Fsm<E extends Enum<E>> implements State, WaveSource {
    private static final int HISTORY = 8;

    private final SimNode owner;
    private final String name;
    private final String path;
    private final E[] states;
    private final boolean[][] legal;
    private final long[] visits;
    private final long[] spent;
    private final int[] lastFrom = new int[HISTORY];
    private final int[] lastTo = new int[HISTORY];
    private final long[] lastAt = new long[HISTORY];
    private final Logger logger;
    private E now;
    private int index;
    private long since;
    private long transitions;
    private @Nullable WaveSink sink;
    private int signal;

    /** Creates a machine in its first state, without edges. */
    public Fsm(SimNode owner, String name, E first) {
        this.owner = owner;
        this.name = name;
        path = owner.path() + "." + name;
        states = first.getDeclaringClass().getEnumConstants();
        legal = new boolean[states.length][states.length];
        visits = new long[states.length];
        spent = new long[states.length];
        now = first;
        index = index(first);
        since = owner.now();
        visits[index] = 1;
        logger = LoggerFactory.getLogger("clockwire." + path);
        owner.sim().addWaveSource(this);
    }

    /** Declares an edge. Staying is an edge too. */
    public Fsm<E> edge(E from, E to) {
        legal[index(from)][index(to)] = true;
        return this;
    }

    /** Declares edges from every state to one, such as a reset. */
    public Fsm<E> fromAny(E to) {
        for (boolean[] row : legal) {
            row[index(to)] = true;
        }
        return this;
    }

    /** Registers statistics: the transitions, and for each state its visits and the time spent in it, the present visit not counted. */
    public Fsm<E> statistics(StatRegistry stats) {
        stats.reading(path + ".transitions", "", "transitions of the state machine", () -> transitions);
        for (E s : states) {
            int i = index(s);
            stats.reading(path + ".visits." + s, "", "times the state was entered", () -> visits[i]);
            stats.reading(path + ".time." + s, "ps", "time spent in the state, past visits", () -> spent[i]);
        }
        return this;
    }

    /** Returns the present state. */
    public E now() {
        return now;
    }

    /**
     * Takes an edge.
     *
     * @throws InvariantViolation if it was not declared; the text lists the edges there are and the last transitions
     */
    public void go(E to) {
        int next = index(to);
        long ps = owner.now();
        if (!legal[index][next]) {
            throw new InvariantViolation(
                    path,
                    ps,
                    "no edge " + now + " -> " + to + "; from " + now + " there are " + edgesFrom(index) + "; before: "
                            + history());
        }
        int slot = (int) (transitions % HISTORY);
        lastFrom[slot] = index;
        lastTo[slot] = next;
        lastAt[slot] = ps;
        transitions++;
        spent[index] += ps - since;
        visits[next]++;
        if (logger.isTraceEnabled()) {
            logger.trace("[{} ps] {}: {} -> {}", ps, path, now, to);
        }
        index = next;
        now = to;
        since = ps;
        WaveSink s = sink;
        if (s != null) {
            s.change(signal, ps, next);
        }
    }

    /** Returns the time in ps since when the present state holds. */
    public long since() {
        return since;
    }

    /** Returns the number of edges taken. */
    public long transitions() {
        return transitions;
    }

    /** Returns how many times a state was entered, the first state once at the start. */
    public long visits(E s) {
        return visits[index(s)];
    }

    /** Returns the time spent in a state until {@code ps}, the present visit included. */
    public long timeIn(E s, long ps) {
        int i = index(s);
        return spent[i] + (i == index ? ps - since : 0);
    }

    /** Returns the last transitions, oldest first, in one line. */
    public String history() {
        List<String> all = new ArrayList<>();
        for (long k = Math.max(0, transitions - HISTORY); k < transitions; k++) {
            int i = (int) (k % HISTORY);
            all.add(states[lastFrom[i]] + " -> " + states[lastTo[i]] + " at " + lastAt[i] + " ps");
        }
        return all.isEmpty() ? "nothing" : String.join(", ", all);
    }

    /** Returns the name within its owner. */
    public String name() {
        return name;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public void trace(Signals signals, WaveSink waves, long ps) {
        if (sink != null) {
            throw new ConfigurationException(path, ps, "already shown as waves");
        }
        signal = signals.states(path, Arrays.stream(states).map(E::toString).toList());
        sink = waves;
        waves.change(signal, ps, index);
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(index);
        out.putLong(since);
        out.putLong(transitions);
        out.putLongs(visits);
        out.putLongs(spent);
        for (int i = 0; i < HISTORY; i++) {
            out.putInt(lastFrom[i]);
            out.putInt(lastTo[i]);
            out.putLong(lastAt[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        index = in.getInt();
        now = states[index];
        since = in.getLong();
        transitions = in.getLong();
        in.getLongs(visits);
        in.getLongs(spent);
        for (int i = 0; i < HISTORY; i++) {
            lastFrom[i] = in.getInt();
            lastTo[i] = in.getInt();
            lastAt[i] = in.getLong();
        }
    }

    private String edgesFrom(int from) {
        List<String> all = new ArrayList<>();
        for (int to = 0; to < states.length; to++) {
            if (legal[from][to]) {
                all.add(states[to].toString());
            }
        }
        return all.isEmpty() ? "none" : String.join(", ", all);
    }

    /** The table index of a state; snapshots hold it, so they are for the same build only. */
    @SuppressWarnings("EnumOrdinal")
    private static int index(Enum<?> s) {
        return s.ordinal();
    }
}
