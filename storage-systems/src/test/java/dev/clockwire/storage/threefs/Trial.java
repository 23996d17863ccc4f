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
import dev.clockwire.storage.threefs.rpc.Forwarding;
import dev.clockwire.storage.threefs.rpc.Notice;
import dev.clockwire.storage.threefs.rpc.Transfer;
import dev.clockwire.storage.threefs.server.BufferPool;
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
 * One small run of three replicas on three nodes under a schedule: everybody who looks on looks on, and what they find is what is wrong.
 *
 * @param service rules and waits
 * @param schedule what goes wrong
 * @param load what clients do
 * @param clients how many
 * @param chains how many, each with another head
 * @param seed root of all random streams
 * @param making makes services and clients
 * @param patiencePs time by which all replicas are in service and equal again
 */
record Trial(
        ServiceSpec service,
        FaultSchedule schedule,
        LoadSpec load,
        int clients,
        int chains,
        long seed,
        ThreeFs.Making making,
        long patiencePs) {
    static final int SIZE = 4096;
    private static final int READS = 50;
    private static final long PATIENCE_PS = 20_000_000_000_000L;
    /** A socket is taken down by force then. */
    private static final long CLOSE_PS = 100_000_000_000L;
    /** Eight timeouts of a queue pair of 67 ms, and some. */
    private static final long GIVE_UP_PS = 2_000_000_000_000L;

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
                new LoadSpec(LoadSpec.Op.MIX, SIZE, 16, 1, 1, READS),
                3,
                1,
                7,
                new ThreeFs.Making() {},
                PATIENCE_PS);
    }

    Trial with(FaultSchedule other) {
        return new Trial(service, other, load, clients, chains, seed, making, patiencePs);
    }

    Trial with(String line) {
        return with(FaultSchedule.parse(line));
    }

    Trial with(LoadSpec other) {
        return new Trial(service, schedule, other, clients, chains, seed, making, patiencePs);
    }

    Trial with(ThreeFs.Making other) {
        return new Trial(service, schedule, load, clients, chains, seed, other, patiencePs);
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
        return new Trial(other, schedule, load, clients, chains, seed, making, patiencePs);
    }

    Trial with(Transfer other) {
        return with(service.withTransfer(other));
    }

    Trial patient(long ps) {
        return new Trial(service, schedule, load, clients, chains, seed, making, ps);
    }

    Trial seeded(long other) {
        return new Trial(service, schedule, load, clients, chains, other, making, patiencePs);
    }

    /** With other numbers of clients and chains. */
    Trial of(int otherClients, int otherChains) {
        return new Trial(service, schedule, load, otherClients, otherChains, seed, making, patiencePs);
    }

    /** What to type to see it again. */
    String line() {
        StringBuilder b = new StringBuilder(service.path() + " " + service.rule() + " " + load.op());
        Transfer t = service.transfer();
        Transfer usual = Transfer.usual();
        b.append(t.notice() == usual.notice() ? "" : " notice=" + t.notice())
                .append(t.forward() == usual.forward() ? "" : " forward=" + t.forward())
                .append(t.transmissions() == usual.transmissions() ? "" : " transmissions=" + t.transmissions())
                .append(t.batch() == usual.batch() ? "" : " batch=" + t.batch())
                .append(" ops=" + load.ops() + " keys=" + load.keys())
                .append(load.depth() == 1 ? "" : " depth=" + load.depth())
                .append(load.readPercent() == READS ? "" : " reads=" + load.readPercent())
                .append(chains == 1 ? "" : " chains=" + chains)
                .append(" clients=" + clients + " seed=" + seed + " schedule=\"" + schedule.text() + "\"");
        return b.toString();
    }

    /** Reads what {@link #line} has printed. */
    static Trial parse(String line) {
        int quote = line.indexOf('"');
        Map<String, String> words = new TreeMap<>();
        String[] w = line.substring(0, quote).split(" ", -1);
        for (String word : w) {
            int equals = word.indexOf('=');
            words.put(equals < 0 ? word : word.substring(0, equals), word.substring(equals + 1));
        }
        Transfer transfer = new Transfer(
                Notice.valueOf(words.getOrDefault("notice", "SEND")),
                Forwarding.valueOf(words.getOrDefault("forward", "CPU")),
                number(words, "transmissions", 0),
                number(words, "batch", 1));
        LoadSpec load = new LoadSpec(
                LoadSpec.Op.valueOf(w[2]),
                SIZE,
                number(words, "ops", 16),
                number(words, "keys", 1),
                number(words, "depth", 1),
                number(words, "reads", READS));
        return of(DataPath.valueOf(w[0]), ReadRule.valueOf(w[1]))
                .with(transfer)
                .with(load)
                .of(number(words, "clients", 3), number(words, "chains", 1))
                .seeded(number(words, "seed", 7))
                .with(line.substring(quote + 1, line.lastIndexOf('"')));
    }

    private static int number(Map<String, String> words, String name, int usual) {
        return Integer.parseInt(words.getOrDefault(name, Integer.toString(usual)));
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
        ThreeFs fs = new ThreeFs(cluster, service, chains, 3, ProtocolTap.NONE);
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
            if (r.elapsedPs() > longest()) {
                wrong.add("LIV-1: operations took " + r.elapsedPs() + " ps, at most " + longest() + " are theirs");
            }
            wrong.addAll(r.differences());
        } catch (SimException e) {
            system.monitors().findings().list().forEach(f -> wrong.add(f.text()));
            wrong.add(e.toString());
        }
        if (r != null && service.path() != DataPath.PUSH) { // whose slots are lent for as long as connections last
            buffers(fs, wrong);
        }
        LabSanitizer.of(cluster.lab().hosts().toArray(LabHost[]::new))
                .findings()
                .forEach(f -> wrong.add(f.toString()));
        return new Result(wrong, r, steps);
    }

    /** LIV-1: an operation ends within all tries of its client, the last of which waits longest, and the end of a connection that does not answer. */
    private long longest() {
        ThreeFsTimes times = service.times();
        long each = times.clientTotal() + times.clientMost() + times.rpc() + CLOSE_PS;
        return each * ((load.ops() + clients - 1) / clients);
    }

    /** RD-7: buffers come back, as soon as queue pairs have given up what nobody takes. */
    private static void buffers(ThreeFs fs, List<String> wrong) {
        long last = fs.cluster().sim().now() + GIVE_UP_PS;
        fs.cluster().sim().runUntil(() -> fs.cluster().nodes().stream().allMatch(n -> isFull(fs, n)), last);
        for (Node n : fs.cluster().nodes()) {
            if (!isFull(fs, n)) {
                wrong.add(
                        "RD-7: " + n.name() + " has " + fs.service(n).buffers().free() + " free buffers");
            }
        }
    }

    private static boolean isFull(ThreeFs fs, Node n) {
        BufferPool pool = fs.service(n).buffers();
        return pool.free() == pool.count();
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
                Trial next = small.with(new LoadSpec(
                        small.load.op(),
                        SIZE,
                        ops / 2,
                        small.load.keys(),
                        small.load.depth(),
                        small.load.readPercent()));
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
