package dev.clockwire.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.bench.storage.diagram.Ladder;
import dev.clockwire.nic.lab.MessageTap.Kind;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.fabric.bridge.FabricSwitch;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.check.Operation;
import dev.clockwire.storage.cluster.CpuWork;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.LinesSpec;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.threefs.ThreeFsSystem;
import dev.clockwire.storage.threefs.server.BufferPool;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Twelve results that follow from how the three systems move their messages: a simulator that has them wrong has the systems wrong. */
class QualitativeResultsTest {
    private static final LoadSpec.Op WRITE = LoadSpec.Op.WRITE;
    private static final LoadSpec.Op READ = LoadSpec.Op.READ;
    private static final double US = 1e6;
    private static final double SECOND = 1e12;
    private static final int BULK = 32 * Runs.KIB;
    /** What an SSD of the usual kind reads, in Gbit/s: 7.2 GB/s by its data sheet, less some for commands. */
    private static final double SSD_GBPS = 7.2 * 8;

    /** What it writes, by the same sheet: 6.2 GB/s. */
    private static final double WRITE_GBPS = 6.2 * 8;

    private static final int CLASSES = 8;
    private static final int WRITERS = 16;
    /** As many as a writer has slots. */
    private static final int WRITER_DEPTH = 8;

    private static final int INCAST_SIZE = 64 * Runs.KIB;

    private static StorageSpec spec(String system, LoadSpec load, int replicas, int clients, String... overrides) {
        Profile profile = Profiles.named("cx7-400g");
        for (int i = 0; i < overrides.length; i += 2) {
            profile = profile.with(overrides[i], overrides[i + 1]);
        }
        StorageSpec s = StorageSpec.of(system, profile, load).withMachines(replicas, replicas, clients);
        return load.size() >= BULK ? s.withPayload(PayloadMode.SIZES) : s;
    }

    private static LoadResult run(StorageSpec spec) {
        return new StorageRun(spec).run();
    }

    /** Median latency of one client with one operation at a time, in us. */
    private static double alone(String system, LoadSpec.Op op, int size, int replicas, SoftwareSpec software) {
        return alone(system, LoadSpec.of(op, size, 6, 6), replicas, software);
    }

    private static double alone(String system, LoadSpec load, int replicas, SoftwareSpec software) {
        return run(spec(system, load, replicas, 1).withSoftware(software))
                        .latency()
                        .percentile(50)
                / US;
    }

    private static double alone(String system, LoadSpec.Op op, int size) {
        return alone(system, op, size, 3, SoftwareSpec.usual());
    }

    /** 1. Parallel replicas and four trips against a serial chain; an OSD with the processor time of real ones falls behind it. */
    @Test
    void smallWritesAreFastestInDaosThenCephThenPushedThenPulled() {
        double daos = alone("daos", WRITE, 4096);
        double ceph = alone("ceph", WRITE, 4096);
        double push = alone("3fs-push", WRITE, 4096);
        double pull = alone("3fs", WRITE, 4096);
        assertThat(daos).isLessThan(ceph / 1.5);
        assertThat(ceph).isLessThan(push / 1.5);
        assertThat(push).isLessThan(pull / 1.1);
        assertThat(alone("ceph", WRITE, 4096, 3, SoftwareSpec.usual().withOsdUs(60)))
                .as("tens of microseconds for each operation, as classic OSDs take")
                .isGreaterThan(pull);
    }

    /** 2. Pulling costs six trips more, whatever the size: nothing of a large write. */
    @Test
    void theGapBetweenPullingAndPushingIsSixTripsAtAnySize() {
        List<Double> gaps = new ArrayList<>();
        for (int size : new int[] {4096, 64 * Runs.KIB, Runs.MIB}) {
            gaps.add(alone("3fs", WRITE, size) - alone("3fs-push", WRITE, size));
        }
        double trips = gaps.get(0);
        assertThat(trips / 6).as("a trip and half a wake-up, in us").isBetween(1.0, 6.0);
        assertThat(gaps.get(1)).isCloseTo(trips, within(trips * 0.05));
        assertThat(gaps.get(2)).isCloseTo(trips, within(trips * 0.05));
        assertThat(gaps.get(2)).isLessThan(0.05 * alone("3fs", WRITE, Runs.MIB));
    }

    /**
     * 2. Where many write to one node at once, pushed bytes come when clients like: all of them wait in the switch, for memory that is theirs alone. Pulled ones come
     * when the node asks. A switch without room loses more of what is pushed, or has to stop its senders more often.
     */
    @Test
    void manyWritersNeedMoreRoomWhereTheyPush() {
        Incast pull = incast("3fs", 64, false);
        Incast push = incast("3fs-push", 64, false);
        long asked = (long) WRITERS * WRITER_DEPTH * INCAST_SIZE;
        assertThat(push.queued()).as("nearly all that clients have").isBetween(asked * 8 / 10, asked * 105 / 100);
        assertThat(pull.queued()).isLessThan(push.queued() / 2);
        assertThat(push.lent() - pull.lent())
                .as("slots that writers hold while they are idle")
                .isEqualTo(WRITERS * WRITER_DEPTH);
        assertThat(pull.dropped() + push.dropped()).isZero();
        assertThat(push.load().gbps())
                .as("the disk's rate, both")
                .isCloseTo(pull.load().gbps(), within(2.0));
    }

    /** 2. See above. */
    @Test
    void aSwitchWithoutRoomLosesOrStopsMoreOfWhatIsPushed() {
        Incast pull = incast("3fs", 4, false);
        Incast push = incast("3fs-push", 4, false);
        assertThat(pull.dropped()).isZero();
        assertThat(push.dropped()).isGreaterThan(100);
        assertThat(push.load().elapsedPs())
                .as("the last frames of a message are missed by a timeout only")
                .isGreaterThan(5 * pull.load().elapsedPs());
        Incast stopped = incast("3fs-push", 4, true);
        assertThat(stopped.dropped()).isZero();
        assertThat(stopped.pauses()).isPositive();
        assertThat(incast("3fs", 4, true).pauses()).isZero();
    }

    /** Many writers of one node: what the switch has held, lost and stopped, and how many of the node's buffers are somebody's in the end. */
    private record Incast(LoadResult load, long queued, long dropped, long pauses, int lent) {}

    private static Incast incast(String system, int megabytes, boolean lossless) {
        LoadSpec load = LoadSpec.of(WRITE, INCAST_SIZE, WRITERS * WRITER_DEPTH, WRITERS * WRITER_DEPTH)
                .withDepth(WRITER_DEPTH);
        LinesSpec lines = new LinesSpec(0, 0, (long) megabytes * Runs.MIB, lossless);
        StorageRun run = new StorageRun(spec(system, load, 1, WRITERS)
                .withHardware(true, DiskKind.MEDIA, 1)
                .withScale(ScaleSpec.USUAL.withLines(lines)));
        LoadResult r = run.run();
        FabricSwitch bridge = run.system().cluster().lab().wiring().switches().get(0);
        long queued = 0;
        long dropped = 0;
        long pauses = 0;
        for (int port = 0; port < bridge.ports(); port++) {
            pauses += bridge.counters(port).xoffFrames();
            for (int c = 0; c < CLASSES; c++) {
                queued = Math.max(queued, bridge.maxQueued(port, c));
                dropped += bridge.counters(port).dropped(c);
            }
        }
        Node node = run.system().cluster().nodes().get(0);
        BufferPool pool = ((ThreeFsSystem) run.system()).fs().service(node).buffers();
        return new Incast(r, queued, dropped, pauses, pool.count() - pool.free());
    }

    /** 3. One client's large writes: a link's rate in 3FS and Ceph, a third of it in DAOS, whose three replicas all read from the client. */
    @Test
    void oneClientFillsItsLinkButForDaosWhichNeedsItThreeTimes() {
        double link = 10;
        LoadSpec load = LoadSpec.of(WRITE, 256 * Runs.KIB, 48, 256).withDepth(16);
        LoadResult threeFs = run(spec("3fs", load, 3, 1, "link.gbps", "10"));
        LoadResult ceph = run(spec("ceph", load, 3, 1, "link.gbps", "10"));
        LoadResult daos = run(spec("daos", load, 3, 1, "link.gbps", "10"));
        assertThat(threeFs.gbps()).isBetween(0.7 * link, link);
        assertThat(ceph.gbps()).isBetween(0.7 * link, link);
        assertThat(daos.gbps()).isBetween(0.9 * link / 3, link / 3);
        assertThat(betweenServers(daos)).as("servers send each other no values").isLessThan(0.02 * daos.bytes());
        assertThat(betweenServers(threeFs)).isGreaterThan(1.9 * threeFs.bytes());
        assertThat(betweenServers(ceph)).isGreaterThan(1.9 * ceph.bytes());
    }

    private static double betweenServers(LoadResult r) {
        return r.traffic().nics().stream()
                .filter(n -> n.node().startsWith("node"))
                .mapToLong(LoadResult.Nic::operationTx)
                .sum();
    }

    /** 4. Large reads of many clients: the SSDs' rate in 3FS and DAOS; less in Ceph, which copies, checks, and reads at primaries alone. */
    @Test
    void readsOfManyClientsComeAtTheSsdsRateButForCeph() {
        LoadSpec load = LoadSpec.of(READ, 256 * Runs.KIB, 96, 24).withDepth(4);
        double threeFs = soft("3fs", load, 3, 6).gbps();
        double daos = soft("daos", load, 3, 6).gbps();
        assertThat(threeFs).isBetween(0.7 * 3 * SSD_GBPS, 3 * SSD_GBPS);
        assertThat(daos).isCloseTo(threeFs, within(0.1 * threeFs));
        assertThat(soft("ceph", load, 3, 6).gbps()).isLessThan(0.9 * threeFs);
    }

    /** A run on software devices, and media without NVMe. */
    private static LoadResult soft(String system, LoadSpec load, int replicas, int clients) {
        return run(spec(system, load, replicas, clients).withHardware(true, DiskKind.MEDIA, 1));
    }

    /** 4. The same with values of 1 MiB, hardware devices and whole SSDs. */
    @Test
    @EnabledIfSystemProperty(named = "clockwire.full", matches = "true")
    void largeReadsComeAtTheSsdsRateButForCeph() {
        LoadSpec load = LoadSpec.of(READ, Runs.MIB, 96, 24).withDepth(4);
        double bound = 3 * SSD_GBPS;
        double threeFs = run(spec("3fs", load, 3, 6)).gbps();
        double daos = run(spec("daos", load, 3, 6)).gbps();
        double ceph = run(spec("ceph", load, 3, 6)).gbps();
        assertThat(threeFs).isBetween(0.7 * bound, bound);
        assertThat(daos).isCloseTo(threeFs, within(0.1 * threeFs));
        assertThat(ceph).isLessThan(0.9 * threeFs);
    }

    /** 5. One value that all want: three replicas serve three times as much, but for Ceph's primary; under a writer `reject` has readers come again. */
    @Test
    void aHotValueIsReadFromThreeReplicasButForCeph() {
        LoadSpec load = LoadSpec.of(READ, 256 * Runs.KIB, 72, 1).withDepth(4);
        for (String system : List.of("3fs", "daos")) {
            double gain = run(spec(system, load, 3, 6)).gbps()
                    / run(spec(system, load, 1, 6)).gbps();
            assertThat(gain).as(system).isBetween(2.5, 3.1);
        }
        double ceph = run(spec("ceph", load, 3, 6)).gbps()
                / run(spec("ceph", load, 1, 6)).gbps();
        assertThat(ceph).isBetween(0.9, 1.1);
        assertThat(meanReadUs("reject"))
                .as("reads that meet a pending version are refused and asked again")
                .isGreaterThan(1.5 * meanReadUs("committed"));
    }

    private static double meanReadUs(String rule) {
        LoadSpec load = new LoadSpec(LoadSpec.Op.MIX, 4096, 300, 1, 1, 90);
        LoadResult r =
                run(spec("3fs", load, 3, 4).withSoftware(SoftwareSpec.usual().withRule(rule)));
        return r.history().operations("k0").stream()
                        .filter(Operation::isAnsweredRead)
                        .mapToLong(o -> o.returnPs() - o.invokePs())
                        .average()
                        .orElse(0)
                / US;
    }

    /** 6. Small reads: two trips of DAOS against four, until it needs bulk. A second segment shows in messages, registration in time. */
    @Test
    void daosReadsFasterThan3fsUntilItRegistersMemory() {
        for (int size : new int[] {4096, 15_872, 18_944}) {
            assertThat(alone("daos", READ, size)).isLessThan(0.8 * alone("3fs", READ, size));
        }
        double before = alone("daos", READ, 18_944);
        double behind = alone("daos", READ, 19_456);
        assertThat(behind - before)
                .as("registering and deregistering five pages: two times 10 us and a quarter for each page")
                .isBetween(18.0, 26.0);
        assertThat(alone("3fs", READ, 19_456) - alone("3fs", READ, 18_944)).isLessThan(1.0);
        assertThat(behind).isGreaterThan(alone("3fs", READ, 19_456));
        assertThat(Runs.run("daos", READ, 15_872, 1).traffic().sends()).isEqualTo(2);
        assertThat(Runs.run("daos", READ, 16_384, 1).traffic().sends()).isEqualTo(3);
        assertThat(Runs.run("daos", READ, 19_456, 1).traffic().sends()).isEqualTo(2);
    }

    /** 7. Registration is about half of what such an operation takes, and all that a cache saves; clients of 3FS register once. */
    @Test
    void registrationDominatesMediumTransfersOfDaos() {
        for (int size : new int[] {20_480, 64 * Runs.KIB}) {
            double off = alone("daos", READ, size);
            double on = alone("daos", READ, size, 3, SoftwareSpec.usual().withRegistrationCache(true));
            int pages = size / 4096;
            assertThat(off - on)
                    .as(size + " B: 2 x (10 us + 0.25 us a page)")
                    .isCloseTo(2 * (10 + 0.25 * pages), within(2.5));
            assertThat(off - on).isGreaterThan(0.4 * off);
        }
        assertThat(alone("3fs", READ, 64 * Runs.KIB)).isLessThan(0.75 * alone("daos", READ, 64 * Runs.KIB));
    }

    /** 8. A chain's latency grows with its length; DAOS and Ceph are nearly flat, and send R times or R - 1 times the bytes from one NIC. */
    @Test
    void chainsAreLinearInTheirLengthAndFanOutsAreFlat() {
        int size = 64 * Runs.KIB;
        SoftwareSpec usual = SoftwareSpec.usual();
        double one = alone("3fs", WRITE, size, 1, usual);
        double hop = alone("3fs", WRITE, size, 2, usual) - one;
        assertThat(alone("3fs", WRITE, size, 4, usual)).isCloseTo(one + 3 * hop, within(0.05 * (one + 3 * hop)));
        assertThat(hop).isGreaterThan(0.8 * one);
        assertThat(alone("daos", WRITE, size, 4, usual) / alone("daos", WRITE, size, 2, usual))
                .isLessThan(1.1);
        assertThat(alone("ceph", WRITE, size, 4, usual) / alone("ceph", WRITE, size, 2, usual))
                .isLessThan(1.25);
        for (int r : new int[] {2, 4}) {
            LoadSpec lone = LoadSpec.of(WRITE, size, 1, 1);
            double ceph = hottest(run(spec("ceph", lone, r, 1)), "node");
            assertThat(ceph / size).as("primary of " + r).isBetween(r - 1.0, 1.1 * (r - 1));
            double daos = hottest(run(spec("daos", lone, r, 1)), "client");
            assertThat(daos / size).as("client of " + r).isBetween((double) r, 1.1 * r);
            double threeFs = hottest(run(spec("3fs", lone, r, 1)), "");
            assertThat(threeFs / size).as("anybody in a chain of " + r).isBetween(1.0, 1.1);
        }
    }

    /**
     * 8. One client's rate is the same however long the chain, if enough is under way: bandwidth times latency, and latency grows with the chain. With little under way
     * the rate is that over the latency.
     */
    @Test
    void aLongerChainTakesMoreUnderWayAndNoRate() {
        double shortChain = oneWriter(1, 128).gbps();
        assertThat(shortChain).isBetween(0.7 * WRITE_GBPS, WRITE_GBPS);
        assertThat(oneWriter(4, 128).gbps()).isCloseTo(shortChain, within(0.08 * shortChain));
        assertThat(oneWriter(1, 4).gbps())
                .as("four under way are enough for nobody")
                .isGreaterThan(2 * oneWriter(4, 4).gbps());
    }

    private static LoadResult oneWriter(int replicas, int depth) {
        LoadSpec load = LoadSpec.of(WRITE, 64 * Runs.KIB, 3 * depth, 3 * depth).withDepth(depth);
        return soft("3fs", load, replicas, 1);
    }

    private static double hottest(LoadResult r, String kind) {
        return r.traffic().nics().stream()
                .filter(n -> n.node().startsWith(kind))
                .mapToLong(LoadResult.Nic::operationTx)
                .max()
                .orElse(0);
    }

    /** 9. A node is lost: writes wait for those who decide that it is, tens of seconds; reads of DAOS go elsewhere when their connection breaks, those of 3FS when their step is over. */
    @Test
    void writesWaitForTheDecisionThatANodeIsLostAndReadsGoElsewhere() {
        assertThat(stall("3fs", READ)).as("a client's first step").isBetween(10.0, 10.1);
        assertThat(stall("daos", READ)).as("retries of the queue pair").isBetween(0.1, 1.0);
        assertThat(stall("ceph", READ)).as("grace of 20 s and peering").isBetween(20.0, 30.0);
        assertThat(stall("ceph", WRITE)).isBetween(20.0, 30.0);
        assertThat(stall("3fs", WRITE))
                .as("tries of 10, 20 and 30 s, and then a client gives up: the manager drops a node after 60 s of"
                        + " silence")
                .isBetween(60.0, 60.1);
        // a suspicion takes 20 s; pings by turns and of third ones, the lease, and a client's next try add 15 s at
        // most. Who has its request at a
        // leader that dies waits for the minute of an RPC and once before it asks again: LostEngineTest has either by
        // itself
        double daos = stall("daos", WRITE);
        assertThat(daos).isBetween(20.0, 60.1);
        assertThat(daos)
                .satisfiesAnyOf(
                        s -> assertThat(s).isLessThan(35.0), s -> assertThat(s).isGreaterThan(60.0));
    }

    private static double stall(String system, LoadSpec.Op op) {
        // values are written before they are read, which takes 3FS longer
        long at = op == READ && system.equals("3fs") ? 1_000_000_000L : 300_000_000L;
        FaultRule crash = FaultRule.of(new FaultAction.OnNode(NodeFault.CRASH, "node1"), new FaultTrigger.At(at))
                .restartingAfter(200_000_000_000_000L);
        LoadSpec load = LoadSpec.of(op, 4096, op == READ ? 120 : 60, 12);
        LoadResult r = run(
                spec(system, load, 3, 2).withHardware(true, DiskKind.MEDIA, 1).withFaults(FaultPlan.of(crash)));
        assertThat(r.isSafe()).isTrue();
        // those whose client has given up, too
        return r.history().keys().stream()
                        .flatMap(k -> r.history().operations(k).stream())
                        .filter(o -> o.isWrite() == (op == WRITE))
                        .mapToLong(o -> o.returnPs() - o.invokePs())
                        .max()
                        .orElse(0)
                / SECOND;
    }

    /** 10. When messages are further apart than polling_us, each pays for a wake-up of the polling thread; when they are not, its core never rests. */
    @Test
    void cephsPollingThreadSleepsBetweenMessagesThatAreFurtherApart() {
        double never = polled(0);
        double little = polled(10);
        double enough = polled(100);
        double much = polled(1000);
        assertThat(little).isCloseTo(never, within(0.5));
        assertThat(enough).isCloseTo(much, within(0.5));
        assertThat(never - much).as("two wake-ups, of client and primary").isBetween(4.0, 12.0);
        assertThat(pollingShare(0)).isLessThan(0.3);
        assertThat(pollingShare(100_000))
                .as("one core of each machine that has a part")
                .isGreaterThan(0.8);
    }

    private static double polled(int us) {
        // the first reads may find threads awake: values were written 1 ms before, and are acknowledged
        return alone(
                "ceph", LoadSpec.of(READ, 4096, 24, 6), 3, SoftwareSpec.usual().withPollingUs(us));
    }

    /** Time that the client's cores spend in vain, of the time that passes. */
    private static double pollingShare(int us) {
        LoadResult r = run(spec("ceph", LoadSpec.of(READ, 4096, 20, 20), 3, 1)
                .withSoftware(SoftwareSpec.usual().withPollingUs(us)));
        CpuWork client = r.work().get(r.work().size() - 1);
        return (double) client.pollingPs() / r.elapsedPs();
    }

    /** 11. Reads that are asked for together are written together, and only the last WRITE of 32 is signalled: {@code IbSocketTest} counts completions. */
    @Test
    void readsInBatchesTakeAFewMessagesForManyWrites() {
        int ops = 320;
        LoadSpec load = LoadSpec.of(READ, 4096, ops, 32).withDepth(32);
        StorageSpec one = spec("3fs", load, 1, 1);
        LoadResult alone = run(one);
        LoadResult batches = run(one.withSoftware(
                one.software().withTransfer(one.software().transfer().withBatch(32), 0)));
        assertThat(alone.traffic().sends()).isEqualTo(2L * ops);
        assertThat(batches.traffic().writes()).isEqualTo(ops);
        assertThat(batches.traffic().sends()).isLessThan(ops / 2);
    }

    /** 12. A queue pair has 16 READs under way: pulled writes of 4 KiB over a long line come at 16 for each round trip and no faster. */
    @Test
    void sixteenReadsOfAQueuePairAreUnderWay() {
        double roundTripUs = 1000; // four cables of 250 us
        double knee = 16 * 4096 * 8 / (roundTripUs * 1e3);
        double few = pulled(16).gbps();
        double many = pulled(64).gbps();
        assertThat(few).as("16 under way in two round trips each").isBetween(0.8 * knee / 2, knee / 2);
        assertThat(many).isBetween(0.8 * knee, knee);
        StorageRun.Drawn drawn = new StorageRun(far(64, 64)).draw();
        assertThat(mostReads(drawn.ladder())).isEqualTo(16);
    }

    private static StorageSpec far(int depth, int ops) {
        return spec("3fs", LoadSpec.of(WRITE, 4096, ops, 256).withDepth(depth), 1, 1, "link.cable_ns", "250000");
    }

    private static LoadResult pulled(int depth) {
        return run(far(depth, 6 * depth));
    }

    /** Most READs that had left and were not answered. */
    private static int mostReads(Ladder ladder) {
        int most = 0;
        for (Ladder.Arrow at : ladder.arrows()) {
            if (at.kind() != Kind.READ) {
                continue;
            }
            double now = at.leftUs();
            long asked = ladder.arrows().stream()
                    .filter(a -> a.kind() == Kind.READ && a.leftUs() <= now)
                    .count();
            long answered = ladder.arrows().stream()
                    .filter(a -> a.kind() == Kind.READ_RESPONSE && a.arrivedUs() <= now)
                    .count();
            most = (int) Math.max(most, asked - answered);
        }
        return most;
    }
}
