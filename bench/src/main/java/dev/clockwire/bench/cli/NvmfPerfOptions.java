package dev.clockwire.bench.cli;

import dev.clockwire.bench.nvmf.FioFile;
import dev.clockwire.sim.error.ConfigurationException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the real {@code spdk_nvme_perf} that mean something here. What the user did not type is null. */
final class NvmfPerfOptions {
    private static final String FIRST_CORE = "0x1";
    private static final int MOST_JOBS = 1024;

    @Option(
            names = {"-q", "--io-depth"},
            paramLabel = "N",
            description = "I/Os outstanding of each core and namespace (required).")
    @Nullable
    String depth;

    @Option(
            names = {"-o", "--io-size"},
            paramLabel = "BYTES",
            description = "Size of an I/O, such as 4096 or 4k (required).")
    @Nullable
    String size;

    @Option(
            names = {"-w", "--io-pattern"},
            paramLabel = "TYPE",
            description = "read, write, randread, randwrite, rw or randrw (required).")
    @Nullable
    String pattern;

    @Option(
            names = {"-M", "--rwmixread"},
            paramLabel = "PERCENT",
            description = "Share of reads of rw and randrw.")
    @Nullable
    Integer mix;

    @Option(
            names = {"-t", "--time"},
            paramLabel = "SECONDS",
            description = "Simulated seconds that count; fractions allowed (required).")
    @Nullable
    Double seconds;

    @Option(
            names = {"-a", "--warmup-time"},
            paramLabel = "SECONDS",
            description = "Simulated seconds before that (default: 0).")
    @Nullable
    Double warmup;

    @Option(
            names = {"-c", "--core-mask"},
            paramLabel = "MASK",
            description = "Cores that run the load, such as 0x3 or [0,2-3] (default: " + FIRST_CORE + ").")
    @Nullable
    String cores;

    @Option(
            names = {"-P", "--num-qpairs"},
            paramLabel = "N|PATH=VALUE",
            description = "A number: queue pairs of each core and namespace (default: 1), which share its depth."
                    + " With '=': replace one value of the profile or of the SSD; may be repeated.")
    List<String> pairsOrOverrides = new ArrayList<>();

    @Option(
            names = {"-r", "--transport"},
            paramLabel = "ID",
            description = "Where a controller is: 'trtype:PCIe traddr:0000:01:00.0'; may be repeated (default: all).")
    List<String> transports = new ArrayList<>();

    @Option(
            names = {"-L", "--enable-sw-latency-tracking"},
            description = "Percentiles of the latency; -LL the histogram too.")
    boolean[] latency = {};

    @Option(
            names = {"-C", "--max-completion-per-poll"},
            paramLabel = "N",
            defaultValue = "0",
            description = "Completions that a look takes of each queue; 0 = as the driver limits it.")
    int mostPerPoll;

    @Option(
            names = {"-k", "--keepalive"},
            paramLabel = "MS",
            description = "Keep-alive time of a fabric's controller; 0 = none (default: 10000).")
    @Nullable
    String keepAlive;

    @Option(
            names = {"-d", "--number-ios"},
            paramLabel = "N",
            description = "I/Os of each core and namespace after which it ends too; 0 = any number.")
    @Nullable
    Long number;

    @Option(
            names = {"-F", "--zipf"},
            paramLabel = "THETA",
            description = "Random places by a Zipf distribution.")
    @Nullable
    Double zipf;

    @Option(
            names = {"-U", "--num-unused-qpairs"},
            paramLabel = "N",
            defaultValue = "0",
            description = "Queue pairs of each controller that are made and left alone.")
    int unused;

    @Option(
            names = "--io-queue-size",
            paramLabel = "N",
            description = "Entries of a queue (default: as many as the controller has).")
    @Nullable
    String entries;

    @Option(names = "--use-every-core", description = "Each core uses each namespace.")
    boolean everyCore;

    @Option(
            names = {"-b", "--allowed-pci-addr"},
            paramLabel = "ADDRESS",
            description = "Use only this SSD; may be repeated.")
    List<String> allowed = new ArrayList<>();

    @Option(
            names = {"-s", "--hugemem-size"},
            paramLabel = "MB",
            description = "Accepted: host memory is as large as needed.")
    @Nullable
    String hugemem;

    @Option(
            names = "--fio",
            paramLabel = "FILE",
            description = "A job file of fio that says depth, size, pattern, times, cores and where the controller is;"
                    + " what is typed besides counts instead.")
    @Nullable
    Path fio;

    /** What stands in a job file, by the option that it counts for. */
    private final Map<String, String> filled = new TreeMap<>();

    private @Nullable FioFile file;

    NvmfPerfOptions() {}

    double warmup() {
        return warmup == null ? 0 : warmup;
    }

    double zipf() {
        return zipf == null ? 0 : zipf;
    }

    long number() {
        return number == null ? 0 : number;
    }

    String cores() {
        return cores == null ? FIRST_CORE : cores;
    }

    /** Returns the job file, null without one. */
    @Nullable
    FioFile file() {
        return file;
    }

    /** Returns what an error about an option begins with: as the user typed it, or where his job file says it. */
    String label(String option) {
        String key = filled.get(option);
        FioFile f = file;
        return key == null || f == null ? option : f.where(key);
    }

    /** Reads a value that is called {@link #label}; what is wrong with the command line has exit code 2, what is wrong with a file 3. */
    <T> T read(String option, Function<String, T> reader) {
        try {
            return reader.apply(label(option));
        } catch (CliException | ConfigurationException e) {
            String text = String.valueOf(e.getMessage());
            throw filled.containsKey(option) ? CliException.input(text) : CliException.usage(text);
        }
    }

    /** Takes from a job file what was not typed. */
    void fill(FioFile f) {
        file = f;
        depth = depth == null ? take(f, "-q", "iodepth", Long.toString(f.number("iodepth", 1, 65_536, 1))) : depth;
        size = size == null ? take(f, "-o", "bs", f.has("bs") ? f.value("bs") : "4k") : size;
        pattern = pattern == null ? take(f, "-w", "rw", f.pattern()) : pattern;
        boolean mixed = pattern.endsWith("rw");
        mix = mix == null && mixed ? take(f, "-M", "rwmixread", (Integer) f.readPercent(50)) : mix;
        double runtime = f.seconds("runtime", 0);
        seconds = seconds == null && runtime > 0 ? take(f, "-t", "runtime", (Double) runtime) : seconds;
        warmup = warmup == null ? take(f, "-a", "ramp_time", (Double) f.seconds("ramp_time", 0)) : warmup;
        zipf = zipf == null ? take(f, "-F", "random_distribution", (Double) f.zipf()) : zipf;
        number = number == null
                ? take(f, "-d", "number_ios", (Long) f.number("number_ios", 1, Long.MAX_VALUE, 0))
                : number;
        int jobs = (int) f.number("numjobs", 1, MOST_JOBS, 1);
        cores = cores == null && jobs > 1 ? take(f, "-c", "numjobs", "[0-" + (jobs - 1) + "]") : cores;
        String where = f.value("filename");
        if (transports.isEmpty() && where.contains("trtype")) {
            transports.add(take(f, "-r", "filename", where.replace("\\:", ":")));
        }
    }

    private <T> T take(FioFile f, String option, String key, T value) {
        if (f.has(key)) {
            filled.put(option, key);
        }
        return value;
    }
}
