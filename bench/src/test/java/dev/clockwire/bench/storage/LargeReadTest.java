package dev.clockwire.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.Disk;
import dev.clockwire.storage.cluster.DiskKind;
import dev.clockwire.storage.cluster.LinesSpec;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.load.LoadWindow;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The shape of 3FS's published read test, small and whole: storage nodes with 2 x 200 Gbit/s and 16 SSDs each, clients with 200 Gbit/s, reads of 4 MiB. */
class LargeReadTest {
    private static final int SIZE = 4 << 20;
    private static final int PACKET = 4096;
    /** Preamble, gap, Ethernet with check sequence, IPv4, UDP, BTH, ICRC. */
    private static final int AROUND = 20 + 18 + 20 + 8 + 12 + 4;

    private static final double NODE_GBPS = 400;
    private static final double CLIENT_GBPS = 200;
    private static final double DISK_GBPS = 6.5 * 8;
    private static final int DISKS = 16;
    private static final long MS = 1_000_000_000L;

    private static StorageSpec spec(int nodes, int clients, int depth, LoadWindow window, LinesSpec lines) {
        LoadSpec load = new LoadSpec(LoadSpec.Op.READ, SIZE, 1, 5 * nodes, depth, 0).withWindow(window);
        return StorageSpec.of("3fs", Profiles.named("cx7-400g"), load)
                .withHardware(true, DiskKind.MEDIA, 1)
                .withPayload(PayloadMode.SIZES)
                .withMedia("pm9a3")
                .withMachines(3, nodes, clients)
                .withScale(ScaleSpec.USUAL
                        .withChains(5 * nodes, DISKS)
                        .withLines(lines)
                        .withConnectOnUse(true));
    }

    private static LinesSpec lines(int bufferMib, boolean lossless) {
        return new LinesSpec(NODE_GBPS, CLIENT_GBPS, (long) bufferMib << 20, lossless);
    }

    private static double us(double gbps) {
        return SIZE * 8 / gbps / 1e3;
    }

    /**
     * A closed network of so many reads, each of which needs a disk, a node's line and a client's: above is what its busiest stage can do; below are the
     * balanced job bounds (Zahorjan, Sevcik, Eager, Galler 1982), true where service times vary more than here.
     */
    private static void assertBetweenBounds(double gbps, int nodes, int clients, int depth) {
        double line = (double) (PACKET + AROUND) / PACKET;
        double node = us(NODE_GBPS) * line;
        double client = us(CLIENT_GBPS) * line;
        double disk = us(DISK_GBPS);
        double busiest = Math.max(node / nodes, Math.max(client / clients, disk / (nodes * DISKS)));
        double n = (double) clients * depth;
        double fewest = n / (node + client + disk + (n - 1) * busiest);
        double perUs = gbps / (SIZE * 8 / 1e3);
        assertThat(perUs).isBetween(fewest, 1 / busiest);
    }

    private static void assertAllWell(LoadResult r) {
        assertThat(r.isSafe()).as(r.verdict().text() + r.differences()).isTrue();
        assertThat(r.traffic().overheadBytes()).as("nothing is lost").doesNotContainKey("resent");
        assertThat(r.bytes()).isEqualTo(r.ended() * SIZE);
        assertThat(r.ended()).isLessThan(r.begun());
        assertThat(r.traffic().writes()).isEqualTo(r.begun());
        assertThat(r.traffic().sends()).isEqualTo(2 * r.begun());
        assertThat(r.traffic().oneSided()).isEqualTo(r.begun() * SIZE);
    }

    @Test
    void aSmallOneRunsBetweenItsBounds() {
        StorageRun run = new StorageRun(spec(6, 17, 8, new LoadWindow(2 * MS, 2 * MS), lines(64, true)));
        LoadResult r = run.run();
        assertAllWell(r);
        assertThat(r.elapsedPs()).isEqualTo(2 * MS);
        assertBetweenBounds(r.gbps(), 6, 17, 8);
        for (Node node : run.system().cluster().nodes()) {
            // five chains start at each node, so it has fifteen targets
            assertThat(node.disks().stream().mapToLong(Disk::bytesWritten)).hasSize(DISKS);
            assertThat(node.disks().stream().filter(d -> d.bytesWritten() > 0)).hasSize(15);
            assertThat(node.disks().stream().filter(d -> d.bytesRead() > 0).count())
                    .isGreaterThan(10);
        }
    }

    /** A switch without pauses loses what it has no room for, and it is sent again. */
    @Test
    void withoutPausesASmallBufferLoses() {
        LoadWindow window = new LoadWindow(0, MS);
        LoadResult lossy = new StorageRun(spec(3, 2, 8, window, lines(1, false))).run();
        assertThat(lossy.isSafe()).isTrue();
        assertThat(lossy.traffic().overheadBytes()).containsKey("resent");
        LoadResult lossless = new StorageRun(spec(3, 2, 8, window, lines(4, true))).run();
        assertAllWell(lossless);
    }

    private static Stream<Allocation> connections(Cluster cluster) {
        return Stream.of(cluster.managers(), cluster.nodes(), cluster.clients())
                .flatMap(List::stream)
                .flatMap(n -> n.host().host().memory().allocations().stream())
                .filter(a -> a.name().endsWith(".socket"));
    }

    /** What there is before the first read: a connection of each machine to the manager, one of each node to the next; two ends each. */
    @Test
    void machinesDoNotConnectBeforeTheyAsk() {
        LoadWindow window = new LoadWindow(0, MS / 2);
        for (int scale : new int[] {1, 3}) {
            int nodes = 4 * scale;
            int clients = 6 * scale;
            StorageRun run = new StorageRun(spec(nodes, clients, 1, window, lines(64, true)));
            Cluster cluster = run.system().cluster();
            assertThat(connections(cluster)).hasSize(2 * (nodes + clients + nodes));
            LoadResult r = run.run();
            assertAllWell(r);
            long asked = (connections(cluster).count() - 2L * (nodes + clients + nodes)) / 2;
            // filling writes each key once, the end reads each once
            assertThat(asked).isBetween(1L, r.begun() + 2L * 5 * nodes);
        }
    }

    /** 180 nodes and 500 clients, in a process of its own that may not take 8 GB. The line is that of docs/storage-systems.md; 58 Tbit/s (6.6 TiB/s) were published. */
    @Test
    @EnabledIfSystemProperty(named = "clockwire.full", matches = "true")
    void theWholeOneRunsBetweenItsBounds() throws IOException, InterruptedException {
        String line =
                "storage run 3fs --op read --size 4194304 --payload sizes --provider soft --ssd media --media pm9a3"
                        + " --nodes 180 --chains 900 --keys 900 --disks 16 --clients 500 --depth 8 --node-gbps 400"
                        + " --client-gbps 200 --lossless --switch-buffer 512 --connect-on-use --warmup 3ms --duration 7ms"
                        + " --json";
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:+UseSerialGC",
                "-Xmx6g",
                "-cp",
                System.getProperty("java.class.path") + File.pathSeparator + System.getProperty("jdk.module.path", ""),
                "dev.clockwire.bench.cli.Main"));
        command.addAll(List.of(line.split(" ")));
        Process child = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        JsonNode d = new ObjectMapper().readTree(child.getInputStream());
        assertThat(child.waitFor()).isZero();
        assertThat(d.get("linearizable").asBoolean()).isTrue();
        assertThat(d.get("replicas_equal").asBoolean()).isTrue();
        assertBetweenBounds(d.get("throughput_gbps").asDouble(), 180, 500, 8);
    }
}
