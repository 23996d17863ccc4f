package dev.clockwire.bench.cli;

import dev.clockwire.bench.nvmf.NvmfSpec;
import dev.clockwire.bench.nvmf.PerfResults;
import dev.clockwire.bench.nvmf.PerfRun;
import dev.clockwire.bench.nvmf.StackKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** {@code --against}: the same load on the same hardware by another stack, and both side by side. */
final class NvmfComparison {
    private static final double PERCENT = 100;

    private final NvmfSpec spec;
    private final PerfResults other;

    private NvmfComparison(NvmfSpec spec, PerfResults other) {
        this.spec = spec;
        this.other = other;
    }

    /** Runs the other stack. */
    static NvmfComparison run(NvmfSpec first, StackKind stack) {
        NvmfSpec spec = first.with(stack);
        return new NvmfComparison(spec, new PerfRun(spec).run(Interrupt::requested));
    }

    /** What the JSON document has of the other stack. */
    record Document(
            String stack,
            @Nullable Double iops,
            PerfResults.@Nullable Latency latencyUs,
            List<PerfResults.Core> cores,
            Map<String, Double> perIo,
            long errors) {}

    Document document() {
        return new Document(
                spec.stack().toString(),
                other.ios() == 0 ? null : (Double) other.iops(),
                other.latencyUs(),
                other.cores(),
                other.perIo(),
                other.errors());
    }

    boolean isInterrupted() {
        return other.interrupted();
    }

    long errors() {
        return other.errors();
    }

    /** Prints a line for each figure that one of the two has. */
    void print(Console console, StackKind stack, PerfResults results) {
        console.line("Against --stack " + spec.stack() + " on the same hardware"
                + (other.interrupted() ? ", INTERRUPTED:" : ":"));
        row(console, "", stack.toString(), spec.stack().toString());
        Map<String, Double> mine = figures(results);
        Map<String, Double> theirs = figures(other);
        LinkedHashMap<String, Double> all = new LinkedHashMap<>(mine);
        new TreeSet<>(theirs.keySet()).forEach(name -> all.putIfAbsent(name, 0.0));
        all.keySet().forEach(name -> row(console, name, text(mine.get(name)), text(theirs.get(name))));
    }

    private static void row(Console console, String name, String a, String b) {
        console.line(String.format(Locale.ROOT, " %-34s %14s %14s", name, a, b).stripTrailing());
    }

    private static String text(@Nullable Double x) {
        return x == null ? "-" : String.format(Locale.ROOT, "%.2f", x);
    }

    private static Map<String, Double> figures(PerfResults r) {
        Map<String, Double> all = new LinkedHashMap<>();
        PerfResults.Latency l = r.latencyUs();
        if (l != null) {
            all.put("IOPS", r.iops());
            all.put("mean us", l.avg());
            all.put("P50 us", l.p50());
            all.put("P99 us", l.p99());
            all.put("P99.9 us", l.p999());
        }
        for (PerfResults.Core c : r.cores()) {
            all.put(c.name() + " busy %", c.busyFraction() * PERCENT);
            all.put(c.name() + " polling in vain %", c.cqPollingFraction() * PERCENT);
        }
        r.perIo().forEach((name, n) -> all.put(name.replace('_', ' ') + ", each I/O", n));
        return all;
    }
}
