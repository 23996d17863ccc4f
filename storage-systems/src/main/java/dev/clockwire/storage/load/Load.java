package dev.clockwire.storage.load;

import dev.clockwire.nic.lab.MessageTap;
import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Plain;
import dev.clockwire.sim.stats.Histogram;
import dev.clockwire.storage.check.History;
import dev.clockwire.storage.check.HistoryCheck;
import dev.clockwire.storage.check.HistoryRecorder;
import dev.clockwire.storage.check.Linearizability;
import dev.clockwire.storage.check.Operation;
import dev.clockwire.storage.check.Verdict;
import dev.clockwire.storage.check.VersionOrder;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.CpuWork;
import dev.clockwire.storage.cluster.Disk;
import dev.clockwire.storage.cluster.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a load on a system that has been started: writes what reads need, runs the loops, waits until replicas are quiet, reads every key once more, and judges
 * what all clients have seen.
 */
public final class Load {
    private static final double PS_PER_S = 1e12;
    private static final double PS_PER_MS = 1e9;
    private static final long SILENCE_PS = 5_000_000L;
    private static final int LOOKS = 20;
    /** Time between two questions whether somebody wants the load to end: some milliseconds of a processor. */
    private static final long ASK_PS = 1_000_000_000L;

    /** Questions for which operations under way may go on when somebody wants the end: one that waits for a minute does not end. */
    private static final int GRACE = 64;

    private final StorageSystem system;
    private final LoadSpec spec;
    private final HistoryRecorder history;
    private final Histogram latency = new Histogram("latency", "ps", "operations that ended well");
    private final List<Loader> loaders = new ArrayList<>();
    private @Nullable MessageTap tap;
    private BooleanSupplier stop = () -> false;
    private boolean stopped;
    private int questions;
    private String gaveUp = "";
    private long expectedPs;

    /** Prepares a load. */
    public Load(StorageSystem system, LoadSpec spec) {
        this.system = system;
        this.spec = spec;
        history = new HistoryRecorder(
                IntStream.range(0, spec.keys()).mapToObj(i -> "k" + i).toList());
        List<Node> clients = system.cluster().clients();
        if (spec.window() == null && spec.ops() < clients.size() && spec.ops() != 1) {
            throw new ConfigurationException(
                    spec.ops() + " operations of " + clients.size() + " clients: each has one or more");
        }
        for (int i = 0; i < clients.size(); i++) {
            loaders.add(new Loader(system, clients.get(i), i, spec, history, latency));
        }
    }

    /** Tells somebody of the messages from the first operation until the wire is silent behind the last. */
    public void listen(MessageTap who) {
        tap = who;
    }

    /**
     * Lets somebody end the load early: no operation begins any more, those under way end, and what there is then is judged as ever.
     *
     * @param when asked now and then, in real time
     */
    public void stopWhen(BooleanSupplier when) {
        stop = when;
    }

    /**
     * Says that something goes wrong that the cluster does not know of beforehand.
     *
     * @param untilPs when it is over, from the first operation on
     */
    public void expect(long untilPs) {
        expectedPs = untilPs;
    }

    /** Returns whether it has ended early. */
    public boolean isStopped() {
        return stopped;
    }

    private void ask(String words) {
        questions += stopped ? 1 : 0;
        if (!stopped && stop.getAsBoolean()) {
            stopped = true;
            loaders.forEach(Loader::stop);
        }
        if (questions > GRACE) {
            gaveUp = "interrupted before " + words;
        }
    }

    private boolean isIdle() {
        return loaders.stream().allMatch(Loader::isIdle);
    }

    /** Waits until no loader has anything to do; each stops the simulation when it ends. All is given up if no operation ends for a time, or somebody wants the end. */
    private void awaitIdle(long patiencePs, String words) {
        Sim sim = system.cluster().sim();
        long done = -1;
        long limit = sim.now();
        while (gaveUp.isEmpty() && !isIdle()) {
            if (done != answered()) {
                done = answered();
                limit = sim.now() + patiencePs;
            }
            if (sim.now() >= limit) {
                giveUp(patiencePs, words);
            } else {
                sim.runUntilStopped(Math.min(limit, sim.now() + ASK_PS));
                ask(words);
            }
        }
    }

    /** Waits until something is so; see {@link #awaitIdle}. */
    private void await(BooleanSupplier what, long patiencePs, String words) {
        Sim sim = system.cluster().sim();
        long limit = sim.now() + patiencePs;
        while (gaveUp.isEmpty() && !what.getAsBoolean()) {
            if (sim.now() >= limit) {
                giveUp(patiencePs, words);
            } else {
                sim.runUntil(what, Math.min(limit, sim.now() + ASK_PS));
                ask(words);
            }
        }
    }

    private void giveUp(long patiencePs, String words) {
        gaveUp = "gave up after " + Plain.text(patiencePs / PS_PER_S) + " s of simulated time without " + words
                + ", longer than all waits of " + system.name() + " and its faults take";
    }

    private long answered() {
        long sum = 0;
        for (Loader l : loaders) {
            sum += l.answered();
        }
        return sum;
    }

    /** Returns how many clients there are; each has a loop of its own. */
    public int clients() {
        return loaders.size();
    }

    /** Returns the measured operations of a client that have ended well so far. */
    public long ended(int client) {
        return loaders.get(client).ended();
    }

    /** Returns the bytes of these. */
    public long bytes(int client) {
        return loaders.get(client).bytes();
    }

    /** Returns the operations of its loop that a client has under way. */
    public int underWay(int client) {
        return loaders.get(client).underWay();
    }

    /** Returns in words how far it is. */
    public String progress() {
        return String.format(
                Locale.ROOT,
                "%d operations have ended, %.1f ms are simulated",
                answered(),
                system.cluster().sim().now() / PS_PER_MS);
    }

    /** Runs it all; if something never ends, the result says so. */
    public LoadResult run() {
        Cluster cluster = system.cluster();
        Waits waits = system.waits().with(cluster.longestFaultPs() + expectedPs);
        prepare(waits);
        awaitSilence();
        cluster.wire().restart();
        cluster.wire().listen(tap);
        List<CpuWork> before = work();
        long begin = cluster.sim().now();
        LoadWindow window = spec.window();
        if (gaveUp.isEmpty()) {
            startLoops();
        }
        awaitIdle(waits.operation(), "the end of its operations");
        long elapsed = window == null ? cluster.sim().now() - begin : window.measuredPs();
        int trips = trips();
        List<CpuWork> after = work();
        List<CpuWork> work = IntStream.range(0, after.size())
                .mapToObj(i -> after.get(i).since(before.get(i)))
                .toList();
        awaitSilence();
        LoadResult.Traffic traffic = traffic(trips);
        cluster.wire().listen(null);
        await(system::isQuiet, waits.rest(), "replicas that are in service and equal");
        if (gaveUp.isEmpty()) {
            loaders.get(0).verify();
        }
        awaitIdle(waits.operation(), "the end of reading all keys");
        if (gaveUp.isEmpty()) {
            system.rest();
        }
        return result(begin, elapsed, traffic, work);
    }

    private void prepare(Waits waits) {
        loaders.forEach(Loader::open);
        system.cluster().await(() -> loaders.stream().allMatch(Loader::isOpen), "registered buffers");
        if (spec.op() == LoadSpec.Op.READ && gaveUp.isEmpty()) {
            for (int i = 0; i < loaders.size(); i++) {
                loaders.get(i).fill(i, loaders.size());
            }
            awaitIdle(waits.operation(), "keys that are written");
            await(system::isQuiet, waits.rest(), "replicas that are equal"); // what is read is committed everywhere
            system.cluster().settle();
        }
    }

    private void startLoops() {
        LoadWindow window = spec.window();
        int n = loaders.size();
        for (int i = 0; i < n; i++) {
            if (window == null) {
                loaders.get(i).start(spec.ops() / n + (i < spec.ops() % n ? 1 : 0));
            } else {
                loaders.get(i).start(window);
            }
        }
    }

    /** What is on its way belongs to what was before: waits until the wire is silent, or for so long that what leaves is something else. */
    private void awaitSilence() {
        Cluster cluster = system.cluster();
        long frames = -1;
        for (int i = 0; i < LOOKS && frames != cluster.wire().frames(); i++) {
            frames = cluster.wire().frames();
            cluster.sim().run(cluster.sim().now() + SILENCE_PS);
        }
    }

    private List<CpuWork> work() {
        Cluster c = system.cluster();
        return Stream.of(c.managers(), c.nodes(), c.clients())
                .flatMap(List::stream)
                .map(Node::work)
                .toList();
    }

    private int trips() {
        Cluster cluster = system.cluster();
        return spec.ops() == 1 ? cluster.wire().depth(cluster.clients().get(0).number()) : 0;
    }

    private LoadResult.Traffic traffic(int trips) {
        Cluster cluster = system.cluster();
        WireCount wire = cluster.wire();
        List<LoadResult.Nic> nics = new ArrayList<>();
        cluster.lab().hosts().forEach(h -> {
            int number = nics.size();
            nics.add(new LoadResult.Nic(
                    h.name(),
                    wire.txBytes(number),
                    wire.rxBytes(number),
                    wire.operationTxBytes(number),
                    wire.operationRxBytes(number)));
        });
        return new LoadResult.Traffic(
                wire.sends(),
                wire.reads(),
                wire.writes(),
                wire.immediates(),
                wire.overheads(),
                wire.overheadBytes(),
                wire.payloadBytes(),
                wire.oneSidedBytes(),
                wire.ackBytes(),
                nics,
                trips);
    }

    private LoadResult result(long begin, long elapsed, LoadResult.Traffic traffic, List<CpuWork> work) {
        History h = history.history();
        VersionOrder.Gaps gaps = VersionOrder.Gaps.ALLOWED;
        Verdict verdict = HistoryCheck.check(h, gaps, Linearizability.Bounds.DEFAULT);
        long lost = 0;
        for (String key : h.keys()) {
            lost += lost(h.operations(key));
        }
        return new LoadResult(
                latency,
                loaders.stream().mapToLong(Loader::begun).sum(),
                loaders.stream().mapToLong(Loader::ended).sum(),
                loaders.stream().mapToLong(Loader::bytes).sum(),
                begin,
                elapsed,
                traffic,
                work,
                h,
                verdict,
                lost,
                differences(),
                gaveUp,
                system.cluster().nodes().stream().flatMap(Load::gone).toList(),
                failures());
    }

    private static Stream<String> gone(Node node) {
        return node.isGone()
                ? Stream.of(node.name())
                : node.disks().stream().filter(Disk::isBroken).map(d -> d.name() + " of " + node.name());
    }

    private Map<String, Long> failures() {
        Map<String, Long> all = new TreeMap<>();
        loaders.forEach(l -> l.failures().forEach((why, n) -> all.merge(why, n, Long::sum)));
        return all;
    }

    /** Replicas are compared when they rest; of those that never do it is only known what was found on the way. */
    private List<String> differences() {
        if (gaveUp.isEmpty()) {
            return system.differences();
        }
        List<String> found = new ArrayList<>(system.findings());
        if (!stopped) {
            found.add(gaveUp);
        }
        return found;
    }

    /** Returns the acknowledged writes of a key that began when the write was over that is there in the end: nothing that came later can have replaced them. */
    static long lost(List<Operation> ops) {
        Operation last = null;
        for (Operation op : ops) {
            boolean newer = op.isAnsweredRead() && (last == null || op.invokePs() >= last.invokePs());
            last = newer ? op : last;
        }
        if (last == null) {
            return 0;
        }
        long over = Operation.NEVER;
        if (last.value().equals(Operation.INITIAL)) {
            over = Long.MIN_VALUE;
        }
        for (Operation op : ops) {
            if (op.isWrite() && op.value().equals(last.value())) {
                over = op.outcome() == Operation.Outcome.OK ? op.returnPs() : Operation.NEVER;
            }
        }
        long lost = 0;
        for (Operation op : ops) {
            boolean acked = op.isWrite() && op.outcome() == Operation.Outcome.OK;
            if (acked && !op.value().equals(last.value()) && op.invokePs() > over && op.returnPs() < last.invokePs()) {
                lost++;
            }
        }
        return lost;
    }
}
