package dev.clockwire.sim;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A clock and the modules that run at its edges. Edge n is at floor(phase + n x period) ps, so edges do not drift. A clock without an
 * awake module has no edges to run.
 */
public final class Clock {
    /** Evaluations after which a clock gets a specialised loop: making it costs some ten milliseconds of compilation. */
    private static final int LONG_RUN = 1 << 21;
    /** One of so many modules must be awake at an edge: with fewer, direct calls bring less than the code of their own costs. */
    private static final int BUSY = 4;

    final Sim sim;
    private final String path;
    private final Frequency frequency;
    private final long num;
    private final long den;
    private final long whole;
    private final long part;

    private final List<SimModule> built = new ArrayList<>();
    SimModule[] modules = {};
    WakeMask[] next = {};
    private @Nullable WakeMask only;
    private long[] current = {};
    private WakeRing ring = new WakeRing(1);
    /** First edge with a wake-up in the ring, {@code Long.MAX_VALUE} if there is none. */
    private long ringNext = Long.MAX_VALUE;

    private Word[] words = {};
    private Word word0 = (awake, cycle) -> 0;
    private @Nullable CarefulEdge careful;

    /** Last edge that ran or was skipped, its time, and what its time was rounded down by, in 1/den ps. */
    private long cycle = -1;

    private long edge;
    private long fraction;

    /** Time and number of the next edge to run, {@code Long.MAX_VALUE} while all modules sleep. */
    long nextAt = Long.MAX_VALUE;

    private long nextCycle;
    private boolean running;
    private boolean specialised;
    /** False in exhaustive mode and before elaboration. */
    private boolean shortcuts;

    private long evaluations;
    /** Edges that were run. */
    private long steps;

    /** Creates a clock whose edge 0 is at time 0. */
    public Clock(Scope scope, String name, Frequency frequency) {
        this(scope, name, frequency, 0);
    }

    /** Creates a clock whose edge 0 is at {@code phasePs}. */
    public Clock(Scope scope, String name, Frequency frequency, long phasePs) {
        sim = scope.sim;
        path = scope.pathOf(name);
        sim.design.name(path);
        if (phasePs < 0) {
            throw new ConfigurationException(
                    path, ConfigurationException.BEFORE_TIME_ZERO, "phase " + phasePs + " ps is negative");
        }
        this.frequency = frequency;
        num = frequency.periodNum();
        den = frequency.periodDen();
        whole = num / den;
        part = num % den;
        edge = phasePs + Math.floorDiv(-num, den);
        fraction = Math.floorMod(-num, den);
        sim.design.clocks.add(this);
    }

    void add(SimModule m) {
        if (m.sim != sim) {
            throw new ConfigurationException(
                    m.path(), ConfigurationException.BEFORE_TIME_ZERO, "clock " + path + " is of another simulation");
        }
        built.add(m);
    }

    /** Fixes the order of evaluation and wakes everything for edge 0. */
    void elaborate() {
        modules = built.toArray(new SimModule[0]);
        Shuffle shuffle = sim.evaluationShuffle;
        if (shuffle != null) {
            shuffle.array(modules);
        }
        int n = Math.max(1, (modules.length + 63) / 64);
        next = new WakeMask[n];
        words = new Word[n];
        current = new long[n];
        ring = new WakeRing(n);
        for (int w = 0; w < n; w++) {
            next[w] = new WakeMask();
            words[w] = new Word.Plain(modules, w);
        }
        for (int i = 0; i < modules.length; i++) {
            modules[i].index = i;
        }
        careful = sim.spec().careful() ? new CarefulEdge(this, shuffle) : null;
        only = n == 1 && careful == null ? next[0] : null;
        word0 = words[0];
        if (sim.spec().loop() == LoopKind.SPECIALISED) {
            specialise();
        }
        shortcuts = !sim.exhaustive;
        wakeAll();
        for (SimModule m : modules) {
            if (m.startsAsleep) {
                next[m.index >> 6].bits &= ~(1L << m.index);
            }
        }
        plan();
    }

    private void specialise() {
        for (int w = 0; w < words.length; w++) {
            words[w] = Specialiser.word(modules, w);
        }
        word0 = words[0];
        specialised = true;
    }

    private void wakeAll() {
        for (int i = 0; i < modules.length; i++) {
            next[i >> 6].bits |= 1L << i;
        }
    }

    /** Returns the number of the last edge, that of the present one inside a tick; -1 before edge 0. */
    public long cycle() {
        return cycle;
    }

    /** Returns the time of edge {@link #cycle}, in ps. */
    public long edge() {
        return edge;
    }

    /** Returns the time of edge n in ps. */
    public long edgeTime(long n) {
        long k = n - cycle;
        if (k == 1) {
            return edge + whole + (fraction + part >= den ? 1 : 0);
        }
        return edge + k * whole + (part == 0 ? 0 : Math.floorDiv(fraction + k * part, den));
    }

    /** Returns the number of the first edge strictly later than t; t must not lie before the last edge. */
    public long edgeAfter(long t) {
        if (t >= edge && t < edgeTime(cycle + 1)) {
            return cycle + 1;
        }
        long since = t - edge;
        long blocks = since / num; // den edges each, kept apart so that nothing overflows
        long rest = since - blocks * num;
        return cycle + blocks * den + Math.floorDiv((rest + 1) * den - fraction + num - 1, num);
    }

    /** Returns the frequency. */
    public Frequency frequency() {
        return frequency;
    }

    /** Returns the simulation. */
    public Sim sim() {
        return sim;
    }

    /** Returns the full name. */
    public String path() {
        return path;
    }

    /** Returns how many times an awake module was evaluated. */
    public long evaluations() {
        return evaluations;
    }

    /** Asks for a tick of a module at edge n. */
    void wakeAt(SimModule m, long n) {
        if (!shortcuts) {
            wakeBeforeTimeZero(m, n);
            return;
        }
        long ahead = n - cycle;
        if (ahead >= WakeRing.EDGES && !running) {
            skipTo(Math.max(cycle, edgeAtOrAfter(sim.now) - 1));
            ahead = n - cycle;
        }
        if (ahead >= WakeRing.EDGES) {
            m.wakeFar(edgeTime(n));
            return;
        }
        if (ahead <= 0) {
            throw new InvariantViolation(m.path(), sim.now, "wakeAt(" + n + ") in cycle " + cycle);
        }
        if (ahead == 1) {
            next[m.index >> 6].bits |= 1L << m.index;
        } else {
            ring.add(n, m.index);
            ringNext = Math.min(ringNext, n);
        }
        if (!running && (nextAt == Long.MAX_VALUE || n < nextCycle)) {
            nextCycle = n;
            nextAt = edgeTime(n);
            sim.horizon = Math.min(sim.horizon, nextAt);
        }
    }

    private void wakeBeforeTimeZero(SimModule m, long n) {
        if (sim.elaborated()) {
            return;
        }
        if (n > 0) {
            m.wakeFar(edgeTime(n));
        } else {
            m.startsAsleep = false;
        }
    }

    /** From a handler: phase 2 of this instant if there is an edge now, else the next edge. */
    void wakeNow(SimModule m) {
        if (running) {
            throw new InvariantViolation(m.path(), sim.now, "wake() belongs to event handlers, a tick uses wakeAt()");
        }
        if (!shortcuts) {
            wakeBeforeTimeZero(m, 0);
            return;
        }
        long n = Math.max(cycle + 1, edgeAtOrAfter(sim.now));
        if (n - cycle >= WakeRing.EDGES) {
            skipTo(n - 1);
        }
        wakeAt(m, n);
    }

    private long edgeAtOrAfter(long t) {
        return t <= edge ? cycle : edgeAfter(t - 1);
    }

    private void skipTo(long n) {
        if (n != cycle) {
            long t = edgeTime(n);
            fraction = part == 0 ? fraction : Math.floorMod(fraction + (n - cycle) * part, den);
            edge = t;
            cycle = n;
        }
    }

    /** Runs the edge at {@link #nextAt}. */
    void step() {
        long n = nextCycle;
        if (n == cycle + 1) {
            long f = fraction + part;
            fraction = f >= den ? f - den : f;
            edge = nextAt;
            cycle = n;
        } else {
            skipTo(n);
        }
        running = true;
        steps++;
        if (n == ringNext) {
            ringNext = ring.merge(n, next);
        }
        WakeMask m = only;
        if (m == null) {
            runWords(n);
        } else {
            long awake = m.bits;
            m.bits = 0;
            evaluations += Long.bitCount(awake);
            long stay = word0.tick(awake, n);
            stay |= m.bits; // not in one expression with the call: Java would read the mask before the ticks set bits
            // in it
            m.bits = stay;
            if (stay != 0) {
                nextCycle = n + 1;
                nextAt = edge + whole + (fraction + part >= den ? 1 : 0);
                running = false;
                return;
            }
        }
        running = false;
        plan();
    }

    private void runWords(long n) {
        CarefulEdge c = careful;
        if (c != null) {
            evaluations += c.run(n);
            return;
        }
        long[] now = current;
        for (int w = 0; w < now.length; w++) {
            now[w] = next[w].bits;
            next[w].bits = 0;
        }
        for (int w = 0; w < now.length; w++) {
            if (now[w] != 0) {
                evaluations += Long.bitCount(now[w]);
                long stay = words[w].tick(now[w], n);
                next[w].bits |= stay;
            }
        }
    }

    /** Finds the next edge to run. */
    private void plan() {
        boolean any = sim.exhaustive && modules.length > 0;
        any |= careful != null && careful.trials();
        for (WakeMask x : next) {
            any |= x.bits != 0;
        }
        if (!any && ringNext == Long.MAX_VALUE) {
            nextAt = Long.MAX_VALUE;
            return;
        }
        nextCycle = any ? cycle + 1 : ringNext;
        nextAt = edgeTime(nextCycle);
    }

    /** Between runs: a clock that has been busy for long, with many modules at most edges, gets a loop of its own. */
    void considerSpecialising() {
        if (sim.spec().loop() == LoopKind.AUTO
                && careful == null
                && evaluations >= LONG_RUN
                && evaluations * BUSY >= steps * modules.length
                && !specialised) {
            specialise();
        }
    }

    boolean specialised() {
        return specialised;
    }

    /** Last edge before now, or the present one if it has run. */
    long cycleForSnapshot() {
        return Math.max(cycle, edgeAtOrAfter(sim.now) - 1);
    }

    /**
     * Goes to the state after edge n with everything awake: a module that has nothing to do does nothing, and one that waits for a
     * time asks for it again, so masks are no part of a snapshot.
     */
    void restore(long n) {
        skipTo(n);
        ring.clear();
        ringNext = Long.MAX_VALUE;
        wakeAll();
        plan();
    }
}
