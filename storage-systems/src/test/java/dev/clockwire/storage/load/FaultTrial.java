package dev.clockwire.storage.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabSanitizer;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.error.SimException;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.storage.check.monitor.Findings;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.ClusterSpec;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.FaultSchedule;
import dev.clockwire.storage.cluster.FaultStrike;
import dev.clockwire.storage.cluster.FaultStrike.What;
import dev.clockwire.storage.cluster.NodeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One small run of a system on three nodes under a schedule: history, invariants, replicas and the memory sanitizer all look on, and what they find is what is wrong.
 *
 * @param <S> the system
 * @param <T> its kind of trial
 */
public abstract class FaultTrial<S extends StorageSystem, T extends FaultTrial<S, T>> {
    private static final int NODES = 3;
    private static final long MS = 1_000_000_000L;

    private final Course course;

    /**
     * A step of a machine.
     *
     * @param name of machine and step: {@code node0:commit}
     * @param nth which of its steps of that name, from 1
     */
    public record Step(String name, int nth, long ps) {
        /** Returns the name of the machine. */
        public String machine() {
            return name.substring(0, name.indexOf(':'));
        }

        /** Returns the name of the step. */
        public String event() {
            return name.substring(name.indexOf(':') + 1);
        }
    }

    /**
     * How it ended.
     *
     * @param steps that all machines took, in this order
     * @param system as it is then
     */
    public record Result<S>(List<String> wrong, @Nullable LoadResult load, List<Step> steps, S system) {
        /** Returns whether nothing is wrong. */
        public boolean isSafe() {
            return wrong.isEmpty();
        }

        /** Returns how often each step was taken. */
        public Map<String, Integer> counts() {
            Map<String, Integer> counts = new TreeMap<>();
            steps.forEach(s -> counts.put(s.name(), s.nth()));
            return counts;
        }
    }

    /** A trial of a course. */
    protected FaultTrial(Course course) {
        this.course = course;
    }

    /** Returns the same system on another course. */
    protected abstract T on(Course other);

    /** Returns what clients run; machines that store are {@link #nodes}. */
    protected abstract NodeSpec software();

    /** Returns what machines that store run. */
    protected NodeSpec nodes() {
        return software();
    }

    /** Returns what goes wrong with frames. */
    protected FaultPlan faults() {
        return FaultPlan.NONE;
    }

    /** Puts the system on machines that nothing runs on. */
    protected abstract S system(Cluster cluster);

    /** Returns what those who watch the system have found. */
    protected abstract Findings findings(S system);

    /** Returns what a system is like that does not come to rest. */
    protected String stuck(S system) {
        return String.join(", ", system.differences());
    }

    /** Looks at what is left when all operations have ended and the system is at rest. */
    protected void look(S system, LoadResult load, List<String> wrong) {}

    /** Returns how {@link #line} begins: which system, and what kind of load. */
    protected abstract String what();

    /** Returns which times of a step, of so many in a quiet run, {@link #strikes} are for: the first and the middle one. */
    protected IntStream times(int taken) {
        return IntStream.of(1, (taken + 1) / 2).distinct();
    }

    /** Returns how long a fault of {@link #strikes} lasts that is no restart. */
    protected long lastsPs() {
        return 5 * MS;
    }

    /** Returns what goes wrong. */
    public final FaultSchedule schedule() {
        return course.schedule();
    }

    /** Returns what clients do. */
    public final LoadSpec load() {
        return course.load();
    }

    /** Returns how many clients there are. */
    public final int clients() {
        return course.clients();
    }

    /** Returns what it goes through. */
    protected final Course course() {
        return course;
    }

    /** Returns a copy with another schedule. */
    public final T with(FaultSchedule other) {
        return on(new Course(other, load(), clients(), course.seed(), course.patiencePs()));
    }

    /** Returns a copy with the schedule of a line. */
    public final T with(String line) {
        return with(FaultSchedule.parse(line));
    }

    /** Returns a copy with another load. */
    public final T with(LoadSpec other) {
        return on(new Course(schedule(), other, clients(), course.seed(), course.patiencePs()));
    }

    /** Returns a copy with another seed. */
    public final T seeded(long other) {
        return on(new Course(schedule(), load(), clients(), other, course.patiencePs()));
    }

    /** Returns a copy with other patience. */
    public final T patient(long ps) {
        return on(new Course(schedule(), load(), clients(), course.seed(), ps));
    }

    /** Returns a copy with so many clients. */
    public final T clients(int n) {
        return on(new Course(schedule(), load(), n, course.seed(), course.patiencePs()));
    }

    /** What to type to see it again. */
    public final String line() {
        LoadSpec usual = LoadSpec.of(load().op(), load().size(), load().ops(), load().keys());
        return what() + " ops=" + load().ops() + " keys=" + load().keys()
                + (load().depth() == usual.depth() ? "" : " depth=" + load().depth())
                + (load().readPercent() == usual.readPercent() ? "" : " reads=" + load().readPercent())
                + " clients=" + clients() + " seed=" + course.seed() + " schedule=\""
                + schedule().text() + '"';
    }

    private Cluster cluster() {
        LabSpec lab = LabSpec.of(course.seed())
                .withSoft(SoftSpec.usual())
                .withSanitizer(true)
                .withFaults(faults());
        ClusterSpec machines = ClusterSpec.of(Profiles.named("cx7-400g"), lab, NODES, clients())
                .withManagers(1)
                .withSoftware(nodes(), software())
                .withSchedule(schedule());
        return new Cluster(machines.withDisk(machines.ssd(), DiskKind.MEDIA));
    }

    /** Runs it. */
    public final Result<S> run() {
        Cluster cluster = cluster();
        Map<String, Integer> counts = new TreeMap<>();
        List<Step> steps = new ArrayList<>();
        cluster.listen((host, step, ps) -> {
            String name = cluster.lab().hosts().get(host).name() + ":" + step;
            steps.add(new Step(name, counts.merge(name, 1, Integer::sum), ps));
        });
        S system = system(cluster);
        List<String> wrong = new ArrayList<>();
        @Nullable LoadResult r = null;
        try {
            system.start();
            r = new Load(new Patient(system, course.patiencePs(), () -> stuck(system)), load()).run();
            if (!r.verdict().isLinearizable()) {
                wrong.add(r.verdict().text());
            }
            if (r.lostAcked() > 0) {
                wrong.add(r.lostAcked() + " acknowledged writes are lost");
            }
            wrong.addAll(r.differences());
            look(system, r, wrong);
        } catch (SimException e) {
            findings(system).list().forEach(f -> wrong.add(f.text()));
            wrong.add(e.toString());
        }
        LabSanitizer.of(cluster.lab().hosts().toArray(LabHost[]::new))
                .findings()
                .forEach(f -> wrong.add(f.toString()));
        return new Result<>(wrong, r, steps, system);
    }

    /** Runs it; returns nothing if it is safe, else the line that repeats it, as small as it can be made, with what is wrong. */
    public final String judge() {
        if (run().isSafe()) {
            return "";
        }
        FaultTrial<S, T> small = this;
        @Nullable FaultTrial<S, T> next = this;
        while (next != null) {
            small = next;
            next = small.smaller();
        }
        return small.line() + "\n    " + String.join("\n    ", small.run().wrong());
    }

    /** Returns a smaller one that goes wrong too, null if there is none. */
    private @Nullable T smaller() {
        for (int i = 0; i < schedule().strikes().size(); i++) {
            T next = with(schedule().without(i));
            if (!next.run().isSafe()) {
                return next;
            }
        }
        LoadSpec l = load();
        if (l.ops() / 2 < clients()) {
            return null;
        }
        T half = with(new LoadSpec(l.op(), l.size(), l.ops() / 2, l.keys(), l.depth(), l.readPercent()));
        return half.run().isSafe() ? null : half;
    }

    /** Returns every fault of a node at every step that nodes take in a quiet run. */
    public final List<FaultStrike> strikes() {
        List<FaultStrike> all = new ArrayList<>();
        run().counts().forEach((name, taken) -> {
            if (name.startsWith("node")) {
                times(taken).forEach(nth -> all.addAll(strikes(new Step(name, nth, 0))));
            }
        });
        return all;
    }

    private List<FaultStrike> strikes(Step at) {
        return What.alone().stream()
                .map(what -> FaultStrike.of(at.machine(), at.event(), at.nth(), what, lastsPs(what)))
                .toList();
    }

    private long lastsPs(What what) {
        return switch (what) {
            case CRASH, POWER, RESET -> 3 * MS;
            case EXIT -> 0;
            default -> lastsPs();
        };
    }

    /** Returns all trials of one fault. */
    public final List<T> singles() {
        return strikes().stream().map(s -> with(FaultSchedule.of(s))).toList();
    }

    /** Returns some trials of so many faults each. */
    public final List<T> sample(int trials, int faults, long seed) {
        List<FaultStrike> all = strikes();
        SplittableRandom random = new SplittableRandom(seed);
        List<T> some = new ArrayList<>();
        for (int i = 0; i < trials; i++) {
            List<FaultStrike> of = new ArrayList<>();
            for (int f = 0; f < faults; f++) {
                of.add(all.get(random.nextInt(all.size())));
            }
            some.add(with(new FaultSchedule(of)));
        }
        return some;
    }

    /** Fails with what {@link #judge} says of those trials that go wrong. */
    public static void assertSafe(List<? extends FaultTrial<?, ?>> trials) {
        List<String> wrong = trials.stream()
                .map(FaultTrial::judge)
                .filter(how -> !how.isEmpty())
                .toList();
        assertThat(wrong).as(trials.size() + " schedules").isEmpty();
    }
}
