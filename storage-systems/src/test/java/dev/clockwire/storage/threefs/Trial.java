package dev.clockwire.storage.threefs;

import dev.clockwire.storage.check.monitor.Findings;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.cluster.NodeSpec;
import dev.clockwire.storage.cluster.WorkerSpec;
import dev.clockwire.storage.load.Course;
import dev.clockwire.storage.load.FaultTrial;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.mgmtd.TargetState;
import dev.clockwire.storage.threefs.mgmtd.ThreeFsTimes;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.rpc.Forwarding;
import dev.clockwire.storage.threefs.rpc.Notice;
import dev.clockwire.storage.threefs.rpc.Transfer;
import dev.clockwire.storage.threefs.server.Mutant;
import dev.clockwire.storage.threefs.server.ProtocolTap;
import dev.clockwire.storage.threefs.server.ReadRule;
import dev.clockwire.storage.threefs.server.ServiceSpec;
import dev.clockwire.storage.threefs.server.StorageService;
import dev.clockwire.storage.threefs.server.SyncRule;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** A trial of a 3FS with three replicas. */
final class Trial extends FaultTrial<ThreeFsSystem, Trial> {
    static final int SIZE = 4096;
    /** A socket is taken down by force then. */
    private static final long CLOSE_PS = 100_000_000_000L;

    private final ServiceSpec service;
    private final int chains;
    private final ThreeFs.Making making;

    private Trial(ServiceSpec service, int chains, ThreeFs.Making making, Course course) {
        super(course);
        this.service = service;
        this.chains = chains;
        this.making = making;
    }

    static Trial of(DataPath path, ReadRule rule) {
        ServiceSpec service = ServiceSpec.threeFs(path, SIZE)
                .withTimes(ThreeFsTimes.quick())
                .withRule(rule)
                .withRoom(64, 16);
        return new Trial(service, 1, new ThreeFs.Making() {}, Course.of(LoadSpec.of(LoadSpec.Op.MIX, SIZE, 16, 1)));
    }

    /** Rules and waits. */
    ServiceSpec service() {
        return service;
    }

    /** How many, each with another head. */
    int chains() {
        return chains;
    }

    Trial with(ThreeFs.Making other) {
        return new Trial(service, chains, other, course());
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
        return new Trial(other, chains, making, course());
    }

    Trial with(Transfer other) {
        return with(service.withTransfer(other));
    }

    /** With another rule for what a target has that it should not. */
    Trial with(SyncRule other) {
        return with(service.withSyncRule(other));
    }

    /** With other numbers of clients and chains. */
    Trial of(int otherClients, int otherChains) {
        return new Trial(service, otherChains, making, course()).clients(otherClients);
    }

    @Override
    protected Trial on(Course other) {
        return new Trial(service, chains, making, other);
    }

    @Override
    protected NodeSpec software() {
        return NodeSpec.of(WorkerSpec.sleeping());
    }

    @Override
    protected ThreeFsSystem system(Cluster cluster) {
        ThreeFs fs = new ThreeFs(cluster, service, chains, 3, ProtocolTap.NONE);
        fs.making(making);
        return new ThreeFsSystem("3fs", fs);
    }

    @Override
    protected Findings findings(ThreeFsSystem system) {
        return system.monitors().findings();
    }

    @Override
    protected IntStream times(int taken) {
        return IntStream.rangeClosed(1, taken);
    }

    @Override
    protected String stuck(ThreeFsSystem system) {
        StringBuilder b = new StringBuilder();
        for (Chain c : system.fs().manager().routing().chains()) {
            boolean syncing = c.targets().stream().anyMatch(t -> t.state() == TargetState.SYNCING);
            b.append(syncing ? "SYNC-4: " : "").append(c).append(' ');
            for (Node n : system.cluster().nodes()) {
                StorageService s = system.fs().service(n);
                var store = s.store(c.id());
                b.append("; ").append(n.name()).append(" quiet ").append(s.isQuiet());
                b.append(' ').append(store == null ? "-" : store.all());
            }
        }
        return b.toString();
    }

    @Override
    protected String what() {
        Transfer t = service.transfer();
        Transfer usual = Transfer.usual();
        return service.path() + " " + service.rule() + " " + load().op()
                + (t.notice() == usual.notice() ? "" : " notice=" + t.notice())
                + (t.forward() == usual.forward() ? "" : " forward=" + t.forward())
                + (t.transmissions() == usual.transmissions() ? "" : " transmissions=" + t.transmissions())
                + (t.batch() == usual.batch() ? "" : " batch=" + t.batch())
                + (chains == 1 ? "" : " chains=" + chains);
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
                number(words, "reads", 50));
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

    @Override
    protected void look(ThreeFsSystem system, LoadResult load, List<String> wrong) {
        if (load.elapsedPs() > longest()) {
            wrong.add("LIV-1: operations took " + load.elapsedPs() + " ps, at most " + longest() + " are theirs");
        }
    }

    /** LIV-1: an operation ends within all tries of its client, the last of which waits longest, and the end of a connection that does not answer. */
    private long longest() {
        ThreeFsTimes times = service.times();
        long each = times.clientTotal() + times.clientMost() + times.rpc() + CLOSE_PS;
        return each * ((load().ops() + clients() - 1) / clients());
    }
}
