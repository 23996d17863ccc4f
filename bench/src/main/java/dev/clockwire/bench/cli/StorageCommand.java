package dev.clockwire.bench.cli;

import dev.clockwire.bench.artefact.Provenance;
import dev.clockwire.bench.fault.FaultPlaces;
import dev.clockwire.bench.storage.StorageFiles;
import dev.clockwire.bench.storage.StorageRun;
import dev.clockwire.bench.storage.StorageSpec;
import dev.clockwire.bench.storage.StorageSystems;
import dev.clockwire.bench.storage.diagram.LadderFile;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.check.HistoryText;
import dev.clockwire.storage.cluster.FaultSchedule;
import dev.clockwire.storage.load.LoadResult;
import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.load.LoadWindow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code storage}: replicated storage systems. */
@Command(name = "storage", description = "Run replicated storage systems on simulated NICs and SSDs.")
final class StorageCommand extends CommandGroup {
    StorageCommand() {}

    /** {@code storage run}. */
    @Command(
            name = "run",
            description =
                    "Run one system under a load: latency, messages, one-way trips, and whether anything was lost;"
                            + " exit code 1 if something was.")
    static final class Run extends ClockwireTask {
        /** What cannot change the trace. */
        private static final Set<String> SILENT = Set.of(
                "--payload",
                "--out",
                "--waves",
                "--from",
                "--to",
                "--ring",
                "--capture-limit",
                "--json",
                "--history",
                "--diagram");

        private static final int USUAL_READS = 50;
        private static final int LEAST_SIZE = 512;
        private static final int MOST_SIZE = 64 << 20;

        @Parameters(
                paramLabel = "SYSTEM",
                converter = SystemConverter.class,
                description = "3fs, 3fs-push, 3fs-inline, daos, ceph, ceph-crimson-rdma.")
        private String system = "";

        @Option(
                names = "--op",
                paramLabel = "KIND",
                converter = OpConverter.class,
                defaultValue = "mix",
                description = "write, read or mix (default: ${DEFAULT-VALUE}).")
        private LoadSpec.Op op = LoadSpec.Op.MIX;

        @Option(
                names = "--size",
                paramLabel = "BYTES",
                converter = ByteSize.Converter.class,
                defaultValue = "4096",
                description = "Bytes of a value, a multiple of 512, such as 4096 or 64k (default: ${DEFAULT-VALUE}).")
        private ByteSize size = ByteSize.of(4096);

        @Option(
                names = "--replicas",
                paramLabel = "N",
                defaultValue = "3",
                description = "Copies of each value (default: ${DEFAULT-VALUE}).")
        private int replicas = 3;

        @Option(names = "--nodes", paramLabel = "N", description = "Storage nodes (default: one a replica).")
        private int nodes;

        @Option(
                names = "--clients",
                paramLabel = "N",
                defaultValue = "1",
                description = "Machines that ask (default: ${DEFAULT-VALUE}).")
        private int clients = 1;

        @Option(
                names = "--ops",
                paramLabel = "N",
                defaultValue = "1000",
                description = "Operations of all clients together (default: ${DEFAULT-VALUE}).")
        private int ops = 1000;

        @Option(
                names = "--duration",
                paramLabel = "TIME",
                defaultValue = "",
                description = "How long clients are busy, in place of --ops, such as 10ms.")
        private String duration = "";

        @Option(
                names = "--warmup",
                paramLabel = "TIME",
                defaultValue = "0",
                description = "How long before that they are busy without being counted (default: ${DEFAULT-VALUE}).")
        private String warmup = "0";

        @Option(
                names = "--keys",
                paramLabel = "N",
                defaultValue = "64",
                description = "Values that they work on (default: ${DEFAULT-VALUE}).")
        private int keys = 64;

        @Option(
                names = "--depth",
                paramLabel = "N",
                defaultValue = "1",
                description = "Operations that a client has under way (default: ${DEFAULT-VALUE}).")
        private int depth = 1;

        @Option(
                names = "--reads",
                paramLabel = "PERCENT",
                defaultValue = "50",
                description = "Share of reads in a mix (default: ${DEFAULT-VALUE}).")
        private int reads = 50;

        @Option(
                names = "--chunk",
                paramLabel = "BYTES",
                converter = ByteSize.Converter.class,
                description = "Largest value (default: --size).")
        private ByteSize chunk = ByteSize.of(0);

        @Option(
                names = "--read-rule",
                paramLabel = "RULE",
                defaultValue = "reject",
                description = "What a reader gets while a version is pending: reject, committed, tail-query, dirty"
                        + " (default: ${DEFAULT-VALUE}).")
        private String rule = "reject";

        @Option(
                names = "--quick-timers",
                description = "Silence counts after 12 ms, not after the minute of the real system.")
        private boolean quick;

        @Option(
                names = "--media",
                paramLabel = "NAME",
                defaultValue = "p5800x",
                description = "What the SSDs are (default: ${DEFAULT-VALUE}).")
        private String media = "p5800x";

        @Option(
                names = "--payload",
                paramLabel = "MODE",
                converter = PayloadConverter.class,
                defaultValue = "bytes",
                description = "bytes or sizes (default: ${DEFAULT-VALUE}).")
        private PayloadMode payload = PayloadMode.BYTES;

        @Option(
                names = "--schedule",
                paramLabel = "LINE",
                description = "What goes wrong at which step of the protocol, as 'node1:commit#1 crash restart=3ms;"
                        + " node0:forward#2 link for=5ms on=client0'.")
        private String schedule = "";

        @Option(
                names = "--history",
                paramLabel = "FILE.jsonl",
                description = "Write every operation there, a line each.")
        private @Nullable Path history;

        @Mixin
        private TransferOptions moves = new TransferOptions();

        @Mixin
        private SoftwareOptions software = new SoftwareOptions();

        @Option(
                names = "--diagram",
                paramLabel = "FILE",
                description = "Draw the messages of at most 100 operations there: FILE.svg, FILE.txt, or FILE.mmd for"
                        + " Mermaid.")
        private @Nullable Path diagram;

        @Mixin
        private FaultOption faults = new FaultOption();

        @Mixin
        private HardwareOptions hardware = new HardwareOptions();

        @Mixin
        private ClusterOptions machines = new ClusterOptions();

        @Mixin
        private ScaleOptions scale = new ScaleOptions();

        @Mixin
        private OutOptions files = new OutOptions();

        @Mixin
        private CaptureOption capture = new CaptureOption();

        @Mixin
        private JsonOption json = new JsonOption();

        @Spec
        private @Nullable CommandSpec command;

        Run(Console console) {
            super(console);
        }

        /** Reads the name of a kind of load. */
        static final class OpConverter extends EnumConverter<LoadSpec.Op> {
            OpConverter() {
                super("operation", LoadSpec.Op.values());
            }
        }

        /** Checks the name of a system. */
        static final class SystemConverter implements ITypeConverter<String> {
            SystemConverter() {}

            @Override
            public String convert(String text) {
                if (!StorageSystems.isKnown(text)) {
                    throw CliException.unknown("storage system", text, StorageSystems.names());
                }
                return text;
            }
        }

        /** Reads the name of a payload mode. */
        static final class PayloadConverter extends EnumConverter<PayloadMode> {
            PayloadConverter() {
                super("payload mode", PayloadMode.values());
            }
        }

        private void checkRanges() {
            files.check();
            capture.check(files.out().isPresent(), "--out DIR");
            size.in("--size", LEAST_SIZE, MOST_SIZE, "");
            if (size.bytes() % LEAST_SIZE != 0) {
                throw CliException.usage("--size " + size.typed() + ": must be a multiple of " + LEAST_SIZE);
            }
            Range.check("--replicas", replicas, 1, 1024, "");
            Range.check("--nodes", nodes, 0, 1024, "");
            Range.check("--clients", clients, 1, 4096, "");
            Range.check("--ops", ops, 1, 100_000_000, "");
            Range.check("--keys", keys, 1, 10_000_000, "");
            Range.check("--depth", depth, 1, 1024, "");
            Range.check("--reads", reads, 0, 100, "percent");
            chunk.in("--chunk", chunk.bytes() > 0 ? LEAST_SIZE : 0, MOST_SIZE, "");
            checkLength();
            if (!system.startsWith("3fs") && !rule.equals("reject")) {
                throw CliException.input(
                        "--read-rule " + rule + ": " + system + " has none; only 3fs, 3fs-inline," + " 3fs-push have");
            }
        }

        private void checkLength() {
            if (duration.isEmpty() && TimeText.toPs("--warmup", warmup) != 0) {
                throw CliException.usage("--warmup " + warmup + " goes with --duration only: --ops counts all");
            }
            if (!duration.isEmpty() && diagram != null) {
                throw CliException.usage("--diagram " + diagram + " goes with --ops, not with --duration");
            }
            boolean counted = Objects.requireNonNull(command)
                    .commandLine()
                    .getParseResult()
                    .hasMatchedOption("--ops");
            if (!duration.isEmpty() && counted) {
                throw CliException.usage("--ops " + ops + " and --duration " + duration
                        + ": a run ends after operations or after a time, give one of them");
            }
        }

        /** Asked before the run, not behind it. */
        private void checkFiles() {
            Path lines = history;
            Path picture = diagram;
            if (picture != null) {
                Range.check("--ops of a --diagram", ops, 1, 100, "");
                WholeFile.directory("--diagram", picture);
                LadderFile.of(picture);
            }
            if (lines != null) {
                WholeFile.directory("--history", lines);
            }
            WholeFile.different("--history", lines, "--diagram", picture);
            WholeFile.different("--history", lines, "--faults", faults.file());
            WholeFile.different("--diagram", picture, "--faults", faults.file());
        }

        private LoadSpec load() {
            LoadSpec counted = new LoadSpec(op, (int) size.bytes(), ops, keys, depth, reads);
            return duration.isEmpty()
                    ? counted
                    : counted.withWindow(
                            new LoadWindow(TimeText.toPs("--warmup", warmup), TimeText.toPs("--duration", duration)));
        }

        @Override
        public Integer call() throws IOException {
            checkRanges();
            checkFiles();
            int storage = nodes == 0 ? replicas : nodes;
            LoadSpec load = load();
            StorageSpec spec = new StorageSpec(
                    system,
                    ProfileChoice.of(hardware.profile(), hardware.overrides()),
                    hardware.seed(),
                    machines.isSoft(),
                    payload,
                    machines.disk(),
                    media,
                    replicas,
                    storage,
                    clients,
                    (int) (chunk.bytes() == 0 ? size : chunk).bytes(),
                    software.spec()
                            .withRule(rule)
                            .withTransfer(moves.transfer(), moves.slots())
                            .withQuick(quick),
                    load,
                    faults.plan(places(storage)),
                    FaultSchedule.parse(schedule),
                    scale.spec(),
                    files.out().isEmpty() || machines.isSoft() ? 0 : StorageFiles.STAMPS);
            if (files.out().isPresent()) {
                try (OutputDirectory out = OutputDirectory.at(files.out().get())) {
                    int code = recorded(spec, out);
                    if (code == ExitCode.INTERRUPTED) {
                        out.keepInterrupted();
                    } else {
                        out.keep();
                    }
                    return code;
                }
            }
            StorageRun run = new StorageRun(spec);
            return finish(run, ran(run));
        }

        private int recorded(StorageSpec spec, OutputDirectory out) throws IOException {
            String typed = TypedCommand.of(Objects.requireNonNull(command), SILENT);
            Provenance source = Version.provenance(typed, spec.profile(), hardware.seed());
            try (StorageFiles recorder = new StorageFiles(out.file(""), source, files.waveChoice(), capture.bytes())) {
                StorageRun run = new StorageRun(spec, recorder);
                run.observe(recorder::observe);
                LoadResult r = new LastMoments(console(), out).of(recorder::salvage, () -> ran(run));
                recorder.finish(r, run.system().order()).forEach(console()::note);
                return finish(run, r);
            }
        }

        private LoadResult ran(StorageRun run) {
            run.stopWhen(Interrupt::requested);
            run.tell(console()::note);
            Path picture = diagram;
            if (picture == null) {
                return run.run();
            }
            LadderFile kind = LadderFile.of(picture);
            StorageRun.Drawn drawn = run.draw();
            WholeFile.write("--diagram", picture, kind.write(drawn.ladder()));
            return drawn.result();
        }

        private int finish(StorageRun run, LoadResult r) {
            Path to = history;
            if (to != null) {
                WholeFile.write("--history", to, HistoryText.write(r.history()));
            }
            run.idleFaults().forEach(console()::note);
            new Idle()
                    .option("--reads", reads != USUAL_READS, op == LoadSpec.Op.MIX, "nothing is mixed", "add --op mix")
                    .remark(r.begun() == 0, "no operation began within --duration " + duration)
                    .tell(console());
            StorageReport report = new StorageReport(
                    system,
                    op,
                    (int) size.bytes(),
                    replicas,
                    clients,
                    !quick && (faults.file() != null || !schedule.isEmpty()));
            if (json.wanted()) {
                console().json(report.document(hardware.profile(), hardware.seed(), run, r));
            } else {
                report.lines(run, r).forEach(console()::line);
            }
            if (run.isInterrupted()) {
                console().note("interrupted: the results are of what had begun by then");
                return ExitCode.INTERRUPTED;
            }
            return r.isSafe() ? ExitCode.OK : ExitCode.CHECK_FAILED;
        }

        private FaultPlaces places(int storage) {
            Map<String, String> names = new TreeMap<>();
            List<String> links = new ArrayList<>();
            List<String> hosts = new ArrayList<>(List.of("mgmt0"));
            for (int i = 0; i < storage; i++) {
                hosts.add("node" + i);
            }
            for (int i = 0; i < clients; i++) {
                hosts.add("client" + i);
            }
            hosts.forEach(h -> {
                names.put(h, h);
                links.add(h + "-switch");
            });
            return new FaultPlaces(
                    names,
                    links,
                    Set.of(
                            NodeFault.CRASH,
                            NodeFault.RESTART,
                            NodeFault.PAUSE,
                            NodeFault.RESET,
                            NodeFault.DISK_SLOW,
                            NodeFault.DISK_ERROR),
                    StorageSystems.steps(system));
        }
    }
}
