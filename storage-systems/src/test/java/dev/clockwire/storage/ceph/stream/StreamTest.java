package dev.clockwire.storage.ceph.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabSanitizer;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.soft.SoftCounter;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The async RDMA stack under the troubles that Ceph's own had: pools that run dry, slow readers, queue pairs that go with work outstanding. */
class StreamTest {
    private static final int KIB = 1024;
    private static final StreamSpec SMALL = StreamSpec.asyncRdma().withPools(32, 64, 16);

    private static long rnrNaks(StreamRig rig, int client) {
        return rig.cluster.clients().get(client).host().soft().counter(SoftCounter.RNR_NAK);
    }

    /** Ceph PR 16258: whoever does not read starves the others of the shared queue, which wait for ever and go on. */
    @Test
    void aSlowReaderStarvesOthersUntilItReads() {
        StreamRig rig = new StreamRig(SMALL.withPools(32, 16, 8), true, 3);
        StreamRig.Ear slow = rig.served.get(0);
        slow.stream().pause(true);
        for (int i = 0; i < 20; i++) {
            rig.send(0, i, 4 * KIB);
        }
        rig.run(3_000);
        rig.send(1, 100, 4 * KIB);
        rig.send(2, 200, 4 * KIB);
        rig.run(3_000);
        assertThat(rig.server().backlog()).isEqualTo(8);
        assertThat(rig.served.get(1).times).isEmpty();
        assertThat(rnrNaks(rig, 1)).isPositive();
        assertThat(rnrNaks(rig, 2)).isPositive();
        slow.node.worker(0).post((a, b) -> slow.stream().pause(false), 0, 0);
        rig.run(10_000);
        assertThat(slow.times).hasSize(20);
        assertThat(rig.served.get(1).heard.sameContent(StreamRig.extent(100, 4 * KIB)))
                .isTrue();
        assertThat(rig.served.get(2).heard.sameContent(StreamRig.extent(200, 4 * KIB)))
                .isTrue();
        assertThat(rig.server().backlog()).isZero();
        assertThat(rig.clients).allMatch(c -> c.broken == 0);
    }

    /** Each connection with receives of its own: the others do not notice. */
    @Test
    void withoutTheSharedQueueOthersDoNotNotice() {
        StreamRig rig = new StreamRig(SMALL.withPools(32, 40, 8).with(false, Mtu.MTU_1024, false), true, 3);
        rig.served.get(0).stream().pause(true);
        for (int i = 0; i < 20; i++) {
            rig.send(0, i, 4 * KIB);
        }
        rig.run(500);
        rig.send(1, 100, 4 * KIB);
        rig.run(500);
        assertThat(rig.served.get(1).heard.sameContent(StreamRig.extent(100, 4 * KIB)))
                .isTrue();
        assertThat(rnrNaks(rig, 1)).isZero();
    }

    /** Ceph PR 18036: fewer chunks than a message takes. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMessageLargerThanThePoolIsSentInParts(boolean soft) {
        StreamRig rig = new StreamRig(SMALL.withPools(4, 64, 16), soft, 1);
        rig.send(0, 1, KIB * KIB);
        rig.send(0, 2, 300_000);
        rig.run(5_000);
        var want = StreamRig.extent(1, KIB * KIB);
        want.appendExtent(9, 2, 0, 300_000);
        assertThat(rig.served.get(0).heard.sameContent(want)).isTrue();
        assertThat(rig.served.get(0).times).hasSize(8 + 3);
        assertThat(rig.stacks.get(1).freeSends()).isEqualTo(4);
    }

    /** Ceph PR 69614: no file descriptor for another eventfd. */
    @Test
    void aConnectionWithoutEventHandleIsRefused() {
        StreamRig rig = new StreamRig(SMALL.withEventHandles(2), true, 3);
        assertThat(rig.clients.get(2).broken).isEqualTo(1);
        assertThat(rig.server().refused()).isEqualTo(1);
        rig.send(0, 1, 512);
        rig.run(200);
        assertThat(rig.served.get(0).heard.length()).isEqualTo(512);
        rig.clients
                .get(0)
                .node
                .worker(0)
                .post((a, b) -> rig.clients.get(0).stream().close(), 0, 0);
        rig.run(20_000);
        assertThat(rig.server().connections()).isEqualTo(1);
    }

    /** Ceph PR 29947: queue pairs that are closed under load, by either side; every chunk comes back. */
    @ParameterizedTest
    @CsvSource({
        "true,true,true",
        "true,false,true",
        "true,true,false",
        "true,false,false",
        "false,true,true",
        "false,false,false"
    })
    void noChunkIsLostWhenAConnectionEnds(boolean soft, boolean shared, boolean bySender) {
        StreamRig rig = new StreamRig(SMALL.with(shared, Mtu.MTU_1024, false), soft, 1);
        StreamRig.Ear client = rig.clients.get(0);
        StreamRig.Ear closes = bySender ? client : rig.served.get(0);
        for (int i = 0; i < 30; i++) {
            rig.send(0, i, 200_000);
        }
        rig.run(60);
        closes.node.worker(0).post((a, b) -> closes.stream().close(), 0, 0);
        rig.run(2_000_000);
        assertThat(client.broken).isEqualTo(1);
        assertThat(rig.served.get(0).broken).isEqualTo(1);
        assertThat(rig.stacks).allMatch(s -> s.connections() == 0);
        assertThat(rig.stacks).allMatch(s -> s.freeSends() == 32);
        int posted = shared ? 16 : 0;
        assertThat(rig.stacks).allMatch(s -> s.freeReceives() + posted == s.receiveChunks() && s.backlog() == 0);
        if (bySender) {
            assertThat(rig.served.get(0).heard.length())
                    .as("the end comes behind what was sent")
                    .isEqualTo(30 * 200_000);
        }
    }

    /** What {@code polling_us} means: 0 arms and wakes for each lone message, a large one never does and takes a whole core. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void zeroIsEventModeAndLargeIsPolling(boolean soft) {
        long[] event = lone(0, soft);
        long[] polled = lone(1_000_000, soft);
        assertThat(event[0]).as("wake-ups").isGreaterThanOrEqualTo(20);
        assertThat(event[1]).as("arms").isGreaterThanOrEqualTo(20);
        assertThat(polled[0]).isZero();
        assertThat(polled[1]).isZero();
        assertThat(event[2] - polled[2])
                .as("the way through interrupt and scheduler, in ps")
                .isGreaterThan(2 * StreamRig.US);
        assertThat(polled[3]).as("percent of the core").isGreaterThanOrEqualTo(99);
        assertThat(event[3]).isLessThan(30);
        long[] usual = lone(1000, soft);
        assertThat(usual[0])
                .as("messages come more often than every millisecond")
                .isZero();
    }

    /** A transport that uses chunks again too early is found out by the sanitizer, the whole one is not. */
    @ParameterizedTest
    @CsvSource({"WHOLE,''", "SEND,the program writes", "RECEIVE,the program reads"})
    void chunksAreUsedAgainWhenNobodyNeedsThem(String early, String finding) {
        LabSpec lab = new LabSpec(SimSpec.of(3), PayloadMode.SIZES, 0)
                .withSoft(SoftSpec.usual())
                .withSanitizer(true);
        StreamRig.Maker maker = early.equals("SEND")
                ? MutantStack.EarlySend::new
                : early.equals("RECEIVE") ? MutantStack.EarlyReceive::new : RdmaStack::new;
        StreamRig rig = new StreamRig(SMALL, true, 1, lab, maker);
        for (int i = 0; i < 10; i++) {
            rig.send(0, i, 4 * KIB);
        }
        rig.run(500);
        var found = LabSanitizer.of(rig.cluster.lab().hosts().toArray(LabHost[]::new))
                .findings();
        if (finding.isEmpty()) {
            assertThat(found).isEmpty();
        } else {
            assertThat(found).anyMatch(f -> f.toString().contains(finding));
        }
    }

    /** Polls that find nothing are skipped; nobody can tell. */
    @Test
    void skippedPollsAreInvisible() {
        List<String> seen = new ArrayList<>();
        for (KernelMode mode : List.of(KernelMode.ACTIVITY, KernelMode.EXHAUSTIVE)) {
            StreamRig rig = new StreamRig(SMALL.withPools(8, 8, 8).withPollingUs(50), true, 1, mode);
            CpuCore core = rig.cluster.nodes().get(0).worker(1).core();
            PollingThread t = Objects.requireNonNull(rig.server().thread());
            for (int gap : new int[] {30, 47, 53, 61, 120}) {
                rig.send(0, gap, 512);
                rig.run(gap);
                seen.add(rig.served.get(0).times + " " + t.arms() + " " + t.wakeUps() + " " + core.steps() + " "
                        + core.busyPs() + " " + core.pollingPs());
            }
        }
        assertThat(seen.subList(5, 10)).isEqualTo(seen.subList(0, 5));
    }

    /** Returns wake-ups, arms, mean latency and the core's share of 20 messages 100 us apart. */
    private static long[] lone(long pollingUs, boolean soft) {
        StreamRig rig = new StreamRig(SMALL.withPollingUs(pollingUs), soft, 1);
        rig.send(0, 99, 512);
        rig.run(100);
        PollingThread t = Objects.requireNonNull(rig.server().thread());
        CpuCore core = rig.cluster.nodes().get(0).worker(1).core();
        long wakeUps = t.wakeUps();
        long arms = t.arms();
        long busy = core.busyPs();
        long begin = rig.cluster.sim().now();
        long sum = 0;
        for (int i = 0; i < 20; i++) {
            long at = rig.cluster.sim().now();
            rig.send(0, i, 512);
            rig.run(100);
            var times = rig.served.get(0).times;
            sum += times.get(times.size() - 1) - at;
        }
        long share = 100 * (core.busyPs() - busy) / (rig.cluster.sim().now() - begin);
        return new long[] {t.wakeUps() - wakeUps, t.arms() - arms, sum / 20, share};
    }
}
