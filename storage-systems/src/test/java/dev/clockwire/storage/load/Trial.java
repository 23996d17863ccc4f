package dev.clockwire.storage.load;

import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabSanitizer;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.error.SimException;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One small run of a system on three nodes under a schedule: history, invariants, replicas and the memory sanitizer all look on, and what they find is what is wrong.
 *
 * @param system put on a cluster that nothing runs on
 * @param software of nodes
 * @param schedule what goes wrong
 * @param load what clients do
 * @param clients how many
 * @param seed root of all random streams
 */
public record Trial(
        Function<Cluster, StorageSystem> system,
        NodeSpec software,
        FaultSchedule schedule,
        LoadSpec load,
        int clients,
        long seed) {
    private static final int NODES = 3;
    private static final long MS = 1_000_000_000L;
    private static final long PATIENCE_PS = 20_000 * MS;

    /** How it ended. */
    public record Result(List<String> wrong, @Nullable LoadResult load, Map<String, Integer> steps) {
        /** Returns whether nothing is wrong. */
        public boolean isSafe() {
            return wrong.isEmpty();
        }
    }

    /** Returns three clients with one operation at a time on one key, half of them reads. */
    public static Trial of(Function<Cluster, StorageSystem> system, NodeSpec software, int size) {
        LoadSpec mix = new LoadSpec(LoadSpec.Op.MIX, size, 16, 1, 1, 50);
        return new Trial(system, software, FaultSchedule.NONE, mix, 3, 7);
    }

    /** Returns a copy with another schedule. */
    public Trial with(FaultSchedule other) {
        return new Trial(system, software, other, load, clients, seed);
    }

    /** Returns a copy with the schedule of a line. */
    public Trial with(String line) {
        return with(FaultSchedule.parse(line));
    }

    /** Returns a copy with another load. */
    public Trial with(LoadSpec other) {
        return new Trial(system, software, schedule, other, clients, seed);
    }

    /** Returns a copy with another seed. */
    public Trial seeded(long other) {
        return new Trial(system, software, schedule, load, clients, other);
    }

    /** What to type to see it again. */
    public String line() {
        return "size=" + load.size() + " " + load.op() + " ops=" + load.ops() + " keys=" + load.keys() + " clients="
                + clients + " seed=" + seed + " schedule=\"" + schedule.text() + "\"";
    }

    /** Runs it. */
    public Result run() {
        LabSpec lab = LabSpec.of(seed).withSoft(SoftSpec.usual()).withSanitizer(true);
        ClusterSpec machines = ClusterSpec.of(Profiles.named("cx7-400g"), lab, NODES, clients)
                .withManagers(1)
                .withSoftware(software, software)
                .withSchedule(schedule);
        Cluster cluster = new Cluster(machines.withDisk(machines.ssd(), DiskKind.MEDIA));
        Map<String, Integer> steps = new TreeMap<>();
        cluster.listen(
                (host, step, ps) -> steps.merge(cluster.lab().hosts().get(host).name() + ":" + step, 1, Integer::sum));
        List<String> wrong = new ArrayList<>();
        @Nullable LoadResult r = null;
        try {
            StorageSystem on = new Patient(system.apply(cluster), PATIENCE_PS);
            on.start();
            r = new Load(on, load).run();
            if (!r.verdict().isLinearizable()) {
                wrong.add(r.verdict().text());
            }
            if (r.lostAcked() > 0) {
                wrong.add(r.lostAcked() + " acknowledged writes are lost");
            }
            wrong.addAll(r.differences());
        } catch (SimException e) {
            wrong.add(e.toString());
        }
        LabSanitizer.of(cluster.lab().hosts().toArray(LabHost[]::new))
                .findings()
                .forEach(f -> wrong.add(f.toString()));
        return new Result(wrong, r, steps);
    }

    /** Runs it; returns nothing if it is safe, else the line that repeats it, as small as it can be made, with what is wrong. */
    public String judge() {
        if (run().isSafe()) {
            return "";
        }
        Trial small = this;
        @Nullable Trial next = this;
        while (next != null) {
            small = next;
            next = small.smaller();
        }
        return small.line() + "\n    " + String.join("\n    ", small.run().wrong());
    }

    /** Returns a smaller one that goes wrong too, null if there is none. */
    private @Nullable Trial smaller() {
        for (int i = 0; i < schedule.strikes().size(); i++) {
            Trial next = with(schedule.without(i));
            if (!next.run().isSafe()) {
                return next;
            }
        }
        int ops = load.ops();
        if (ops / 2 < clients) {
            return null;
        }
        Trial half = with(new LoadSpec(load.op(), load.size(), ops / 2, load.keys(), 1, load.readPercent()));
        return half.run().isSafe() ? null : half;
    }

    /** Returns every fault of a node at every step that nodes take in a quiet run, at its first and middle time. */
    public List<FaultStrike> strikes() {
        List<FaultStrike> all = new ArrayList<>();
        for (Map.Entry<String, Integer> e : run().steps().entrySet()) {
            if (!e.getKey().startsWith("node")) {
                continue;
            }
            for (What what : What.alone()) {
                all.add(strike(e.getKey(), 1, what));
                if (e.getValue() > 1) {
                    all.add(strike(e.getKey(), (e.getValue() + 1) / 2, what));
                }
            }
        }
        return all;
    }

    private static FaultStrike strike(String step, int nth, What what) {
        int colon = step.indexOf(':');
        long ps = switch (what) {
            case CRASH, POWER, RESET -> 3 * MS;
            case EXIT -> 0;
            default -> 5 * MS;
        };
        return FaultStrike.of(step.substring(0, colon), step.substring(colon + 1), nth, what, ps);
    }

    /** Returns all trials of one fault. */
    public List<Trial> singles() {
        return strikes().stream().map(s -> with(FaultSchedule.of(s))).toList();
    }

    /** Returns some trials of so many faults each. */
    public List<Trial> sample(int trials, int faults, long random) {
        List<FaultStrike> all = strikes();
        SplittableRandom from = new SplittableRandom(random);
        List<Trial> some = new ArrayList<>();
        for (int i = 0; i < trials; i++) {
            List<FaultStrike> of = new ArrayList<>();
            for (int f = 0; f < faults; f++) {
                of.add(all.get(from.nextInt(all.size())));
            }
            some.add(with(new FaultSchedule(of)));
        }
        return some;
    }

    /** Runs trials; returns what {@link #judge} says of those that go wrong. */
    public static List<String> judge(List<Trial> trials) {
        List<String> wrong = new ArrayList<>();
        for (Trial t : trials) {
            String how = t.judge();
            if (!how.isEmpty()) {
                wrong.add(how);
            }
        }
        return wrong;
    }
}
