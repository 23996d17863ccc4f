package dev.clockwire.sim;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.stats.StatRegistry;
import dev.clockwire.sim.trace.Causes;
import dev.clockwire.sim.trace.JourneyLog;
import dev.clockwire.sim.trace.StageRegistry;
import dev.clockwire.sim.trace.TraceHash;
import dev.clockwire.sim.trace.WaveSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A simulation: build the design below {@link #root}, {@link #elaborate} it, {@link #run} it. One instant at a time: first the events
 * that are due, by (time, node, port, order sent), then the awake modules of every clock with an edge now.
 */
public final class Sim {
    private static final long NEVER = Long.MAX_VALUE;
    private static final long SLICE_PS = 1_000_000_000L;

    final Design design = new Design();
    final EventQueue queue;
    final @Nullable Shuffle evaluationShuffle;
    /** No shortcuts: everything is evaluated, moved timers leave the queue at once. */
    final boolean exhaustive;

    long now;
    /** The inner loop over one clock ends here. */
    long horizon;

    @Nullable
    JourneyLog journeys;

    private final SimSpec spec;
    private final Scope root;
    private final StageRegistry stages = new StageRegistry();
    private final Causes causes = new Causes(stages);
    private final StatRegistry stats = new StatRegistry();
    private final Watchdog watchdog;
    private @Nullable Looker looker;
    private final @Nullable SortedQueue sorted;
    private final @Nullable Shuffle schedulingShuffle;
    private final List<HeldEvent> held = new ArrayList<>();
    private final List<Runnable> whenElaborated = new ArrayList<>();
    private boolean direct;
    private boolean elaborated;
    private boolean running;
    /** Whether the run ends when somebody calls {@link #stop}, and whether somebody has. */
    private boolean stoppable;

    private boolean stopped;
    private EventPort[] ports = {};
    private Clock[] clocks = {};
    private long events;
    private long limit = Long.MAX_VALUE;

    /** Creates an empty simulation. */
    public Sim(SimSpec spec) {
        this.spec = spec;
        exhaustive = spec.mode() == KernelMode.EXHAUSTIVE;
        sorted = exhaustive ? new SortedQueue() : null;
        queue = sorted != null ? sorted : new TimingWheel(spec.wheelBits(), this::isDead);
        evaluationShuffle = spec.shuffleEvaluation() == 0 ? null : new Shuffle(spec.shuffleEvaluation());
        schedulingShuffle = spec.shuffleScheduling() == 0 ? null : new Shuffle(spec.shuffleScheduling());
        root = new Scope(this);
        watchdog = new Watchdog(this);
    }

    /** Returns the parameters. */
    public SimSpec spec() {
        return spec;
    }

    /** Returns the root of all names. */
    public Scope root() {
        return root;
    }

    /** Returns the time in ps: of the instant being simulated, or up to which everything earlier has been simulated. */
    public long now() {
        return now;
    }

    /** Returns the new random stream of that name; each name has one owner. */
    public RandomStream random(String name) {
        return design.stream(spec.seed(), name);
    }

    /** Returns the numbers of stage and cause names. */
    public StageRegistry stages() {
        return stages;
    }

    /** Returns the numbers of the causes of delays. */
    public Causes causes() {
        return causes;
    }

    /** Returns all statistics by name. */
    public StatRegistry stats() {
        return stats;
    }

    /** Returns how many events and timers have been handled. */
    public long events() {
        return events;
    }

    /** Returns how many times an awake module has been evaluated. */
    public long evaluations() {
        long n = 0;
        for (Clock c : design.clocks) {
            n += c.evaluations();
        }
        return n;
    }

    /** Returns the log of journeys, null when they are off. */
    public @Nullable JourneyLog journeys() {
        return journeys;
    }

    /** Switches journeys on; {@code capacity} stamps are kept. Call it before building, so that channels can be followed. */
    public void enableJourneys(int capacity) {
        journeys = new JourneyLog(capacity);
    }

    /** Returns all channels, inlets and FIFOs by name, for exporters. */
    public List<String> linkNames() {
        return design.links.stream().map(Link::path).sorted().toList();
    }

    /** Returns what joins the parts of the design, by name; the design is elaborated. */
    public List<Connection> connections() {
        elaborate();
        return design.links.stream()
                .map(Link::describe)
                .sorted(Comparator.comparing(Connection::path))
                .toList();
    }

    /** Returns all channels in the order built, for exporters. */
    public List<Wire> wires() {
        return design.links.stream()
                .filter(Wire.class::isInstance)
                .map(Wire.class::cast)
                .toList();
    }

    /** Returns all clocks in the order built. */
    public List<Clock> clocks() {
        return List.copyOf(design.clocks);
    }

    /** Returns who waits for whom since when, a line each behind a line break; null if nobody waits. */
    public @Nullable String waiting() {
        return watchdog.table();
    }

    /** Makes a part of the design known to whoever looks for waves; its path is taken from now on. */
    public void addWaveSource(WaveSource source) {
        design.name(source.path());
        design.waveSources.add(source);
    }

    /** Returns the parts of the design, other than channels, that can show themselves as waves. */
    public List<WaveSource> waveSources() {
        return List.copyOf(design.waveSources);
    }

    boolean elaborated() {
        return elaborated;
    }

    /** Checks the wiring and closes the design. Called by the first run if not before. */
    public Sim elaborate() {
        if (!elaborated) {
            ports = Elaborator.elaborate(this);
            clocks = design.clocks.toArray(new Clock[0]);
            elaborated = true;
            direct = schedulingShuffle == null;
            release();
            if (evaluationShuffle != null) {
                evaluationShuffle.array(clocks);
            }
            whenElaborated.forEach(Runnable::run);
            whenElaborated.clear();
        }
        return this;
    }

    /** Calls an observer when the design is complete and nothing has run: at once if it is. */
    public void whenElaborated(Runnable observer) {
        if (elaborated) {
            observer.run();
        } else {
            whenElaborated.add(observer);
        }
    }

    /** Has somebody look at the design over the time of all further runs, however they end; one at a time. */
    public void look(Looker who) {
        looker = who;
    }

    private void lookIfDue() {
        Looker who = looker;
        if (who != null && now >= who.nextPs()) {
            who.look(now);
        }
    }

    void send(EventPort p, long at, int kind, long a, long b, @Nullable Token token) {
        if (at <= now) {
            throw new InvariantViolation(p.path(), now, "event sent for " + at + " ps: every delay is at least 1 ps");
        }
        long key = p.nextKey(kind);
        if (direct) {
            queue.insert(now, at, key, a, b, token);
        } else {
            held.add(new HeldEvent(p, at, key, a, b, token));
            horizon = Math.min(horizon, at);
        }
    }

    /** Queues the entry of a restored timer, which may be due now. */
    void requeue(Timer t, long at) {
        t.queued = at;
        queue.insert(now, at, t.nextKey(Timer.ENTRY), 0, 0, null);
    }

    /** Takes the queued entry of a timer back. */
    void withdraw(Timer t, long at) {
        held.removeIf(h -> h.port == t && h.at == at);
        if (sorted != null) {
            sorted.remove(at, t.key & EventPort.ORDINAL);
        }
    }

    private void release() {
        if (held.isEmpty()) {
            return;
        }
        HeldEvent[] all = held.toArray(new HeldEvent[0]);
        held.clear();
        if (schedulingShuffle != null) {
            schedulingShuffle.array(all);
        }
        for (HeldEvent h : all) {
            queue.insert(now, h.at, h.key | (h.port.key & EventPort.ORDINAL), h.a, h.b, h.token);
        }
    }

    private boolean isDead(long at, long key) {
        return (key & Timer.ENTRY) == Timer.ENTRY && portOf(key) instanceof Timer t && t.queued != at;
    }

    private EventPort portOf(long key) {
        return ports[(int) (key >>> EventPort.ORDINAL_SHIFT)];
    }

    /** Simulates every instant before {@code untilPs}; afterwards that is now. */
    public void run(long untilPs) {
        enter(untilPs);
        while (now < untilPs) {
            long stop = slice(untilPs);
            advance(stop);
            pause(stop, untilPs);
        }
        running = false;
    }

    /**
     * Simulates instant by instant until the condition holds after one, or until {@code limitPs}.
     *
     * @return whether the condition holds; if so, now is the time of that instant
     */
    public boolean runUntil(BooleanSupplier done, long limitPs) {
        enter(limitPs);
        boolean reached = done.getAsBoolean();
        while (!reached && now < limitPs) {
            long stop = slice(limitPs);
            reached = advanceUntil(done, stop);
            if (!reached) {
                pause(stop, limitPs);
            }
        }
        running = false;
        return reached;
    }

    /**
     * Simulates until something in the design calls {@link #stop}, or until {@code limitPs}: like {@link #runUntil} with a condition that
     * need not be asked behind every instant.
     *
     * @return whether somebody did; if so, now is the time of that instant, which is complete
     */
    public boolean runUntilStopped(long limitPs) {
        enter(limitPs);
        stoppable = true;
        while (!stopped && now < limitPs) {
            long stop = slice(limitPs);
            advance(stop);
            if (!stopped) {
                pause(stop, limitPs);
            }
        }
        stoppable = false;
        running = false;
        return stopped;
    }

    /** Ends {@link #runUntilStopped} behind the instant that is being simulated; other runs go on. */
    public void stop() {
        if (stoppable) {
            stopped = true;
            horizon = now;
        }
    }

    /** Returns when the next event or edge is due, {@code Long.MAX_VALUE} if none is at or before a time. */
    public long nextAt(long limitPs) {
        elaborate();
        release();
        long first = queue.next(limitPs);
        for (Clock c : clocks) {
            first = Math.min(first, c.nextAt);
        }
        return first <= limitPs ? first : NEVER;
    }

    private long slice(long until) {
        long end = Math.min(Math.min(until, limit), watchdog.next());
        Looker who = looker;
        end = who == null ? end : Math.min(end, Math.max(now + 1, who.nextPs()));
        return end - now > SLICE_PS ? now + SLICE_PS : end;
    }

    /** What is done now and then between two instants. */
    private void pause(long stop, long until) {
        now = stop;
        watchdog.look();
        lookIfDue();
        for (Clock c : clocks) {
            c.considerSpecialising();
        }
        if (watchdog.satisfied() && isQuiet()) {
            now = Math.min(until, limit);
        }
        if (now >= limit) {
            throw new InvariantViolation("", now, "the limit of this simulation is reached: " + Ends.ns(limit));
        }
    }

    /** Whether nothing will ever happen again by itself. */
    private boolean isQuiet() {
        boolean quiet = queue.size == 0;
        for (Clock c : clocks) {
            quiet &= c.nextAt == NEVER;
        }
        return quiet;
    }

    /** Sets a time no run may reach: a test that hangs ends there with an error. */
    public void limit(long ps) {
        limit = ps;
    }

    private void enter(long untilPs) {
        elaborate();
        if (running) {
            throw new InvariantViolation("", now, "run() inside a run, or after one that failed");
        }
        if (untilPs < now) {
            throw new ConfigurationException(
                    "run until " + untilPs + " ps: it is " + now + " ps, and time goes forward");
        }
        running = true;
        stopped = false;
        release();
        lookIfDue();
    }

    private void advance(long until) {
        EventQueue q = queue;
        while (!stopped) {
            long edge = NEVER;
            long second = NEVER;
            Clock first = null;
            for (Clock c : clocks) {
                long t = c.nextAt;
                if (t < edge) {
                    second = edge;
                    edge = t;
                    first = c;
                } else if (t < second) {
                    second = t;
                }
            }
            if (q.bound < edge && q.bound < until) {
                eventsBefore(Math.min(edge, until));
            } else if (edge >= until) {
                return;
            } else if (first != null && q.bound > edge && second > edge) {
                stayOn(first, Math.min(second, until));
            } else {
                q.next(edge);
                instant(edge);
            }
        }
    }

    /** Handles events while no clock has an edge: before {@code end}, or up to the instant for which a handler wakes a module. */
    private void eventsBefore(long end) {
        EventQueue q = queue;
        horizon = end;
        for (; ; ) {
            long t = q.next(horizon - 1);
            if (t == NEVER) {
                return;
            }
            now = t;
            do {
                handle(q.pop());
            } while (q.openTop() == t);
            if (!direct || horizon == t) {
                edges(t);
                return;
            }
        }
    }

    /** Runs edges of one clock while nothing else is due. */
    private void stayOn(Clock c, long end) {
        EventQueue q = queue;
        horizon = end;
        do {
            now = c.nextAt;
            c.step();
        } while (c.nextAt < horizon && c.nextAt < q.bound);
        if (!direct) {
            release();
        }
    }

    /** Both phases of the instant t; {@code queue.next} has seen its events. */
    private void instant(long t) {
        now = t;
        EventQueue q = queue;
        if (q.bound == t) {
            do {
                handle(q.pop());
            } while (q.openTop() == t);
        }
        edges(t);
    }

    /** Phase 2 of the instant t. */
    private void edges(long t) {
        for (Clock c : clocks) {
            if (c.nextAt == t) {
                c.step();
            }
        }
        if (!direct) {
            release();
        }
    }

    private void handle(int e) {
        EventQueue q = queue;
        long key = q.key(e);
        EventPort p = ports[(int) (key >>> EventPort.ORDINAL_SHIFT)];
        int kind = (int) key & Timer.ENTRY;
        if (kind == Timer.ENTRY) {
            if (((Timer) p).surfaced(now)) {
                events++;
            }
        } else {
            events++;
            p.event(kind, q.a(e), q.b(e), (key & EventQueue.HAS_TOKEN) != 0 ? q.token(e) : null);
        }
    }

    /** As {@link #advance}, with a look at the condition after each instant. */
    private boolean advanceUntil(BooleanSupplier done, long until) {
        for (; ; ) {
            long edge = NEVER;
            for (Clock c : clocks) {
                edge = Math.min(edge, c.nextAt);
            }
            long limit = Math.min(edge, until - 1);
            long t = queue.bound <= limit ? Math.min(edge, queue.next(limit)) : edge;
            if (t >= until) {
                return false;
            }
            instant(t);
            if (done.getAsBoolean()) {
                return true;
            }
        }
    }

    /** Returns the digest of all observation points, combined in name order. */
    public long traceHash() {
        return traceHash(List.of(this));
    }

    /** Returns the digest of each observation point by name: what tells where two runs differ. */
    public SortedMap<String, Long> observations() {
        SortedMap<String, Long> all = new TreeMap<>();
        design.probes.forEach(p -> all.put(p.path(), RandomStream.mix(p.value() + p.count())));
        return all;
    }

    /** Returns the digest of all observation points of the parts of a design: that of the design in one piece. */
    public static long traceHash(List<Sim> parts) {
        List<Probe> points = new ArrayList<>();
        parts.forEach(part -> points.addAll(part.design.probes));
        points.sort(Comparator.comparing(Probe::path));
        long h = 0;
        for (Probe p : points) {
            h = TraceHash.combine(h, p.path(), p.value(), p.count());
        }
        return h;
    }

    /** Records the whole state between two runs; refused, with a name, if a part of the design cannot be recorded. */
    public Snapshot save() {
        elaborate();
        release();
        return Checkpoint.save(this, ports, events);
    }

    /** Goes to the recorded state; the design must be built by the same code from the same parameters. */
    public void restore(Snapshot s) {
        elaborate();
        held.clear();
        running = false;
        events = Checkpoint.restore(this, ports, s);
        watchdog.reset();
    }

    /** An event that is not yet in the queue: sent before elaboration, or held back to be shuffled. */
    private record HeldEvent(
            EventPort port,
            long at,
            long key,
            long a,
            long b,
            @Nullable Token token) {}
}
