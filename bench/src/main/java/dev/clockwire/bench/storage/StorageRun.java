package dev.clockwire.bench.storage;

import dev.clockwire.bench.storage.diagram.Ladder;
import dev.clockwire.bench.text.Patience;
import dev.clockwire.nic.lab.MessageTap;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.FaultStrike;
import dev.clockwire.storage.load.Load;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.StorageSystem;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One run: builds the system, starts it, puts faults where the first operation is time 0, and judges. */
public final class StorageRun {
    private final StorageSpec spec;
    private final StorageFaults faults;
    private final StorageSystem system;
    private BooleanSupplier stop = () -> false;
    private Consumer<Load> observer = load -> {};
    private long begin;
    private long cpuNanos;
    private boolean interrupted;
    private final Patience patience = new Patience();

    /** Builds and starts the system. */
    public StorageRun(StorageSpec spec) {
        this(spec, cluster -> {});
    }

    /**
     * Builds and starts the system.
     *
     * @param wanted what is run
     * @param watcher sees the cluster of the run before anything runs on it
     */
    public StorageRun(StorageSpec wanted, Consumer<Cluster> watcher) {
        faults = new StorageFaults(wanted.faults());
        faults.check();
        spec = wanted.withSchedule(faults.schedule(wanted.schedule()));
        StorageSystem first = StorageSystems.build(spec, faults.ofMachines(StorageFaults.NEVER_PS));
        if (spec.faults().isEmpty()) {
            system = first;
            watcher.accept(system.cluster());
            system.start();
            return;
        }
        first.start();
        // when the first operation begins is known only when everything runs, under the faults that have no time, too:
        // the same machines are started again with those that have one
        begin = first.cluster().sim().now();
        system = StorageSystems.build(spec, faults.ofMachines(begin));
        watcher.accept(system.cluster());
        system.start();
        if (system.cluster().sim().now() != begin) {
            throw new InvariantViolation(
                    "", system.cluster().sim().now(), "the first operation begins now, not at " + begin + " ps");
        }
        faults.begin(system.cluster());
    }

    /** Returns the system. */
    public StorageSystem system() {
        return system;
    }

    /** Returns when the first operation begins, which is time 0 of the faults, in ps; 0 without faults. */
    public long beginPs() {
        return begin;
    }

    /** Lets somebody end the load early, with the results of what has been done by then. */
    public void stopWhen(BooleanSupplier when) {
        stop = when;
    }

    /** Lets somebody see the load before it runs. */
    public void observe(Consumer<Load> who) {
        observer = who;
    }

    /** Has somebody told how far it is, if it takes long. */
    public void tell(Consumer<String> notes) {
        patience.tell(notes);
    }

    /** Returns whether the load has ended early. */
    public boolean isInterrupted() {
        return interrupted;
    }

    /** Returns a line for each fault of a time and each strike that never happened: the run is not what its author thinks. */
    public List<String> idleFaults() {
        List<String> lines =
                new ArrayList<>(faults.idle(begin, system.cluster().sim().now()));
        for (FaultStrike s : system.cluster().idleStrikes()) {
            lines.add("schedule: '" + s.text() + "' never struck");
        }
        return lines;
    }

    /** Runs the load. */
    public LoadResult run() {
        return timed(new Load(system, spec.load()));
    }

    private LoadResult timed(Load load) {
        long before = cpuNanos();
        observer.accept(load);
        load.expect(faults.lastPs());
        load.stopWhen(() -> {
            patience.look(load::progress);
            return stop.getAsBoolean();
        });
        LoadResult result = load.run();
        interrupted = load.isStopped();
        cpuNanos = cpuNanos() - before;
        return result;
    }

    /** Returns the processor time of the thread that has run and judged the load, in seconds. */
    public double cpuSeconds() {
        return cpuNanos / 1e9;
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** Runs the load, and has the messages of its operations drawn. */
    public Drawn draw() {
        List<MessageTap.Seen> messages = new ArrayList<>();
        Load load = new Load(system, spec.load());
        load.listen(messages::add);
        LoadResult r = timed(load);
        List<String> names =
                r.traffic().nics().stream().map(LoadResult.Nic::node).toList();
        String title = String.format(
                Locale.ROOT,
                "%s, %s of %d B, %d replicas",
                system.name(),
                spec.load().op().name().toLowerCase(Locale.ROOT),
                spec.load().size(),
                spec.replicas());
        return new Drawn(r, Ladder.of(title, names, messages, r.begunPs(), r.begunPs() + r.elapsedPs()));
    }

    /**
     * A run and its messages.
     *
     * @param result of the load
     * @param ladder of its operations
     */
    public record Drawn(LoadResult result, Ladder ladder) {}
}
