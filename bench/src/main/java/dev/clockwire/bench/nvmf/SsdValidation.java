package dev.clockwire.bench.nvmf;

import dev.clockwire.bench.csv.CsvFile;
import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.nic.offload.OffloadMemory;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.media.GcSpec;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.error.Plain;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.stats.Histogram;
import dev.clockwire.storage.perf.LocalSpec;
import dev.clockwire.storage.perf.PerfSpec;
import dev.clockwire.storage.reactor.CoreMask;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Published figures of SSDs: those that the media profiles and one host's cores answer are simulated, the others have a reason. The published
 * value is never used to simulate.
 */
public final class SsdValidation {
    private static final String BUILT_IN = "published.csv";
    private static final Set<String> COLUMNS = Set.of("source", "setup", "metric", "value", "unit", "quality");
    /** What the media must meet. */
    private static final double MEDIA_PERCENT = 8;
    /** What a core of the default profile must meet, which stands for all processors. */
    private static final double CORE_PERCENT = 12;

    private static final long PS_PER_US = 1_000_000;
    private static final int FEW = 16;

    private final CsvFile file;
    private final Map<SsdSetup, PerfResults> known = new HashMap<>();

    private SsdValidation(CsvFile file) {
        this.file = file;
    }

    /** Reads the built-in figures. */
    public static SsdValidation builtIn() throws IOException {
        try (InputStream in = SsdValidation.class.getResourceAsStream(BUILT_IN)) {
            if (in == null) {
                throw new InvariantViolation(BUILT_IN + " is missing");
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** Reads figures of a file with the same columns. */
    static SsdValidation parse(String text) {
        return new SsdValidation(CsvFile.parse(BUILT_IN, text, COLUMNS, Set.of()));
    }

    /**
     * Simulates.
     *
     * @param progress told what is done, one line a time
     * @param stop asked between runs; when it holds, the rows done so far are returned
     */
    public List<SsdRow> run(Consumer<String> progress, BooleanSupplier stop) {
        List<SsdRow> rows = new ArrayList<>();
        Map<String, SsdSetup> last = new HashMap<>();
        for (int r = 0; r < file.size() && !stop.getAsBoolean(); r++) {
            String source = file.text(r, "source");
            String key = source.replaceFirst(" (post )?\\(.*", "");
            SsdSetup setup = SsdSetup.of(file.text(r, "setup") + ' ' + file.text(r, "metric"), last.get(key));
            last.put(key, setup);
            String why = refusal(r, setup);
            SsdRow row = why.isEmpty() ? simulated(r, setup, stop) : row(r, null, null, why, null);
            if (row == null) {
                return rows;
            }
            rows.add(row);
            if (row.hasResult()) {
                progress.accept("SSD row " + (r + 1) + " of " + file.size() + ": " + row.setup());
            }
        }
        return rows;
    }

    /** Why a row cannot be answered, empty if it can. */
    private String refusal(int r, SsdSetup s) {
        String all = (file.text(r, "source") + ' ' + file.text(r, "setup") + ' ' + file.text(r, "metric"))
                .toLowerCase(Locale.ROOT);
        String unit = file.text(r, "unit");
        if (all.contains("femu")) {
            return "no-ssd";
        }
        if (all.contains("rdma") || all.contains("nvme-of") || all.contains("techbytes") || all.contains("5.46m")) {
            return "fabric";
        }
        if (file.text(r, "source").equals("derived") && unit.startsWith("cycles")) {
            return "derived"; // from the rows of one core
        }
        if (all.contains("issue") || all.contains("sample") || all.contains("formula")) {
            return "fabric";
        }
        if (all.contains("windows")) {
            return "host-unknown";
        }
        if (all.contains("p99.999")) {
            return "tail";
        }
        if (unit.equals("percent") || all.contains("budget") || all.contains("any platform")) {
            return "processor";
        }
        if (!List.of("p5800x", "p4800x", "pm9a3").contains(s.device()) && !isOfTheCore(s)) {
            return "no-profile";
        }
        return "";
    }

    /** Rows of so many SSDs on so few cores that these are what was measured. */
    private static boolean isOfTheCore(SsdSetup s) {
        return s.ssds() >= FEW;
    }

    /** Returns null if its run was interrupted: a part of one is no figure to compare. */
    private @Nullable SsdRow simulated(int r, SsdSetup setup, BooleanSupplier stop) {
        PerfResults results = known.computeIfAbsent(setup, s -> new PerfRun(spec(s)).run(stop));
        if (results.interrupted()) {
            return null;
        }
        double tolerance = isOfTheCore(setup) ? CORE_PERCENT : MEDIA_PERCENT;
        return row(r, value(r, setup, results), tolerance, null, command(setup));
    }

    private double value(int r, SsdSetup setup, PerfResults results) {
        String unit = file.text(r, "unit");
        String what = file.text(r, "setup") + ' ' + file.text(r, "metric");
        Histogram h = results.latency();
        if (h == null) {
            throw new InvariantViolation("a run without a queue");
        }
        return switch (unit) {
            case "IOPS" -> results.iops();
            case "us" -> (what.contains("p99") ? h.percentile(99) : h.mean()) / PS_PER_US;
            case "MB/s" -> results.iops() * setup.bytes() / 1e6;
            default -> throw new InvariantViolation("row " + (r + 1) + " has the unit " + unit);
        };
    }

    private SsdRow row(
            int r, @Nullable Double value, @Nullable Double tolerance, @Nullable String why, @Nullable String command) {
        Double expected = file.text(r, "value").isEmpty() ? null : file.number(r, "value");
        return new SsdRow(
                r + 1,
                file.text(r, "source"),
                file.text(r, "setup"),
                file.text(r, "metric"),
                file.text(r, "unit"),
                file.text(r, "quality"),
                expected,
                value == null ? null : round(value),
                value == null || expected == null ? null : round(100 * (value / expected - 1)),
                tolerance,
                why,
                command);
    }

    private static double round(double value) {
        return Math.round(value * 1e4) / 1e4;
    }

    /** A medium of no time stands for SSDs that have no profile and do not matter: the core was measured. */
    private static String media(SsdSetup s) {
        return List.of("p5800x", "p4800x", "pm9a3").contains(s.device()) ? s.device() : "null";
    }

    /** Random writes of flash are told of an SSD that was written before. */
    private static NvmeSpec ssd(SsdSetup s) {
        NvmeSpec ssd = NvmeSpec.of(media(s));
        return isSteady(s) ? ssd.withMedia(ssd.media().withGc(GcSpec.usual())) : ssd;
    }

    private static boolean isSteady(SsdSetup s) {
        return s.writes() && s.random() && media(s).equals("pm9a3");
    }

    private static NvmfSpec spec(SsdSetup s) {
        long rounds = 2L * s.ssds() * s.depth()
                / s.cores(); // 25 times what cores, or a link of 6 GB/s, need for all that is outstanding
        long us = s.depth() == 1
                ? 4000
                : s.writes()
                        ? (isSteady(s) ? 100_000 : 20_000)
                        : Math.max(700, Math.max(rounds, (long) s.depth() * s.bytes() / 240));
        long warm = isSteady(s) ? 20_000 : s.writes() ? 40_000 : 200; // a write buffer has to fill, unless it begins so
        PerfSpec load =
                new PerfSpec(s.depth(), s.bytes(), s.random(), s.writes() ? 0 : 100, warm * PS_PER_US, us * PS_PER_US);
        return new NvmfSpec(
                StackKind.LOCAL,
                Profiles.named("cx7-400g"),
                SimSpec.of(1),
                PayloadMode.SIZES,
                CoreMask.first(s.cores()),
                Collections.nCopies(s.ssds(), ssd(s)),
                List.of(),
                new LocalSpec.Use(s.depth(), 1, 0, 1024, 0, false, !s.doorbellEach(), false),
                load,
                workload(s),
                Provider.HW,
                List.of(),
                false,
                -1,
                OffloadMemory.Place.HOST,
                false,
                0);
    }

    private static String workload(SsdSetup s) {
        return (s.random() ? "rand" : "") + (s.writes() ? "write" : "read");
    }

    private static String command(SsdSetup s) {
        NvmfSpec spec = spec(s);
        return String.format(
                Locale.ROOT,
                "clockwire nvmf perf --local --media %s%s --ssds %d -q %d -o %d -w %s -t %s -a %s -c 0x%s%s",
                media(s),
                isSteady(s) ? " --gc" : "",
                s.ssds(),
                s.depth(),
                s.bytes(),
                workload(s),
                Plain.text(spec.load().timePs() / 1e12),
                Plain.text(spec.load().warmupPs() / 1e12),
                spec.cores(),
                s.doorbellEach() ? " --doorbell-each" : "");
    }
}
