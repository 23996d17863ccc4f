package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.clockwire.storage.check.HistoryText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StorageCommandTest {
    /** Bytes of the frame of an acknowledgement. */
    private static final long ACK = 66;

    @TempDir
    Path folder = Path.of("");

    private static CommandRunner storage(String line) {
        return clockwire(("storage run " + line).split(" "));
    }

    private static JsonNode json(String line) {
        return storage(line + " --json").json(0);
    }

    /** Messages, trips, and the bytes of the client as the model of their traffic computes them. */
    @ParameterizedTest
    @CsvSource({
        "3fs,write,4096,6,3,12,4610,334",
        "3fs-inline,write,4096,6,0,6,4606,256",
        "3fs-push,write,4096,6,3,6,4622,322",
        "3fs,read,4096,2,1,4,514,4430",
        "3fs,write,65536,6,3,12,66984,334",
        "3fs,read,65536,2,1,4,514,66800"
    })
    void aLoneOperationCostsWhatTheModelOfTrafficSays(
            String system, String op, int size, int sends, int oneSided, int trips, long out, long in) {
        JsonNode d = json(system + " --op " + op + " --size " + size + " --ops 1 --keys 1");
        JsonNode m = d.get("messages");
        assertThat(m.get("send").asInt()).isEqualTo(sends);
        assertThat(m.get("read").asInt() + m.get("write").asInt()).isEqualTo(oneSided);
        assertThat(d.get("one_way_trips").asInt()).isEqualTo(trips);
        JsonNode client = d.get("nic_bytes").get(4);
        assertThat(client.get("node").asText()).isEqualTo("client0");
        assertThat(client.get("tx").asLong()).isEqualTo(out);
        assertThat(client.get("rx").asLong()).isEqualTo(in);
        assertThat(d.get("linearizable").asBoolean()).isTrue();
    }

    @Test
    void sizesHaveUnits() {
        JsonNode d = json("ceph --provider soft --ssd media --op write --size 64KiB --chunk 1m --ops 1");
        assertThat(d.get("size").asInt()).isEqualTo(65_536);
    }

    @Test
    void aScheduleStrikesAtAStepOfTheProtocolAndNothingIsLost() {
        String[] line =
                "storage run 3fs --provider soft --ssd media --quick-timers --clients 2 --ops 40 --keys 2 --json --schedule"
                        .split(" ");
        String[] with = java.util.Arrays.copyOf(line, line.length + 1);
        with[line.length] = "node1:commit#1 crash restart=3ms";
        JsonNode d = clockwire(with).json(0);
        assertThat(d.get("linearizable").asBoolean()).isTrue();
        assertThat(d.get("lost_acked_writes").asLong()).isZero();
        assertThat(d.get("ops").asLong() + d.get("ops_failed").asLong()).isEqualTo(40);
        with[line.length] = "node1:comit#1 crash";
        clockwire(with).failsWith(3, "no step 'comit'; did you mean commit?");
    }

    /** Operations of the warm-up, and those that end too late, are no failures. */
    @Test
    void whatIsNotCountedIsNotSaidToHaveFailed() {
        String run = "storage run 3fs --provider soft --ssd media --quick-timers --seed 1 ";
        assertThat(clockwire((run + "--duration 2ms --warmup 2ms").split(" ")).text())
                .containsPattern(
                        "\\d+ operations ended well, 0 without success, [1-9]\\d* outside the time that counts\n");
        assertThat(clockwire((run + "--ops 5").split(" ")).text())
                .contains(": 5 operations ended well, 0 without success\n");
    }

    @Test
    void theSameSeedGivesTheSameTraceAndHistory() throws IOException {
        String line = "3fs --provider soft --ssd media --ops 60 --clients 3 --keys 3 --seed 4 --history ";
        JsonNode a = json(line + folder.resolve("a.jsonl"));
        JsonNode b = json(line + folder.resolve("b.jsonl"));
        assertThat(b.get("trace_hash")).isEqualTo(a.get("trace_hash"));
        String text = Files.readString(folder.resolve("a.jsonl"));
        assertThat(Files.readString(folder.resolve("b.jsonl"))).isEqualTo(text);
        assertThat(HistoryText.read(text).operations()).hasSize(63);
    }

    /** A write whose answer is lost comes again behind those of others: it must not be done twice. */
    @Test
    void aCrashWithLossLosesNothing() throws IOException {
        Path faults = folder.resolve("f.yaml");
        Files.writeString(faults, """
            faults:
              - {at_us: 300, crash: node1, restart_after_us: 3000}
              - {probability: 0.001, drop: frame}
            """);
        JsonNode d = json("3fs-push --op mix --clients 4 --ops 400 --keys 8 --seed 12 --faults " + faults);
        assertThat(d.get("linearizable").asBoolean())
                .as(d.get("verdict").asText())
                .isTrue();
        assertThat(d.get("lost_acked_writes").asInt()).isZero();
        assertThat(d.get("replicas_equal").asBoolean()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3fs --replicas 4 --nodes 3 | 4 replicas on 3 storage nodes: must be 1 to 3",
                "3fs --size 8192 --chunk 4096 | values of 8192 B in chunks of 4096 B: must be 512 to 4096",
                "3fs --read-rule comitted | unknown read rule 'comitted'; did you mean committed?",
                "3fs --notice imm | notice imm: the path pull pushes nothing to give notice of: only push does",
                "3fs-inline --forward nic | forward nic: the path inline pushes nothing that a NIC could send on: only"
                        + " push does",
                "3fs-inline --payload sizes | values ride in requests of 3fs-inline as bytes: --payload sizes has"
                        + " none; must be bytes",
                "3fs-push --notice imm --payload sizes | requests lie in slots as bytes with notice imm: --payload"
                        + " sizes has none; must be bytes",
                "daos --payload sizes | values of 4096 B ride in messages of DAOS as bytes, which --payload sizes has"
                        + " not: must be 19456 or more",
                "daos --notice imm | notice imm: daos has no such option; only 3fs, 3fs-inline, 3fs-push have",
                "daos --transmissions 4 | transmissions 4: daos has no such option; only 3fs, 3fs-inline, 3fs-push"
                        + " have",
                "ceph --batch 4 | batch 4: ceph has no such option; only 3fs, 3fs-inline, 3fs-push have",
                "3fs-push --slots 4 --clients 5 | 4 slots of a node with 7 writers (5 clients, 2 nodes): must be 9 or"
                        + " more",
                "3fs --slots 4 | slots 4: 3fs grants none; only 3fs-push does",
                "daos --disks 2 | daos: several disks, chains, their places and connections on first use are for 3fs"
                        + " only",
                "ceph --connect-on-use | ceph: several disks, chains",
                "3fs --places 0,1;1,2 | chain 1 has 2 targets: must be 3, one a replica",
                "3fs --places 0,1,2;2,0,2 | chain 2 names storage node 2 twice: one target a node",
                "3fs --places 0,1,3 | chain 1 names storage node 3: must be 0 to 2",
                "daos --places 0,1,2 | daos: several disks, chains, their places and connections",
                "ceph --targets 2 | targets 2: ceph has no engines; only daos has",
                "ceph --shards 2 | shards 2: ceph has no reactors; only ceph-crimson-rdma has",
                "daos --size 16m --ops 1 | values of 16777216 B: a DMA chunk of DAOS has 8388608 B",
                "3fs --duration 0 | duration of 0 ps: must be 1 to",
                "3fs --lossless --switch-buffer 1 --clients 60 | headroom",
                "3fs --clients 5 --ops 3 | 3 operations of 5 clients: each has one or more"
            })
    void whatCannotBeIsSaidInOneLine(String line, String message) {
        storage(line).failsWith(3, message);
    }

    /** A chain on chosen nodes: those that are not named carry nothing of it. */
    @Test
    void chainsStandOnChosenNodes() {
        JsonNode d = json("3fs --provider soft --ssd media --op write --nodes 4 --replicas 2 --ops 8 --keys 4"
                + " --places 3,1;1,3");
        JsonNode nics = d.get("nic_bytes");
        assertThat(nics.get(1).get("node").asText()).isEqualTo("node0");
        for (int i = 0; i < 4; i++) {
            assertThat(nics.get(1 + i).get("tx").asLong() > 0).as("node" + i).isEqualTo(i == 1 || i == 3);
        }
        assertThat(d.get("replicas_equal").asBoolean()).isTrue();
    }

    /** One target a node bounds small writes by its core; four do not. */
    @Test
    void targetsShareAnEnginesWork() {
        String line = "daos --provider soft --ssd media --op write --size 2048 --replicas 1 --nodes 1 --clients 3"
                + " --depth 16 --ops 1200 --keys 96 --targets ";
        assertThat(json(line + 4).get("throughput_gbps").asDouble())
                .isGreaterThan(2 * json(line + 1).get("throughput_gbps").asDouble());
    }

    @Test
    void reactorsShareAnOsdsGroups() {
        JsonNode d = json("ceph-crimson-rdma --provider soft --ssd media --clients 2 --ops 40 --keys 9 --shards 3");
        assertThat(d.get("linearizable").asBoolean()).isTrue();
        assertThat(d.get("replicas_equal").asBoolean()).isTrue();
    }

    @Test
    void readsInBatchesTakeFewerMessages() {
        String line = "3fs --provider soft --ssd media --op read --size 4096 --ops 480 --keys 64 --depth 48 --batch ";
        JsonNode one = json(line + 1);
        JsonNode many = json(line + 16);
        assertThat(one.get("messages").get("send").asInt()).isEqualTo(2 * 480);
        assertThat(many.get("messages").get("send").asInt()).isLessThan(2 * 480 / 3);
        assertThat(many.get("messages").get("write").asInt()).isEqualTo(480);
        assertThat(many.get("linearizable").asBoolean()).isTrue();
    }

    @Test
    void aPermitIsTwoMessagesAndTwoTrips() {
        JsonNode d = json("3fs --provider soft --ssd media --op read --size 4096 --ops 1 --keys 1 --transmissions 64");
        assertThat(d.get("messages").get("send").asInt()).isEqualTo(4);
        assertThat(d.get("one_way_trips").asInt()).isEqualTo(6);
    }

    @Test
    void aNicThatPassesOnCostsTheSameMessages() {
        JsonNode d = json("3fs-push --op write --size 4096 --ops 1 --keys 1 --forward nic");
        assertThat(d.get("messages").get("send").asInt()).isEqualTo(6);
        assertThat(d.get("messages").get("write").asInt()).isEqualTo(3);
        assertThat(d.get("one_way_trips").asInt()).isEqualTo(6);
        assertThat(d.get("linearizable").asBoolean()).isTrue();
        JsonNode article = storage(
                        "3fs-push --provider soft --ssd media --clients 2 --ops 20 --keys 1 --forward article --json")
                .json(1);
        assertThat(article.get("differences").toString()).contains("DUR-3");
    }

    @Test
    void anUnknownNoticeIsNamed() {
        storage("3fs-push --forward nick").failsWith(2, "unknown forwarder 'nick'; did you mean nic?");
        storage("3fs-push --notice im").failsWith(2, "unknown notice 'im'; did you mean imm?");
        storage("3fs --transmissions -1").failsWith(2, "--transmissions -1 is outside its range 0 to 4096");
        storage("3fs --batch 129").failsWith(2, "--batch 129 is outside its range 1 to 128 reads");
        storage("3fs-push --slots 70000").failsWith(2, "--slots 70000 is outside its range 1 to 65536");
    }

    /** A run leaves what other commands leave, and the command that makes it again. */
    @Test
    void aRunLeavesItsFiles() throws IOException {
        Path out = folder.resolve("out");
        String line = "3fs --op write --ops 4 --keys 2 --seed 3 --waves node0.nic@1us..2us --out ";
        storage(line + out + " --history " + folder.resolve("h.jsonl")).output();
        try (var files = Files.list(out)) {
            assertThat(files.map(f -> f.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "capture.pcapng",
                            "latency.hgrm",
                            "operations.json",
                            "series.csv",
                            "stats.json",
                            "timeline.perfetto-trace",
                            "waves.vcd");
        }
        assertThat(Files.readString(out.resolve("stats.json")))
                .contains("\"clockwire storage run 3fs --op write --ops 4 --keys 2 --seed 3\"");
        JsonNode d = clockwire("pcap", "decode", out.resolve("capture.pcapng").toString(), "--json")
                .json(0);
        assertThat(d.get("roce_frames").asInt()).isGreaterThan(100);
        assertThat(d.get("icrc_bad").asInt() + d.get("malformed").asInt()).isZero();
        Path again = folder.resolve("again");
        storage(line + again).output();
        for (String file :
                List.of("capture.pcapng", "latency.hgrm", "operations.json", "series.csv", "stats.json", "waves.vcd")) {
            assertThat(again.resolve(file)).hasSameBinaryContentAs(out.resolve(file));
        }
        storage("3fs --waves node0").failsWith(2, "--waves needs --out DIR");
        storage("3fs --capture-limit 1m").failsWith(2, "--capture-limit needs --out DIR");
        storage("3fs --ops 1 --waves node7.nic --out " + folder.resolve("no")).failsWith(3, "no scope node7.nic");
        assertThat(folder.resolve("no")).doesNotExist();
    }

    @Test
    void whatIsGoneForGoodIsSaid() {
        JsonNode d = json("3fs --provider soft --ssd media --quick-timers --clients 2 --ops 40 --keys 4 --faults "
                + faults("{at_us: 300, crash: node1}"));
        assertThat(d.get("gone").toString()).isEqualTo("[\"node1\"]");
        assertThat(d.get("gave_up").isNull()).isTrue();
        assertThat(d.get("replicas_equal").asBoolean()).isTrue();
    }

    /** The manager hears nothing of a node for longer than it has patience, and the node serves nobody then, until its chain goes on without it: a quarter of the time at least. */
    @Test
    void aPartitionOfAFaultFileIsNoticed() {
        String line = "3fs --provider soft --ssd media --quick-timers --duration 30ms --keys 4 --seed 2 --faults ";
        JsonNode d = json(line + faults("{partition: [node0, mgmt0], at_us: 300, for_us: 20000}"));
        assertThat(d.get("linearizable").asBoolean()).isTrue();
        assertThat(d.get("lost_acked_writes").asLong()).isZero();
        assertThat(d.get("replicas_equal").asBoolean()).isTrue();
        assertThat(d.get("ops").asInt())
                .as("a node that hears no manager for 6 ms serves nobody")
                .isLessThan(json(line.replace(" --faults ", "")).get("ops").asInt() * 3 / 4);
        assertThat(d.get("overheads").has("resync")).isTrue();
    }

    /** A step of the protocol in a fault file is the same as in a schedule. */
    @Test
    void aStepOfAFaultFileStrikesAsInASchedule() {
        String line = "daos --provider soft --ssd media --quick-timers --clients 2 --ops 40 --keys 4 --faults "
                + faults("{crash: node1, at_event: prepared, of: node0, nth: 2, restart_after_us: 1000}");
        JsonNode d = json(line);
        assertThat(d.get("replicas_equal").asBoolean()).isTrue();
        assertThat(d.get("overheads").has("dtx.resync") || d.get("overheads").has("rebuild"))
                .isTrue();
        storage("daos --ops 4 --faults " + faults("{crash: node1, at_event: committ}"))
                .failsWith(3, "unknown event 'committ'; did you mean commit?");
    }

    private Path faults(String... entries) {
        try {
            return Files.writeString(
                    folder.resolve("faults.yaml"), "faults:\n  - " + String.join("\n  - ", entries) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As many packets as with a SEND, one message and its acknowledgement less on each hop, and the four bytes of immediate data more. */
    @Test
    void aNoticeWithImmediateDataSavesASendOnEachHop() {
        JsonNode d = json("3fs-push --op write --size 4096 --ops 1 --keys 1 --notice imm");
        assertThat(d.get("messages").get("send").asInt()).isEqualTo(3);
        assertThat(d.get("messages").get("write").asInt()).isEqualTo(3);
        assertThat(d.get("messages").get("imm").asInt()).isEqualTo(3);
        assertThat(d.get("one_way_trips").asInt()).isEqualTo(6);
        assertThat(d.get("nic_bytes").get(4).get("tx").asLong()).isEqualTo(4622 + 4);
        assertThat(d.get("nic_bytes").get(4).get("rx").asLong()).isEqualTo(322 - ACK);
    }

    /** Pushing saves six trips of a write, whatever its size. */
    @Test
    void theComparisonShowsWhatPushingSaves() {
        JsonNode rows = clockwire(
                        "storage",
                        "compare",
                        "--systems",
                        "3fs,3fs-push",
                        "--sizes",
                        "4096",
                        "--clients",
                        "2",
                        "--json")
                .json(0)
                .get("rows");
        assertThat(rows).hasSize(4);
        JsonNode pull = rows.get(0);
        JsonNode push = rows.get(2);
        assertThat(pull.get("op").asText()).isEqualTo("write");
        assertThat(pull.get("wire").get("trips").asInt()
                        - push.get("wire").get("trips").asInt())
                .isEqualTo(6);
        assertThat(push.get("alone_us").asDouble())
                .isLessThan(pull.get("alone_us").asDouble());
    }

    /** The table says what each frame was for; file and picture have every row. */
    @Test
    void theComparisonIsATableAFileAndAPicture() throws IOException {
        Path csv = folder.resolve("rows.csv");
        Path svg = folder.resolve("rows.svg");
        String text = clockwire(
                        "storage",
                        "compare",
                        "--systems",
                        "daos",
                        "--sizes",
                        "4096",
                        "--clients",
                        "1,2",
                        "--csv",
                        csv.toString(),
                        "--plot",
                        svg.toString())
                .output();
        assertThat(text)
                .contains("10236/5694")
                .contains("alone us")
                .doesNotContain("beside it")
                .doesNotContain("not as computed");
        List<String> lines = Files.readAllLines(csv);
        assertThat(lines).hasSize(1 + 4);
        assertThat(lines.get(1)).startsWith("daos,write,4096,6,0,4,4926,384,");
        assertThat(Files.readString(svg))
                .contains("write, one client: median latency")
                .contains("read of 4 KiB: Gbit/s over clients");
        clockwire("storage", "compare", "--csv", folder.resolve("no/where.csv").toString())
                .failsWith(3, "no such directory");
    }

    @Test
    void aDiagramNeedsAFewOperationsAndAForm() {
        String file = folder.resolve("x.svg").toString();
        clockwire("storage", "run", "3fs", "--ops", "1", "--op", "write", "--diagram", file)
                .text();
        assertThat(folder.resolve("x.svg")).content().contains("SEND: WRITE, 320 B (1)");
        clockwire(
                        "storage",
                        "run",
                        "3fs",
                        "--ops",
                        "1",
                        "--diagram",
                        folder.resolve("x.png").toString())
                .failsWith(3, ".svg, .txt or .mmd");
        clockwire("storage", "run", "3fs", "--ops", "101", "--diagram", file).failsWith(2, "1 to 100");
    }

    @Test
    void whatASystemDoesNotHaveIsRefused() {
        clockwire("storage", "run", "3fs", "--mr-cache").failsWith(3, "only daos");
        clockwire("storage", "run", "daos", "--polling-us", "0").failsWith(3, "only ceph");
    }

    @Test
    void anUnknownSystemIsNoRow() {
        clockwire("storage", "compare", "--systems", "3fs,3fs-pusch").failsWith(2, "did you mean 3fs-push?");
    }

    /** An option outside its range is a mistake of the command line, as in every other command, and named as it is typed. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3fss | unknown storage system '3fss'; did you mean 3fs?",
                "3fs --size 0 | --size 0 is outside its range 512 to 67108864",
                "3fs --size 513 | --size 513: must be a multiple of 512",
                "3fs --size 4x | size 4x: expected a whole number such as 4096 or 4k",
                "3fs --size 128MiB | --size 128MiB is outside its range 512 to 67108864",
                "3fs --size 1g | --size 1g is outside its range 512 to 67108864",
                "3fs --chunk 1g | --chunk 1g is outside its range 512 to 67108864",
                "3fs --duration 1ms --ops 5 | --ops 5 and --duration 1ms: a run ends after operations or after a time",
                "3fs --chunk 1 | --chunk 1 is outside its range 512 to 67108864",
                "ceph --osd-us -1 | --osd-us -1 is outside its range 0 to 10000",
                "ceph --polling-us -1 | --polling-us -1 is outside its range 0 to 100000000",
                "3fs --chunk -512 | --chunk -512 is outside its range 0 to 67108864",
                "3fs --chunk 2147483647 | --chunk 2147483647 is outside its range 512 to 67108864",
                "3fs --nodes -1 | --nodes -1 is outside its range 0 to 1024",
                "3fs --keys 0 | --keys 0 is outside its range 1 to 10000000",
                "3fs --ops 0 | --ops 0 is outside its range 1 to 100000000",
                "3fs --depth 0 | --depth 0 is outside its range 1 to 1024",
                "3fs --reads 101 | --reads 101 is outside its range 0 to 100 percent",
                "3fs --node-gbps 0.000001 | --node-gbps 0.000001 is outside its range 1 to 1600 Gbit/s",
                "3fs --client-gbps -1 | --client-gbps -1 is outside its range 1 to 1600 Gbit/s",
                "3fs --places 0,1,x | --places 0,1,x: expected numbers of nodes",
                "3fs --places 0,1,2 --chains 2 | --chains 2: --places names 1",
                "daos --targets 33 | --targets 33 is outside its range 1 to 32",
                "ceph-crimson-rdma --shards 0 | --shards 0 is outside its range 1 to 64",
                "3fs --warmup 1ms | --warmup 1ms goes with --duration only",
                "3fs --duration 1ms --ops 5 --diagram x.txt | --diagram x.txt goes with --ops, not with --duration"
            })
    void anOptionOutsideItsRangeIsAMistakeOfTheCommandLine(String line, String message) {
        storage(line).failsWith(2, message);
    }

    @Test
    void aRuleOfReadsIsOf3fs() {
        storage("ceph --read-rule dirty").failsWith(3, "--read-rule dirty: ceph has none; only 3fs");
    }

    @Test
    void filesAreLookedAtBeforeTheRunAndNoneIsWrittenTwice() throws IOException {
        String one = folder.resolve("one.txt").toString();
        Path faults = Files.writeString(folder.resolve("f.yaml"), "faults: []\n");
        storage("3fs --ops 4 --history " + one + " --diagram " + one).failsWith(3, "is the file of --diagram, too");
        storage("3fs --ops 4 --faults " + faults + " --history " + folder.resolve("./f.yaml"))
                .failsWith(3, "is the file of --faults, too");
        storage("3fs --ops 100000000 --history " + folder.resolve("no/where")).failsWith(3, "no such directory");
        clockwire("storage", "compare", "--csv", one, "--plot", one).failsWith(3, "is the file of --plot, too");
        clockwire("storage", "compare", "--sizes", "4096,513").failsWith(2, "--sizes 513: must be multiples of 512");
        clockwire("storage", "compare", "--sizes", "4k,1g").failsWith(2, "--sizes 1g is outside its range 512");
        assertThat(folder.resolve("one.txt")).doesNotExist();
        assertThat(faults).hasContent("faults: []");
    }

    /** Programs of clients and of the manager are begun once: a run would wait for them ten simulated minutes. */
    @ParameterizedTest
    @ValueSource(strings = {"crash: client0", "restart: mgmt0", "reset: client0"})
    void onlyStorageNodesComeBack(String what) throws IOException {
        Path faults = Files.writeString(folder.resolve("f.yaml"), "faults:\n  - {at_us: 100, " + what + "}\n");
        storage("3fs --provider soft --ssd media --ops 4 --faults " + faults)
                .failsWith(3, "only storage nodes (node0...) come back from that");
    }

    @Test
    void whatNeverStrikesIsSaid() throws IOException {
        Path faults = Files.writeString(
                folder.resolve("f.yaml"),
                "faults:\n  - {at_us: 90000000, crash: node1}\n  - {at_us: 90000000, disk: {error: node0}}\n");
        String[] line = "storage run 3fs --provider soft --ssd media --ops 4 --json --schedule x --faults".split(" ");
        String[] with = java.util.Arrays.copyOf(line, line.length + 1);
        with[line.length] = faults.toString();
        with[line.length - 2] = "node0:commit#999 crash";
        CommandRunner run = clockwire(with);
        assertThat(run.document().get("linearizable").asBoolean()).isTrue();
        assertThat(run.notes())
                .contains("Fault 1 (crash")
                .contains("Fault 2 (")
                .contains("schedule: 'node0:commit#999 crash' never struck");
    }

    /** An engine that is begun anew and cannot reach the manager has transactions and no pool map. */
    @Test
    void anEngineWithoutAPoolMapWaitsForOne() {
        String[] line =
                "storage run daos --op write --ops 20 --keys 1 --provider soft --ssd media --quick-timers --json --schedule"
                        .split(" ");
        String[] with = java.util.Arrays.copyOf(line, line.length + 1);
        with[line.length] = "node1:prepared#1 crash restart=1ms; node1:prepared#1 link for=60ms on=mgmt0";
        JsonNode d = clockwire(with).json(0);
        assertThat(d.get("linearizable").asBoolean()).isTrue();
        assertThat(d.get("lost_acked_writes").asLong()).isZero();
        assertThat(d.get("replicas_equal").asBoolean()).isTrue();
    }

    /** Whoever records a run and follows its operations sees the same run: when each was called and answered, too. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "3fs-push --schedule node1:forward#4@crash@restart=1ms --quick-timers",
                "daos --depth 2",
                "ceph --provider soft --clients 2"
            })
    void aRecordedRunIsTheSame(String line) throws IOException {
        List<JsonNode> results = new ArrayList<>();
        List<String> histories = new ArrayList<>();
        for (String out : List.of("", "--out " + folder.resolve("run"))) {
            Path history = folder.resolve("history.jsonl");
            String[] words = ("storage run " + line + " --ops 40 --keys 4 --json --history " + history + " " + out)
                    .trim()
                    .split(" ");
            for (int i = 0; i < words.length; i++) {
                words[i] = words[i].replace('@', ' ');
            }
            JsonNode d = clockwire(words).json(0);
            // what a run costs, not what happens in it
            ((ObjectNode) d).remove(List.of("cpu_s", "events"));
            results.add(d);
            histories.add(Files.readString(history));
        }
        assertThat(results.get(1)).isEqualTo(results.get(0));
        assertThat(histories.get(1)).isEqualTo(histories.get(0));
    }
}
