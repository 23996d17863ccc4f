package dev.clockwire.storage.ceph;

import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabSanitizer;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.fabric.host.LightFrame;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.error.SimException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultFilter;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.ceph.osd.OsdTap;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.ClusterSpec;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.FaultSchedule;
import dev.clockwire.storage.load.Load;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One small run of three replicas under a schedule: everybody who looks on looks on, and what they find is what is wrong.
 *
 * @param spec what it is
 * @param schedule what goes wrong at steps
 * @param parted who does not hear whom, and when
 * @param load what clients do
 * @param clients how many
 * @param seed root of all random streams
 * @param changed what a test changes before the start
 */
record CephTrial(
        CephSpec spec,
        FaultSchedule schedule,
        @Nullable Parted parted,
        LoadSpec load,
        int clients,
        long seed,
        Consumer<Ceph> changed) {
    static final int SIZE = 4096;
    private static final long MS = 1_000_000_000L;

    /**
     * Two machines between which nothing passes for a time.
     *
     * @param a number of one
     * @param b number of the other
     * @param oneWay whether b still hears a
     */
    record Parted(long ps, long forPs, int a, int b, boolean oneWay) {
        FaultPlan plan() {
            FaultFilter between = t -> t instanceof RocePacket p
                    && isBetween(LightFrame.hostOf(p.flow.srcMac), LightFrame.hostOf(p.flow.dstMac));
            return FaultPlan.of(FaultRule.of(new FaultAction.Drop(), new FaultTrigger.At(ps))
                    .where(between)
                    .lasting(forPs));
        }

        private boolean isBetween(int from, int to) {
            return (from == b && to == a) || (!oneWay && from == a && to == b);
        }
    }

    /** A step of a quiet run. */
    record Step(String name, int nth, long ps) {}

    /** How it ended. */
    record Result(List<String> wrong, @Nullable LoadResult load, List<Step> steps) {
        boolean isSafe() {
            return wrong.isEmpty();
        }
    }

    static CephTrial of(CephModel model) {
        CephSpec c = CephSpec.of(model, 2, 3).quick();
        CephSpec small = c.withOsd(c.osd().withStreams(c.osd().streams().withPools(16, 64, 32)));
        return new CephTrial(
                small, FaultSchedule.NONE, null, new LoadSpec(LoadSpec.Op.MIX, SIZE, 16, 2, 1, 50), 3, 7, c2 -> {});
    }

    /** The same with Ceph's own waits: a cable may be out for longer than a connection lives, and nobody is declared dead. */
    CephTrial slow() {
        CephSpec c = CephSpec.of(spec.model(), spec.pgs(), spec.replicas());
        return with(c.withOsd(c.osd().withStreams(spec.osd().streams())));
    }

    CephTrial with(FaultSchedule other) {
        return new CephTrial(spec, other, parted, load, clients, seed, changed);
    }

    CephTrial with(String line) {
        return with(FaultSchedule.parse(line));
    }

    CephTrial with(LoadSpec other) {
        return new CephTrial(spec, schedule, parted, other, clients, seed, changed);
    }

    CephTrial with(CephSpec other) {
        return new CephTrial(other, schedule, parted, load, clients, seed, changed);
    }

    CephTrial with(Parted other) {
        return new CephTrial(spec, schedule, other, load, clients, seed, changed);
    }

    CephTrial changing(Consumer<Ceph> other) {
        return new CephTrial(spec, schedule, parted, load, clients, seed, other);
    }

    CephTrial seeded(long other) {
        return new CephTrial(spec, schedule, parted, load, clients, other, changed);
    }

    /** What to type to see it again. */
    String line() {
        return spec.model() + " " + load.op() + " ops=" + load.ops() + " keys=" + load.keys() + " clients=" + clients
                + " seed=" + seed + " schedule=\"" + schedule.text() + "\"" + (parted == null ? "" : " " + parted);
    }

    private Cluster cluster() {
        var software = CephSpec.software(spec.model());
        LabSpec lab = LabSpec.of(seed).withSoft(SoftSpec.usual()).withSanitizer(true);
        ClusterSpec c = ClusterSpec.of(
                        Profiles.named("cx7-400g"),
                        lab.withFaults(parted == null ? FaultPlan.NONE : parted.plan()),
                        3,
                        clients)
                .withManagers(1)
                .withSoftware(spec.software(), software)
                .withSchedule(schedule);
        return new Cluster(c.withDisk(c.ssd(), DiskKind.MEDIA));
    }

    Result run() {
        Cluster cluster = cluster();
        Map<String, Integer> counts = new TreeMap<>();
        List<Step> steps = new ArrayList<>();
        cluster.listen((host, step, ps) -> {
            String name = cluster.lab().hosts().get(host).name() + ":" + step;
            steps.add(new Step(name, counts.merge(name, 1, Integer::sum), ps));
        });
        Ceph ceph = new Ceph(cluster, spec, OsdTap.NONE);
        changed.accept(ceph);
        CephSystem system = new CephSystem("ceph", ceph);
        List<String> wrong = new ArrayList<>();
        @Nullable LoadResult r = null;
        try {
            system.start();
            r = new Load(new CephPatient(system), load).run();
            if (!r.verdict().isLinearizable()) {
                wrong.add(r.verdict().text());
            }
            if (r.lostAcked() > 0) {
                wrong.add(r.lostAcked() + " acknowledged writes are lost");
            }
            wrong.addAll(r.differences());
        } catch (SimException e) {
            wrong.add(e + " at " + List.of(e.getStackTrace()).subList(0, Math.min(9, e.getStackTrace().length)));
            system.monitors().findings().list().forEach(f -> wrong.add(f.text()));
        }
        LabSanitizer.of(cluster.lab().hosts().toArray(LabHost[]::new))
                .findings()
                .forEach(f -> wrong.add(f.toString()));
        return new Result(wrong, r, steps);
    }

    /** Runs it; a failure comes back as small as it can be made, with the line that repeats it. */
    String judge() {
        if (run().isSafe()) {
            return "";
        }
        CephTrial small = this;
        for (int i = small.schedule.strikes().size() - 1;
                i >= 0 && small.schedule.strikes().size() > 1;
                i--) {
            CephTrial next = small.with(small.schedule.without(i));
            small = next.run().isSafe() ? small : next;
        }
        for (int ops = small.load.ops() / 2; ops >= clients; ops /= 2) {
            CephTrial next = small.with(new LoadSpec(load.op(), SIZE, ops, load.keys(), 1, load.readPercent()));
            small = next.run().isSafe() ? small : next;
        }
        return small.line() + "\n    " + String.join("\n    ", small.run().wrong());
    }

    static long ms(long n) {
        return n * MS;
    }
}
