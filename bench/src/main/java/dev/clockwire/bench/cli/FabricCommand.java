package dev.clockwire.bench.cli;

import dev.clockwire.bench.artefact.Provenance;
import dev.clockwire.bench.artefact.RunFiles;
import dev.clockwire.bench.fabric.EndpointKind;
import dev.clockwire.bench.fabric.FabricFile;
import dev.clockwire.bench.fabric.FabricJob;
import dev.clockwire.bench.fabric.FabricResult;
import dev.clockwire.bench.fabric.FabricRun;
import dev.clockwire.bench.fabric.FabricText;
import dev.clockwire.bench.fabric.Series;
import dev.clockwire.bench.fabric.SeriesPlot;
import dev.clockwire.bench.fabric.TraceFile;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.profile.RunPart;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.Plain;
import dev.clockwire.sim.stats.StatRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fabric}: many hosts and switches. */
@Command(name = "fabric", description = "Simulate many hosts and switches.")
final class FabricCommand extends CommandGroup {
    FabricCommand() {}

    /** {@code fabric run}. */
    @Command(name = "run", description = "Run the flows of a fabric.")
    static final class Run extends ClockwireTask {
        private static final int MOST_THREADS = 64;

        @Parameters(
                arity = "0..1",
                paramLabel = "FILE.yaml",
                description = "The fabric, its flows and parameters; 'config' in it names files of real devices.")
        private @Nullable Path file;

        @Option(
                names = "--trace",
                paramLabel = "TRACE.json",
                description = "Topology, flows and parameters of a run of the ns-3 model published with HPCC.")
        private @Nullable Path trace;

        @Option(
                names = "--endpoints",
                paramLabel = "KIND",
                description =
                        "What hosts are: light (traffic only, the default), soft (software devices), hw (whole NICs).")
        private String endpoints = "light";

        @Option(
                names = "--profile",
                paramLabel = "NAME|FILE.yaml",
                converter = ChosenProfile.Converter.class,
                description = "Profile of the NICs of --endpoints hw, or a file that lays values over one; rate, MTU,"
                        + " pauses and DCQCN are the fabric's.")
        private @Nullable ChosenProfile profile;

        @Option(
                names = "-P",
                paramLabel = "PATH=VALUE",
                converter = ProfileOverride.Converter.class,
                description = "Override a parameter of the NICs; may be repeated.")
        private List<ProfileOverride> overrides = new ArrayList<>();

        @Option(names = "--warm", description = "Run twice and report the second run.")
        private boolean warm;

        @Option(
                names = "--runs",
                paramLabel = "N",
                defaultValue = "1",
                description = "Run N times and report the times of the quickest: the first run pays for compiling,"
                        + " with several threads a few more do (default: ${DEFAULT-VALUE}).")
        private int runs = 1;

        @Option(
                names = "--capture",
                paramLabel = "FILE.pcapng",
                description =
                        "Write the frames, each once at every port that sends it; of light hosts pauses and LLDP only.")
        private @Nullable Path capture;

        @Option(
                names = "--out",
                paramLabel = "DIR",
                description =
                        "Leave statistics, capture (with one thread), rates and queues over time, and their drawing"
                                + " there.")
        private @Nullable Path out;

        @Option(names = "--series", paramLabel = "FILE.csv", description = "Write rates and queues over time.")
        private @Nullable Path series;

        @Option(names = "--plot", paramLabel = "FILE.svg", description = "Draw rates and queues over time.")
        private @Nullable Path plot;

        @Option(
                names = "--every",
                paramLabel = "US",
                defaultValue = "10",
                description = "Simulated time between looks in us (default: ${DEFAULT-VALUE}).")
        private double everyUs;

        @Option(
                names = "--threads",
                paramLabel = "N",
                defaultValue = "1",
                description = "Threads that share the work; the results are the same (default: ${DEFAULT-VALUE}).")
        private int threads;

        @Option(
                names = "--counters",
                description = "Show the counters of hosts with devices and of the switches' ports as real tools do.")
        private boolean counters;

        @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Root of all random streams.")
        private long seed;

        @Mixin
        private JsonOption json = new JsonOption();

        Run(Console console) {
            super(console);
        }

        @Override
        public Integer call() throws IOException {
            EndpointKind kind = kind();
            FabricJob job = job();
            if (threads < 1 || threads > MOST_THREADS) {
                throw CliException.usage("--threads " + threads + ": must be 1 to " + MOST_THREADS);
            }
            if (!(everyUs >= 0.001 && everyUs <= 1e6)) {
                throw CliException.usage("--every " + Plain.text(everyUs) + ": must be 0.001 to 1000000 us");
            }
            Range.check("--runs", runs, 1, 1000, "");
            targets();
            job.notes().forEach(console()::note);
            if (threads > 1 && kind != EndpointKind.LIGHT) {
                throw CliException.usage("--threads " + threads + ": only light endpoints are divided among threads");
            }
            FabricRun run = new FabricRun(job, SimSpec.of(seed))
                    .threads(threads)
                    .endpoints(kind, chosen(), this::overridden)
                    .told(console()::progress);
            if (warm) {
                run.run();
            }
            FabricResult quickest = null;
            for (int i = 1; i < runs; i++) {
                FabricResult one = run.run();
                quickest = quickest == null ? one : one.quickest(quickest);
            }
            if (series != null || plot != null || out != null) {
                run.sampled(Math.round(everyUs * 1e6));
            }
            if (capture != null && threads > 1) {
                throw CliException.usage("--capture takes one thread, not " + threads);
            }
            FabricResult result;
            try (OutputDirectory directory = out == null ? null : OutputDirectory.at(out)) {
                if (capture != null) {
                    run.captured(capture, "Clockwire " + Version.text(), source().line());
                } else if (directory != null && threads == 1) {
                    run.captured(directory.file(RunFiles.CAPTURE), "Clockwire " + Version.text(), source().line());
                }
                FabricResult last = run.run();
                result = quickest == null ? last : last.quickest(quickest);
                write(run, job.name());
                leave(run, job.name(), directory);
            }
            run.ignored().forEach(console()::note);
            idle(run, kind);
            if (json.wanted()) {
                JsonDocument document = new JsonDocument("fabric").withAll(result);
                console().json(counters ? document.with("counters", run.counters()) : document);
            } else {
                FabricText.lines(result).forEach(console()::line);
                if (counters) {
                    run.counters().forEach(device -> device.lines().forEach(console()::line));
                }
            }
            return ExitCode.OK;
        }

        /** Returns what the hosts are: the name of a profile, or of their kind. */
        private String hardware() {
            return kind() == EndpointKind.HW ? chosen().name() : endpoints;
        }

        /** The values that the fabric puts into its NICs are the file's, not the profile's. */
        private Provenance source() {
            return kind() == EndpointKind.HW
                    ? Version.provenance(command(), overridden(chosen()), seed)
                    : new Provenance(Version.text(), Version.git(), command(), hardware(), null, seed);
        }

        private void leave(FabricRun run, String title, @Nullable OutputDirectory directory) throws IOException {
            Series looked = run.series();
            StatRegistry stats = run.stats();
            if (directory == null || looked == null || stats == null) {
                return;
            }
            Provenance source = source();
            Sim watched = run.watched();
            Files.writeString(
                    directory.file(RunFiles.STATS), RunFiles.stats(stats, run.endedPs(), source, watched, run.waits()));
            if (watched != null) {
                RunFiles.journeys(watched, directory.file(""), source);
            }
            Files.writeString(directory.file(RunFiles.SERIES), looked.csv());
            Files.writeString(directory.file(RunFiles.PLOT), SeriesPlot.svg(title, looked));
            directory.keep();
        }

        /** The hardware is what the fabric makes of the profile; what differs from that was typed. */
        private void idle(FabricRun run, EndpointKind kind) {
            if (kind == EndpointKind.LIGHT) {
                return;
            }
            Set<RunPart> parts = EnumSet.of(RunPart.MARKS);
            if (kind == EndpointKind.HW) {
                parts.add(RunPart.NIC);
            }
            Profile fitted = run.fitted(chosen());
            new Idle()
                    .parameters(overrides(), fitted, overridden(fitted), parts)
                    .tell(console());
        }

        private void targets() throws IOException {
            Set<Path> seen = new HashSet<>();
            seen.add(Objects.requireNonNull(file == null ? trace : file).toRealPath());
            target("--capture", capture, seen);
            target("--series", series, seen);
            if (plot != null && plot.toString().toLowerCase(Locale.ROOT).matches(".*[.](png|pdf|jpe?g|gif)")) {
                throw CliException.usage("--plot " + plot + ": drawings are SVG, the name ends with .svg");
            }
            target("--plot", plot, seen);
        }

        /** No file is written over another one of the same run, nor over the one that is read. */
        private static void target(String option, @Nullable Path path, Set<Path> seen) throws IOException {
            if (path == null) {
                return;
            }
            Path directory = WholeFile.directory(option, path);
            Path place = Files.exists(path)
                    ? path.toRealPath()
                    : directory.toRealPath().resolve(path.getFileName());
            boolean device = Files.exists(place) && !Files.isRegularFile(place);
            if (!device && !seen.add(place)) {
                throw CliException.input(option + " " + path + ": this run reads or writes that file already");
            }
        }

        /** Returns what makes the trace again, without the way to the file. */
        private String command() {
            Path given = file == null ? trace : file;
            StringBuilder text = new StringBuilder("clockwire fabric run ");
            text.append(file == null ? "--trace " : "").append(given == null ? "" : given.getFileName());
            text.append(" --endpoints ").append(endpoints).append(" --seed ").append(seed);
            if (profile != null) {
                text.append(" --profile ").append(profile.base());
            }
            overrides()
                    .forEach(change -> text.append(" -P ")
                            .append(change.path())
                            .append('=')
                            .append(change.value()));
            return text.toString();
        }

        /** The built-in profile: what a file lays over it counts behind what the fabric makes of it. */
        private Profile chosen() {
            return Profiles.named((profile == null ? ChosenProfile.USUAL : profile).base());
        }

        private List<ProfileOverride> overrides() {
            List<ProfileOverride> all = new ArrayList<>(profile == null ? List.of() : profile.overrides());
            all.addAll(overrides);
            return all;
        }

        private EndpointKind kind() {
            EndpointKind kind = switch (endpoints) {
                case "light" -> EndpointKind.LIGHT;
                case "soft" -> EndpointKind.SOFT;
                case "hw" -> EndpointKind.HW;
                default -> throw CliException.unknown("kind of endpoints", endpoints, List.of("light", "soft", "hw"));
            };
            if (kind == EndpointKind.LIGHT && (profile != null || !overrides.isEmpty())) {
                throw CliException.usage("--profile and -P: light endpoints have no NIC; they are for --endpoints hw");
            }
            return kind;
        }

        private Profile overridden(Profile fitted) {
            Profile p = fitted;
            for (ProfileOverride change : overrides()) {
                p = change.on(p);
            }
            return p;
        }

        private void write(FabricRun run, String title) throws IOException {
            Series looked = run.series();
            if (looked == null) {
                return;
            }
            if (series != null) {
                WholeFile.write("--series", series, looked.csv());
            }
            if (plot != null) {
                WholeFile.write("--plot", plot, SeriesPlot.svg(title, looked));
            }
        }

        private FabricJob job() throws IOException {
            Path yaml = file;
            Path json = trace;
            Path given = yaml == null ? json : yaml;
            if (given == null || (yaml != null && json != null)) {
                throw CliException.usage("fabric run takes FILE.yaml or --trace TRACE.json");
            }
            if (!Files.isReadable(given) || Files.isDirectory(given)) {
                throw CliException.input((Files.exists(given) ? "cannot be read: " : "no such file: ") + given);
            }
            return yaml == null ? TraceFile.read(given) : FabricFile.read(given, seed);
        }
    }
}
