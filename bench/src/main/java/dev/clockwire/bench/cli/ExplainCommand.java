package dev.clockwire.bench.cli;

import dev.clockwire.bench.artefact.Provenance;
import dev.clockwire.bench.artefact.RunFiles;
import dev.clockwire.bench.explain.TailText;
import dev.clockwire.bench.explain.WaterfallText;
import dev.clockwire.bench.fault.FaultPlaces;
import dev.clockwire.bench.fault.FaultReport;
import dev.clockwire.bench.perftest.BufferKind;
import dev.clockwire.bench.perftest.CommandText;
import dev.clockwire.bench.perftest.OperationResult;
import dev.clockwire.bench.perftest.OperationRun;
import dev.clockwire.bench.perftest.PerftestSpec;
import dev.clockwire.bench.perftest.Tool;
import dev.clockwire.bench.perftest.Verb;
import dev.clockwire.bench.text.Count;
import dev.clockwire.roce.transport.QpType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code explain OP}: where the time of one operation goes. */
@Command(name = "explain", description = "Show where the time of one operation goes, stage by stage.")
final class ExplainCommand extends ClockwireTask {
    private static final int FRAMES_SHOWN = 20;
    /** Time between looks at links at first: an operation takes some hundred of them. */
    private static final long LOOK_PS = 10_000;

    private static final long TAIL_RUN = 1000;

    @Parameters(paramLabel = "OP", converter = VerbConverter.class, description = "write, read, send or atomic.")
    private Verb verb = Verb.WRITE;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            converter = ByteSize.MessageConverter.class,
            description = "Message size, such as 4096, 64K or 1M (default: 2; atomic 8).")
    private @Nullable ByteSize size;

    @Option(
            names = {"-c", "--connection"},
            paramLabel = "RC|UC|UD",
            defaultValue = "RC",
            converter = PerftestOptions.ConnectionConverter.class,
            description = "Transport service (default: ${DEFAULT-VALUE}).")
    private QpType connection = QpType.RC;

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            description = "Path MTU (default: that of the profile).")
    private @Nullable Integer mtu;

    @Option(
            names = {"-I", "--inline_size"},
            paramLabel = "BYTES",
            description = "Largest inline message (default: 0).")
    private @Nullable Integer inline;

    @Option(names = "--ipv6", description = "Frames over IPv6.")
    private boolean ipv6;

    @Option(
            names = "--device-memory",
            description = "What is sent lies in the memory of the NIC: no payload DMA. SEND and WRITE only.")
    private boolean deviceMemory;

    @Option(
            names = "--rate_limit",
            paramLabel = "GBPS",
            description =
                    "The device paces the queue pair to this rate in Gb/s, headers included. SEND and WRITE only.")
    private @Nullable Double rateLimit;

    @Option(
            names = "--burst_size",
            paramLabel = "MESSAGES",
            description = "Messages that may leave at once after a rest, with --rate_limit (default: 64 KiB).")
    private @Nullable Long burstSize;

    @Option(
            names = "--tail",
            description =
                    "Explain the slowest operation of a run instead of the first, and why the slow ones were slower"
                            + " than the median.")
    private boolean tail;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            description = "With --tail: operations of the run (default: 1000).")
    private @Nullable Long iterations;

    @Mixin
    private FaultOption faults = new FaultOption();

    @Mixin
    private RunOptions run = new RunOptions();

    ExplainCommand(Console console) {
        super(console);
    }

    private static final class VerbConverter extends EnumConverter<Verb> {
        VerbConverter() {
            super("operation", Verb.values());
        }
    }

    @Override
    public Integer call() throws IOException {
        PerftestSpec spec = spec().with(faults.plan(FaultPlaces.twoHosts()));
        run.check();
        OperationRun operation = new OperationRun(spec);
        run.complain(console(), new Idle(), spec.profile(), PerftestIdle.parts(spec));
        OperationResult result;
        try {
            result = run.out().isPresent()
                    ? recorded(operation, spec, run.out().get())
                    : operation.run(Interrupt::requested);
        } catch (CancellationException e) {
            console().note("interrupted: nothing is explained");
            return ExitCode.INTERRUPTED;
        }
        faults.complain(console(), List.of(FaultReport.of(operation.lab().faults())));
        if (run.json()) {
            console()
                    .json(new JsonDocument("explain")
                            .with("profile", spec.profile().name())
                            .with("seed", spec.seed())
                            .withAll(result));
        } else {
            print(spec, result);
        }
        return ExitCode.OK;
    }

    private OperationResult recorded(OperationRun operation, PerftestSpec spec, Path directory) throws IOException {
        String command = CommandText.explain(spec, run.overridesText() + faults.text());
        Provenance source = Version.provenance(command, spec.profile(), spec.seed());
        try (OutputDirectory out = OutputDirectory.at(directory)) {
            try (RunFiles files = new RunFiles(operation.lab(), out.file(""), source, run.waveChoice())) {
                files.sampled(LOOK_PS, List.of());
                OperationResult result =
                        new LastMoments(console(), out).of(files::salvage, () -> operation.run(Interrupt::requested));
                files.finish(operation.latenciesPs(), 1, operation.waterfalls(), operation.operations());
                files.remarks().forEach(console()::note);
                out.keep();
                return result;
            }
        }
    }

    private PerftestSpec spec() {
        if (iterations != null && !tail) {
            throw CliException.usage("-n needs --tail: otherwise one operation is run");
        }
        PerftestOptions options = new PerftestOptions();
        options.size = size == null && verb != Verb.ATOMIC ? ByteSize.of(2) : size;
        options.connection = connection;
        options.mtu = mtu;
        options.inline = inline == null ? Integer.valueOf(0) : inline;
        options.ipv6 = ipv6;
        if (deviceMemory && verb.isRoundTrip()) {
            throw CliException.usage("--device-memory is for SEND and WRITE: the peer's memory is read by the others");
        }
        options.deviceMemory = deviceMemory;
        if (rateLimit != null && verb.isRoundTrip()) {
            throw CliException.usage("--rate_limit is for SEND and WRITE: the data of the others leave at the peer");
        }
        options.rateLimit = rateLimit;
        options.burstSize = burstSize;
        options.iterations = tail ? (iterations == null ? Long.valueOf(TAIL_RUN) : iterations) : Long.valueOf(1);
        options.txDepth = 1;
        options.rxDepth = 1;
        // bandwidth tools leave their buffers alone, as one operation does
        Tool tool = verb.isRoundTrip()
                ? (verb == Verb.READ ? Tool.READ_LAT : Tool.ATOMIC_LAT)
                : verb == Verb.WRITE ? Tool.WRITE_BW : Tool.SEND_BW;
        return new PerftestResolver(tool, options, EnumConverter.name(verb)).resolve(run, null);
    }

    private void print(PerftestSpec spec, OperationResult r) {
        console()
                .line(String.format(
                        Locale.ROOT,
                        "%s of %d B over %s, profile %s: %.2f ns = %.1f cycles of %d MHz",
                        r.op(),
                        r.size(),
                        connection,
                        spec.profile().name(),
                        r.totalNs(),
                        r.totalCycles(),
                        spec.profile().integer("nic.core_mhz")));
        console()
                .line(
                        tail
                                ? "(the slowest of " + spec.iterations() + " simulated operations, one at a time)"
                                : "(one operation on idle hosts; simulated, no hardware was measured)");
        console().line("");
        WaterfallText.print(r.stages(), console()::line);
        console().line("");
        if (r.tail() != null) {
            TailText.print(r.tail(), console()::line);
            console().line("");
        }
        if (spec.buffers() == BufferKind.DEVICE) {
            console()
                    .line(" no payload_dma: the payload is in the NIC already, the SRAM is read as fast as the"
                            + " packet bus takes it.");
        } else if (!verb.isRoundTrip() && !spec.isInlined() && spec.size() > 0) {
            console().line(" " + reads(spec));
        }
        console().line(" " + when());
        console()
                .line(
                        tail
                                ? " cq_record: its completion queue has one entry, so the NIC first reads from the"
                                        + " record whether the program has taken the entry before."
                                : " Its completion queue of one entry was empty. At depth 1 (perftest) each further"
                                        + " operation finds it full and waits for its record: cq_record.");
        console().line("");
        console().line(" Frames on the wire:");
        r.wire().stream()
                .limit(FRAMES_SHOWN)
                .forEach(f -> console()
                        .line(String.format(
                                Locale.ROOT,
                                "  %4d %12.2f ns  %s  %-30s PSN %s %6d B",
                                f.frame(),
                                f.timeNs(),
                                f.from(),
                                f.opcode(),
                                f.psn(),
                                f.bytes())));
        if (r.wire().size() > FRAMES_SHOWN) {
            console().line("  ... and " + (r.wire().size() - FRAMES_SHOWN) + " more");
        }
    }

    /** Packets are read one by one, each in pieces of the largest read request. */
    private static String reads(PerftestSpec spec) {
        int largest = spec.profile().integer("pcie.mrrs");
        int piece = Math.min(largest, spec.mtu());
        long last = spec.size() % spec.mtu();
        int perPacket = (spec.mtu() + piece - 1) / piece;
        long requests = spec.size() / spec.mtu() * perPacket + (last + piece - 1) / piece;
        int outstanding = spec.profile().integer("nic.dma.payload_outstanding_reads");
        return "payload_dma: " + Count.of(requests, "PCIe read") + " of up to " + piece + " B, " + outstanding
                + " outstanding at most (nic.dma.payload_outstanding_reads).";
    }

    private String when() {
        if (verb.isRoundTrip()) {
            return "The CQE waits for the response.";
        }
        return connection == QpType.RC
                ? "RC: the CQE waits for the ACK of the last packet, a round trip on the network."
                : connection
                        + ": the CQE is written as soon as the last packet has begun to leave; nothing is"
                        + " acknowledged.";
    }
}
