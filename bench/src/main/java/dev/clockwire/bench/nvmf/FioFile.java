package dev.clockwire.bench.nvmf;

import dev.clockwire.bench.text.InputFile;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A job file of fio, as far as a load of {@code spdk_nvme_perf} can be told by one: a {@code [global]} section and one job. Of a key that
 * stands in both, the job's counts.
 */
public final class FioFile {
    /** Keys with a meaning here, by the names that fio has for them. */
    private static final Map<String, String> MEANT = Map.ofEntries(
            Map.entry("bs", "bs"),
            Map.entry("blocksize", "bs"),
            Map.entry("rw", "rw"),
            Map.entry("readwrite", "rw"),
            Map.entry("rwmixread", "rwmixread"),
            Map.entry("rwmixwrite", "rwmixwrite"),
            Map.entry("iodepth", "iodepth"),
            Map.entry("numjobs", "numjobs"),
            Map.entry("runtime", "runtime"),
            Map.entry("ramp_time", "ramp_time"),
            Map.entry("filename", "filename"),
            Map.entry("random_distribution", "random_distribution"),
            Map.entry("number_ios", "number_ios"),
            Map.entry("randseed", "randseed"),
            Map.entry("ioengine", "ioengine"));

    /** Keys that say what holds here anyway, or only how fio prints. */
    private static final Set<String> TAKEN = Set.of(
            "direct",
            "thread",
            "time_based",
            "group_reporting",
            "norandommap",
            "randrepeat",
            "invalidate",
            "name",
            "description",
            "cpus_allowed_policy",
            "clocksource",
            "gtod_reduce",
            "disable_lat",
            "disable_slat",
            "disable_clat",
            "percentile_list",
            "lat_percentiles",
            "clat_percentiles",
            "mem_size_mb",
            "shm_id",
            "refill_buffers",
            "buffer_compress_percentage",
            "log_avg_msec");

    private static final Set<String> ENGINES = Set.of("spdk", "spdk_bdev", "libaio", "io_uring");

    private static final Set<String> KERNEL_ENGINES = Set.of("libaio", "io_uring");
    private static final int MOST_BYTES = 1 << 20;

    private final String name;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private String job = "";
    private int jobLine;

    /** A value and the line it stands in. */
    private record Entry(String value, int line) {}

    private FioFile(String name) {
        this.name = name;
    }

    /**
     * Reads a file.
     *
     * @throws ConfigurationException with file and line if it says something that is not simulated
     */
    public static FioFile read(Path path) throws IOException {
        return parse(path.toString(), InputFile.text(path, MOST_BYTES));
    }

    /** Reads the text of a file. */
    static FioFile parse(String name, String text) {
        FioFile f = new FioFile(name);
        boolean inSection = false;
        int number = 0;
        for (String raw : text.split("\\R", -1)) {
            number++;
            String line = raw.strip();
            if (line.isEmpty() || line.startsWith("#") || line.startsWith(";")) {
                continue;
            }
            if (line.startsWith("[")) {
                f.section(line, number);
                inSection = true;
            } else if (inSection) {
                f.entry(line, number);
            } else {
                throw f.wrong(number, "'" + line + "' stands in front of all sections");
            }
        }
        if (f.job.isEmpty()) {
            throw new ConfigurationException(name + " has no job: a section in brackets besides [global]");
        }
        return f;
    }

    private ConfigurationException wrong(int line, String why) {
        return new ConfigurationException(name + " line " + line + ": " + why);
    }

    private void section(String line, int number) {
        if (!line.endsWith("]") || line.length() < 3) {
            throw wrong(number, "'" + line + "' is no section such as [global]");
        }
        String title = line.substring(1, line.length() - 1);
        if (title.equals("global")) {
            if (!job.isEmpty()) {
                throw wrong(number, "[global] stands behind the job of line " + jobLine);
            }
            return;
        }
        if (!job.isEmpty()) {
            throw wrong(
                    number,
                    "a second job, [" + title + "]; the first is in line " + jobLine + ": one is run at a time");
        }
        job = title;
        jobLine = number;
    }

    private void entry(String line, int number) {
        int equals = line.indexOf('=');
        String key = (equals < 0 ? line : line.substring(0, equals)).strip().toLowerCase(Locale.ROOT);
        String value = equals < 0 ? "" : line.substring(equals + 1).strip();
        if (TAKEN.contains(key)) {
            return;
        }
        String known = MEANT.get(key);
        if (known == null) {
            List<String> all = new ArrayList<>(new TreeSet<>(MEANT.keySet()));
            all.addAll(new TreeSet<>(TAKEN));
            throw wrong(number, "'" + key + "' is not simulated" + Nearest.hint(key, all));
        }
        if (value.isEmpty()) {
            throw wrong(number, key + " has no value");
        }
        if (known.equals("ioengine") && !ENGINES.contains(value)) {
            throw wrong(number, "ioengine '" + value + "' is not simulated" + Nearest.hint(value, ENGINES));
        }
        entries.put(known, new Entry(value, number));
    }

    /** Returns the name of the job. */
    public String job() {
        return job;
    }

    /** Returns the name of the file. */
    public String name() {
        return name;
    }

    /** Returns whether the file says something of a key. */
    public boolean has(String key) {
        return entries.containsKey(key);
    }

    /** Returns what an error about the value of a key begins with: file, line, key. */
    public String where(String key) {
        Entry e = entries.get(key);
        return name + (e == null ? "" : " line " + e.line()) + ": " + key;
    }

    /** Returns what of the file changes nothing in a run on this stack, a line each. */
    public List<String> idle(StackKind stack) {
        List<String> all = new ArrayList<>();
        String file = value("filename");
        if (!file.isEmpty() && !file.contains("trtype")) {
            all.add(where("filename") + "=" + file + " has no effect: the load goes to simulated SSDs");
        }
        String engine = value("ioengine");
        boolean kernel = stack == StackKind.KERNEL_RDMA || stack == StackKind.KERNEL_TCP;
        if (!engine.isEmpty() && KERNEL_ENGINES.contains(engine) != kernel) {
            all.add(where("ioengine") + "=" + engine + " has no effect: --stack " + stack
                    + " says what I/Os go through");
        }
        if (has("randseed")) {
            all.add(where("randseed") + "=" + value("randseed") + " has no effect: --seed N is the root of all draws");
        }
        for (String key : List.of("rwmixread", "rwmixwrite")) {
            if (has(key) && !pattern().endsWith("rw")) {
                all.add(where(key) + "=" + value(key) + " has no effect: rw=" + pattern() + " is not mixed");
            }
        }
        return all;
    }

    /** Returns a value as it stands, empty if there is none. */
    public String value(String key) {
        Entry e = entries.get(key);
        return e == null ? "" : e.value();
    }

    /** Returns a whole number; {@code otherwise} if there is none. */
    public long number(String key, long least, long most, long otherwise) {
        Entry e = entries.get(key);
        if (e == null) {
            return otherwise;
        }
        boolean digits = e.value().matches("\\d{1,18}");
        if (!digits || Long.parseLong(e.value()) < least || Long.parseLong(e.value()) > most) {
            throw wrong(e.line(), key + "=" + e.value() + ": must be " + least + " to " + most);
        }
        return Long.parseLong(e.value());
    }

    /** Returns a time in seconds, such as {@code 60}, {@code 500ms} or {@code 2m}; {@code otherwise} if there is none. */
    public double seconds(String key, double otherwise) {
        Entry e = entries.get(key);
        if (e == null) {
            return otherwise;
        }
        String[] units = {"us", "ms", "s", "m", "h"};
        double[] factor = {1e-6, 1e-3, 1, 60, 3600};
        String text = e.value().toLowerCase(Locale.ROOT);
        for (int i = 0; i < units.length; i++) {
            String digits = text.endsWith(units[i]) ? text.substring(0, text.length() - units[i].length()) : "";
            if (digits.matches("\\d{1,9}(\\.\\d{1,9})?")) {
                return Double.parseDouble(digits) * factor[i];
            }
        }
        if (text.matches("\\d{1,9}(\\.\\d{1,9})?")) {
            return Double.parseDouble(text);
        }
        throw wrong(e.line(), key + "=" + e.value() + ": expected a time such as 60, 500ms or 2m");
    }

    /** Returns the exponent of a Zipf distribution, 0 if places are all alike. */
    public double zipf() {
        Entry e = entries.get("random_distribution");
        if (e == null || e.value().equals("random")) {
            return 0;
        }
        if (!e.value().matches("zipf:\\d{1,2}(\\.\\d{1,9})?")) {
            throw wrong(e.line(), "random_distribution=" + e.value() + ": must be random or zipf:THETA");
        }
        return Double.parseDouble(e.value().substring("zipf:".length()));
    }

    /** Returns the share of reads in percent; {@code otherwise} if there is none. */
    public int readPercent(int otherwise) {
        int writes = (int) number("rwmixwrite", 0, 100, -1);
        return (int) number("rwmixread", 0, 100, writes < 0 ? otherwise : 100 - writes);
    }

    /** Returns the pattern as {@code spdk_nvme_perf} calls it. */
    public String pattern() {
        String rw = value("rw");
        return switch (rw) {
            case "" -> "read"; // fio's default
            case "readwrite", "rw" -> "rw";
            default -> rw;
        };
    }
}
