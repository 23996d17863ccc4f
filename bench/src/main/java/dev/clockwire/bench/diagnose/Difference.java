package dev.clockwire.bench.diagnose;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What has happened between two readings. A counter that is smaller than before has wrapped, if it is one of 32 bits that was in its upper
 * half (mlx5 reads those of queues and of PCIe as {@code __be32}), or began anew: a driver was loaded, somebody cleared it.
 */
final class Difference {
    private static final long WRAP = 1L << 32;
    private static final long UPPER_HALF = WRAP / 2;
    private static final int SHOWN = 3;

    /** What is as it is, and does not count: settings, longest queues, shares of time, sizes of memory. */
    private static final Pattern LEVEL = Pattern.compile(
            ".*(?:_min|_max|_limit|_node|_memory)|outbound_pci_stalled_(?:rd|wr)|.*-.*|nodebind|membind|Vm\\w+|Huge\\w+");

    private final Counters before;
    private final Counters after;
    private final Counters between = new Counters();
    private final List<String> wrapped = new ArrayList<>();
    private final List<String> anew = new ArrayList<>();
    private final TreeSet<String> ended = new TreeSet<>();
    private final TreeSet<String> unknown = new TreeSet<>();

    private Difference(Counters before, Counters after) {
        this.before = before;
        this.after = after;
    }

    static Counters of(Counters before, Counters after) {
        return new Difference(before, after).take();
    }

    private Counters take() {
        between.since(Counters.Since.READING);
        between.over(Math.max(0, after.seconds() - before.seconds()));
        between.takeMessages(after);
        before.remarks().forEach(r -> between.remark("before: " + r));
        after.remarks().forEach(between::remark);
        for (Machine m : after.machines()) {
            Machine old = earlier(m);
            between.machine(m.name()).takeSettings(m);
            m.numbers().forEach((name, value) -> one(m.name(), name, value, old));
        }
        tell(wrapped, "wrapped at 2^32 in between");
        tell(anew, "smaller than before, so they began anew in between; what they count since then is looked at");
        tell(List.copyOf(ended), "stands at its end and counts no more (perfquery -R clears it)");
        tell(List.copyOf(unknown), "only in the later reading, left out");
        return between;
    }

    /** Two readings of one machine each are of the same one, however it is called. */
    private @Nullable Machine earlier(Machine m) {
        for (Machine old : before.machines()) {
            if (old.name().equals(m.name())) {
                return old;
            }
        }
        return before.machines().size() == 1 && after.machines().size() == 1
                ? before.machines().iterator().next()
                : null;
    }

    private void one(String machine, String name, long value, @Nullable Machine old) {
        Machine into = between.machine(machine);
        String shown = (machine + " " + name).strip();
        if (LEVEL.matcher(name).matches()) {
            into.number(name, value);
            return;
        }
        Map<String, Long> was = old == null ? Map.of() : old.numbers();
        Long first = was.get(name);
        if (first == null) {
            unknown.add(shown);
            return;
        }
        String change = String.format(Locale.ROOT, "%s (%d, then %d)", shown, first, value);
        if (PortCounterNames.isAtItsEnd(name, first) && value == first) {
            ended.add(shown);
        } else if (value >= first) {
            into.number(name, value - first);
        } else if (first >= UPPER_HALF && first < WRAP && value + WRAP - first < UPPER_HALF) {
            wrapped.add(change);
            into.number(name, value + WRAP - first);
        } else {
            anew.add(change);
            into.number(name, value);
        }
    }

    private void tell(List<String> counters, String what) {
        if (!counters.isEmpty()) {
            String more = counters.size() <= SHOWN ? "" : " and " + (counters.size() - SHOWN) + " more";
            between.remark(String.join(", ", counters.subList(0, Math.min(SHOWN, counters.size()))) + more + ": "
                    + what);
        }
    }
}
