package dev.clockwire.bench.cli;

import dev.clockwire.bench.artefact.DeviceCounters;
import dev.clockwire.bench.artefact.FrameOrder;
import dev.clockwire.bench.artefact.Provenance;
import dev.clockwire.bench.artefact.RunFiles;
import dev.clockwire.bench.device.DeviceFormat;
import dev.clockwire.bench.device.DeviceText;
import dev.clockwire.bench.explain.TailText;
import dev.clockwire.bench.explain.WaterfallText;
import dev.clockwire.bench.fault.FaultPlaces;
import dev.clockwire.bench.perftest.CommandText;
import dev.clockwire.bench.perftest.CoreShare;
import dev.clockwire.bench.perftest.HeaderText;
import dev.clockwire.bench.perftest.PerftestResult;
import dev.clockwire.bench.perftest.PerftestRun;
import dev.clockwire.bench.perftest.PerftestSpec;
import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.bench.perftest.ResultText;
import dev.clockwire.bench.perftest.Tool;
import dev.clockwire.sim.fault.FaultPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perftest TOOL}: what the tools of perftest would measure on the simulated hardware. */
@Command(
        name = "perftest",
        description =
                "Run a tool of perftest on two simulated hosts; the usual options of the real tool work as typed.")
final class PerftestCommand extends ClockwireTask {
    /** Results come at the end; who waits longer hears how far it is. */
    private static final long PATIENCE_NS = 5_000_000_000L;

    private static final String RULE = "-".repeat(87);

    @Parameters(
            index = "0",
            paramLabel = "TOOL",
            converter = ToolConverter.class,
            description =
                    "write-lat, read-lat, send-lat, atomic-lat, write-bw, read-bw, send-bw or atomic-bw; ib_write_lat"
                            + " and so on too.")
    private Tool tool = Tool.WRITE_LAT;

    @Parameters(index = "1", arity = "0..1", paramLabel = "HOST", description = "Accepted: both hosts are simulated.")
    @Nullable
    String host;

    @Mixin
    private DeviceOptions device = new DeviceOptions();

    @Mixin
    private PerftestOptions options = new PerftestOptions();

    @Option(
            names = "--view",
            paramLabel = "WHERE",
            converter = ViewConverter.class,
            defaultValue = "line",
            description = "What capture.pcapng shows: the line, or what the client or the server sends and receives"
                    + " (default: ${DEFAULT-VALUE}).")
    private FrameOrder.View view = FrameOrder.View.LINE;

    @Mixin
    private FaultOption faults = new FaultOption();

    @Mixin
    private RunOptions run = new RunOptions();

    private final List<View> views = new ArrayList<>();
    private List<DeviceFormat> formats = List.of();

    /** What a tool shows of one host, line by line. */
    record View(String host, String format, List<String> lines) {}

    PerftestCommand(Console console) {
        super(console);
    }

    /** Reads a view as people type it. */
    static final class ViewConverter extends EnumConverter<FrameOrder.View> {
        ViewConverter() {
            super("view", FrameOrder.View.values());
        }
    }

    /** Reads a tool as people type it. */
    static final class ToolConverter extends EnumConverter<Tool> {
        ToolConverter() {
            super("tool", Tool.values());
        }

        /** The real tools are called {@code ib_write_bw} and so on, with a path in front perhaps. */
        @Override
        protected String plain(String text) {
            String name = text.substring(text.lastIndexOf('/') + 1);
            return name.startsWith("ib_") ? name.substring(3).replace('_', '-') : text;
        }
    }

    @Override
    public Integer call() throws Exception {
        device.check();
        run.check();
        formats = options.formats();
        FaultPlan plan = faults.plan(FaultPlaces.twoHosts());
        List<PerftestSpec> specs = specs().stream().map(s -> s.with(plan)).toList();
        List<PerftestResult> results = new ArrayList<>();
        if (run.out().isPresent()) {
            try (OutputDirectory out = OutputDirectory.at(run.out().get())) {
                results.add(one(specs.get(0), out, true));
                if (Interrupt.requested()) {
                    out.keepInterrupted();
                } else {
                    out.keep();
                }
            }
        } else {
            long began = System.nanoTime();
            for (PerftestSpec spec : specs) {
                if (System.nanoTime() - began > PATIENCE_NS) {
                    console().note(spec.size() + " B, size " + (results.size() + 1) + " of " + specs.size());
                }
                results.add(one(spec, null, results.isEmpty()));
                if (Interrupt.requested()) {
                    break;
                }
            }
        }
        finish(specs.get(0), results);
        return Interrupt.requested() ? ExitCode.INTERRUPTED : ExitCode.OK;
    }

    private List<PerftestSpec> specs() {
        PerftestResolver resolver = new PerftestResolver(tool, options);
        if (!options.all) {
            return List.of(resolver.resolve(run, null));
        }
        if (run.out().isPresent()) {
            throw CliException.usage("--out keeps the files of one size: it cannot stand beside -a");
        }
        List<PerftestSpec> rows = new ArrayList<>();
        PerftestSpec first = resolver.resolve(run, 2L);
        for (int power = 1; power <= PerftestResolver.powers(first); power++) {
            rows.add(resolver.resolve(run, 1L << power));
        }
        return rows;
    }

    private PerftestResult one(PerftestSpec spec, @Nullable OutputDirectory out, boolean first) throws IOException {
        PerftestRun test = new PerftestRun(spec);
        if (first) {
            Idle idle = PerftestIdle.options(spec, options, out != null, view != FrameOrder.View.LINE);
            run.complain(console(), idle, spec.profile(), PerftestIdle.parts(spec));
        }
        PerftestResult result = out == null ? test.run(watch(test)) : recorded(spec, test, out);
        if (!formats.isEmpty()) {
            result = result.with(DeviceCounters.of(test.lab()));
            look(test);
        }
        if (options.tail && result.interrupted() == null) {
            result = result.with(test.tail());
        }
        if (run.json()) {
            return result;
        }
        if (first) {
            HeaderText.print(spec, device.device, device.gidIndex, test.local(), test.remote(), console()::line);
            console().line(ResultText.heading(tool, options.gbits));
        }
        console().line(ResultText.row(tool, result, options.gbits, device.noPeak));
        if (options.histogram || options.unsorted) {
            latencies(spec, test);
        }
        return result;
    }

    /** Looks whether the user wants to stop, and tells each 5 s how far a run is that takes longer. */
    private BooleanSupplier watch(PerftestRun test) {
        long began = System.nanoTime();
        AtomicLong next = new AtomicLong(began + PATIENCE_NS);
        return () -> {
            long now = System.nanoTime();
            if (now > next.get()) {
                next.set(now + PATIENCE_NS);
                console()
                        .progress(String.format(
                                Locale.ROOT,
                                "%d messages, %.3f ms simulated in %.0f s",
                                test.latenciesPs().length,
                                test.lab().sim().now() / 1e9,
                                (now - began) / 1e9));
            }
            return Interrupt.requested();
        };
    }

    private void look(PerftestRun test) {
        views.clear();
        String typed = "ib_" + EnumConverter.name(tool).replace('-', '_');
        for (int host = 0; host < 2; host++) {
            DeviceText text = new DeviceText(test.lab(), host == 1, test.queuePairs(host == 1), device.device, typed);
            for (DeviceFormat format : formats) {
                views.add(new View("host" + host, EnumConverter.name(format), text.lines(format)));
            }
        }
    }

    private PerftestResult recorded(PerftestSpec spec, PerftestRun test, OutputDirectory out) throws IOException {
        String command = CommandText.of(spec, run.overridesText() + faults.text());
        Provenance source = Version.provenance(command, spec.profile(), spec.seed());
        try (RunFiles files = new RunFiles(test.lab(), out.file(""), source, run.waveChoice(), view)) {
            files.sampled();
            PerftestResult result = new LastMoments(console(), out).of(files::salvage, () -> test.run(watch(test)));
            files.finish(test.latenciesPs(), spec.tool().isPingPong() ? 0.5 : 1, test.waterfalls(), test.operations());
            files.remarks().forEach(console()::note);
            return result;
        }
    }

    /** The real tools print the number of each measurement and its value, under a heading with the unit. */
    private void latencies(PerftestSpec spec, PerftestRun test) {
        long[] values = test.latenciesPs();
        if (!options.unsorted) {
            Arrays.sort(values);
        }
        double unit = (spec.tool().isPingPong() ? 0.5 : 1) / (options.cycles ? test.cyclePs() : 1e6);
        console().line("#, " + (options.cycles ? "cycles" : "usec"));
        for (int i = 0; i < values.length; i++) {
            console().line(String.format(Locale.ROOT, "%d, %.3f", i + 1, values[i] * unit));
        }
    }

    private void finish(PerftestSpec spec, List<PerftestResult> results) {
        faults.complain(console(), results.stream().map(PerftestResult::faults).toList());
        if (run.json()) {
            JsonDocument document = new JsonDocument("perftest")
                    .with("profile", spec.profile().name())
                    .with("seed", spec.seed());
            if (!views.isEmpty()) {
                document.with("device_view", views);
            }
            console().json(options.all ? document.with("rows", results) : document.withAll(results.get(0)));
            return;
        }
        console().line(RULE);
        PerftestResult last = results.get(results.size() - 1);
        views.forEach(view -> view.lines().forEach(console()::line));
        if (options.cpuUtil || !spec.profile().flag("host.isolcpus")) {
            last.cores().forEach(core -> console().line(core.line()));
        }
        if (!tool.isLatency() && !options.all) {
            last.cores().stream()
                    .filter(CoreShare::isFull)
                    .forEach(core -> console().line(core.limit()));
        }
        if (last.completionsOutOfOrder() != null) {
            console().line(" Completions out of order: " + last.completionsOutOfOrder());
        }
        if (last.faults() != null) {
            last.faults().forEach(fault -> console().line(" " + fault.line()));
        }
        if (last.endedEarly() != null) {
            console().line(" Ended early " + last.endedEarly() + "; --exact runs to the end");
        }
        if (last.interrupted() != null) {
            console().line(" Interrupted: the figures are of what was complete by then");
        }
        if (!options.all && !last.stages().isEmpty()) {
            String what =
                    tool.isPingPong() ? "Stages of the median message, one way:" : "Stages of the median operation:";
            console().line("");
            console().line(" " + what);
            if (last.stages().isEmpty() && spec.provider() == Provider.HW) {
                console().line(" (none: an operation leaves more stamps than are kept; see explain)");
            }
            WaterfallText.print(last.stages(), console()::line);
        }
        if (last.tail() != null) {
            console().line("");
            TailText.print(last.tail(), console()::line);
        }
    }
}
