package dev.clockwire.storage.threefs;

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
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.NodeSpec;
import dev.clockwire.storage.cluster.WorkerSpec;
import dev.clockwire.storage.load.Load;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.threefs.mgmtd.ThreeFsTimes;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.rpc.Transfer;
import dev.clockwire.storage.threefs.server.Mutant;
import dev.clockwire.storage.threefs.server.ProtocolTap;
import dev.clockwire.storage.threefs.server.ReadRule;
import dev.clockwire.storage.threefs.server.ServiceSpec;
import dev.clockwire.storage.threefs.server.StorageService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One small run of three replicas under a schedule: everybody who looks on looks on, and what they find is what is wrong.
 *
 * @param service rules and waits
 * @param schedule what goes wrong
 * @param load what clients do
 * @param clients how many
 * @param seed root of all random streams
 * @param making makes services and clients
 * @param patiencePs time by which all replicas are in service and equal again
 */
record Trial(
        ServiceSpec service,
        FaultSchedule schedule,
        LoadSpec load,
        int clients,
        long seed,
        ThreeFs.Making making,
        long patiencePs) {
    static final int SIZE = 4096;
    private static final long PATIENCE_PS = 20_000_000_000_000L;

    /** How it ended. */
    record Result(List<String> wrong, @Nullable LoadResult load, Map<String, Integer> steps) {
        boolean isSafe() {
            return wrong.isEmpty();
        }
    }

    static Trial of(DataPath path, ReadRule rule) {
        ServiceSpec service = ServiceSpec.threeFs(path, SIZE)
                .withTimes(ThreeFsTimes.quick())
                .withRule(rule)
                .withRoom(64, 16);
        return new Trial(
                service,
                FaultSchedule.NONE,
                new LoadSpec(LoadSpec.Op.MIX, SIZE, 16, 1, 1, 50),
                3,
                7,
                new ThreeFs.Making() {},
                PATIENCE_PS);
    }

    Trial with(FaultSchedule other) {
        return new Trial(service, other, load, clients, seed, making, patiencePs);
    }

    Trial with(String line) {
        return with(FaultSchedule.parse(line));
    }

    Trial with(LoadSpec other) {
        return new Trial(service, schedule, other, clients, seed, making, patiencePs);
    }

    Trial with(ThreeFs.Making other) {
        return new Trial(service, schedule, load, clients, seed, other, patiencePs);
    }

    /** With services that break a rule. */
    Trial with(Mutant mutant) {
        return with(new ThreeFs.Making() {
            @Override
            public StorageService service(Node node, ServiceSpec with, StorageService.Cast cast) {
                return mutant.service(node, with, cast);
            }
        });
    }

    Trial with(ServiceSpec other) {
        return new Trial(other, schedule, load, clients, seed, making, patiencePs);
    }

    Trial with(Transfer other) {
        return with(service.withTransfer(other));
    }

    Trial patient(long ps) {
        return new Trial(service, schedule, load, clients, seed, making, ps);
    }

    Trial seeded(long other) {
        return new Trial(service, schedule, load, clients, other, making, patiencePs);
    }

    /** Reads what {@link #line} has printed. */
    static Trial parse(String line) {
        String[] w = line.split(" ", -1);
        Trial t = of(DataPath.valueOf(w[0]), ReadRule.valueOf(w[1]));
        int quote = line.indexOf('"');
        LoadSpec.Op op = LoadSpec.Op.valueOf(w[2]);
        int reads = op == LoadSpec.Op.MIX ? 50 : 0;
        return new Trial(
                t.service,
                FaultSchedule.parse(line.substring(quote + 1, line.lastIndexOf('"'))),
                new LoadSpec(op, SIZE, number(w[3]), number(w[4]), 1, reads),
                number(w[5]),
                number(w[6]),
                t.making,
                t.patiencePs);
    }

    private static int number(String word) {
        return Integer.parseInt(word.substring(word.indexOf('=') + 1));
    }

    /** What to type to see it again. */
    String line() {
        return service.path() + " " + service.rule() + " " + service.transfer() + " " + load.op() + " ops=" + load.ops()
                + " keys=" + load.keys() + " clients=" + clients + " seed=" + seed + " schedule=\"" + schedule.text()
                + "\"";
    }

    Result run() {
        NodeSpec software = NodeSpec.of(WorkerSpec.sleeping());
        ClusterSpec spec = ClusterSpec.of(
                        Profiles.named("cx7-400g"),
                        LabSpec.of(seed).withSoft(SoftSpec.usual()).withSanitizer(true),
                        3,
                        clients)
                .withManagers(1)
                .withSoftware(software, software)
                .withSchedule(schedule);
        Cluster cluster = new Cluster(spec.withDisk(spec.ssd(), DiskKind.MEDIA));
        Map<String, Integer> steps = new TreeMap<>();
        cluster.listen(
                (host, step, ps) -> steps.merge(cluster.lab().hosts().get(host).name() + ":" + step, 1, Integer::sum));
        ThreeFs fs = new ThreeFs(cluster, service, 1, 3, ProtocolTap.NONE);
        fs.making(making);
        ThreeFsSystem system = new ThreeFsSystem("3fs", fs);
        system.start();
        List<String> wrong = new ArrayList<>();
        @Nullable LoadResult r = null;
        try {
            r = new Load(new Patient(system, patiencePs), load).run();
            if (!r.verdict().isLinearizable()) {
                wrong.add(r.verdict().text());
            }
            if (r.lostAcked() > 0) {
                wrong.add(r.lostAcked() + " acknowledged writes are lost");
            }
            wrong.addAll(r.differences());
        } catch (SimException e) {
            system.monitors().findings().list().forEach(f -> wrong.add(f.text()));
            wrong.add(e.toString());
        }
        LabSanitizer.of(cluster.lab().hosts().toArray(LabHost[]::new))
                .findings()
                .forEach(f -> wrong.add(f.toString()));
        return new Result(wrong, r, steps);
    }

    /** Runs it; a failure comes back as small as it can be made, with the line that repeats it. */
    String judge() {
        Result first = run();
        if (first.isSafe()) {
            return "";
        }
        Trial small = this;
        boolean smaller = true;
        while (smaller) {
            smaller = false;
            for (int i = 0; i < small.schedule.strikes().size() && !smaller; i++) {
                Trial next = small.with(small.schedule.without(i));
                if (!next.run().isSafe()) {
                    small = next;
                    smaller = true;
                }
            }
            int ops = small.load.ops();
            if (!smaller && ops / 2 >= clients) {
                Trial next = small.with(
                        new LoadSpec(small.load.op(), SIZE, ops / 2, small.load.keys(), 1, small.load.readPercent()));
                if (!next.run().isSafe()) {
                    small = next;
                    smaller = true;
                }
            }
        }
        Result last = small.run();
        return small.line() + "\n    " + String.join("\n    ", last.wrong());
    }
}
