package dev.clockwire.bench.diagnose;

import dev.clockwire.bench.device.LspciReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what tools print: {@code grep . /sys/class/infiniband/...}, {@code ethtool -S} and {@code -c}, {@code rdma}, {@code numactl --show},
 * {@code lspci -vvv}, {@code perf stat}, {@code /proc}. Other lines are passed over. A line {@code # NAME: command} says whose the lines behind it are.
 */
final class CounterText {
    private static final int LONGEST_LINE = 4096;
    private static final int LONGEST_NAME = 64;
    private static final int MOST_DIGITS = 18;
    private static final Pattern HEADING = Pattern.compile("^# ([\\w.-]{1,64}): .*");
    private static final Pattern FILE = Pattern.compile("^/(?:sys|proc)/(?:[^/\\s]++/)*+([^/:\\s]++):\\s*+(\\S.*)$");
    private static final Pattern FIELD = Pattern.compile("^\\s*+([A-Za-z][\\w.-]*+(?: RX)?+)\\s*+:\\s*+(\\S.*)$");
    private static final Pattern PAIR = Pattern.compile("^\\s*([a-z][a-z0-9_]*)\\s+(\\d+)$");
    private static final Pattern PERF = Pattern.compile("^\\s*+([\\d,]++)\\s++\\w++/(\\w++)/.*$");
    private static final Pattern INTERRUPT =
            Pattern.compile("^\\s*+\\d++:\\s++((?:\\d++\\s++)++).*\\b(mlx5_comp)\\d++@.*$");
    private static final Pattern LINK = Pattern.compile("^(?:link \\S+|\\d+: \\w+:) ([a-z].*)$");
    private static final Pattern FUNCTION =
            Pattern.compile("^((?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7] .{1,200})$");
    private static final Pattern NUMBER = Pattern.compile("(-?\\d+)(?: (?:kB|B|us|%))?");
    private static final Pattern LOCKED = Pattern.compile("^(?:.*RLIMIT_MEMLOCK|Max locked memory)\\s++(\\d++) .*$");
    private static final List<String> MESSAGES =
            List.of(Messages.NO_HUGE_PAGES, Messages.POOL, Messages.NO_MEMORY, Messages.NO_REGION);

    private final Counters all;
    private Machine at;
    private final List<String> lspci = new ArrayList<>();

    private CounterText(Counters all, String machine) {
        this.all = all;
        at = all.machine(machine);
    }

    /** Reads lines into counters; those before the first heading are of a machine. */
    static void read(List<String> lines, String machine, Counters into) {
        CounterText reader = new CounterText(into, machine);
        lines.stream().filter(line -> line.length() <= LONGEST_LINE).forEach(reader::line);
        reader.endOfFunction();
        into.machines().forEach(CounterText::derive);
    }

    /** The IOMMU's counters say how often a translation was looked for and found; the rest was walked to. */
    private static void derive(Machine m) {
        if (m.has("iotlb_lookup") && m.has("iotlb_hit")) {
            m.number("iotlb_miss", Math.max(0, m.get("iotlb_lookup") - m.get("iotlb_hit")));
        }
    }

    private void line(String line) {
        Matcher heading = HEADING.matcher(line);
        if (heading.matches()) {
            endOfFunction();
            at = all.machine(heading.group(1));
            return;
        }
        if (FUNCTION.matcher(line).matches()) {
            endOfFunction();
            lspci.add(line);
        } else if (!lspci.isEmpty() && line.startsWith("\t")) {
            lspci.add(line);
        } else {
            endOfFunction();
            MESSAGES.stream().filter(line::contains).forEach(all::said);
            Matcher locked = LOCKED.matcher(line);
            if (locked.matches()) {
                put("max_locked_memory", locked.group(1));
                return;
            }
            value(line);
        }
    }

    private void endOfFunction() {
        if (!lspci.isEmpty()) {
            at.function(lspci.get(0), LspciReader.flags(lspci.subList(1, lspci.size())));
            lspci.clear();
        }
    }

    private void value(String line) {
        Matcher link = LINK.matcher(line);
        if (link.matches()) {
            String[] words = link.group(1).split(" +", -1);
            for (int i = 0; i + 1 < words.length; i += 2) {
                put(words[i], words[i + 1]);
            }
            return;
        }
        Matcher perf = PERF.matcher(line);
        if (perf.matches()) {
            put(perf.group(2), perf.group(1).replace(",", ""));
            return;
        }
        Matcher interrupt = INTERRUPT.matcher(line);
        if (interrupt.matches()) {
            for (String cpu : interrupt.group(1).strip().split("\\s+", -1)) {
                at.number("mlx5_comp", at.get("mlx5_comp") + number(cpu).orElse(0));
            }
            return;
        }
        for (Pattern form : List.of(FILE, FIELD, PAIR)) {
            Matcher m = form.matcher(line);
            if (m.matches()) {
                put(m.group(1), m.group(2).strip());
                return;
            }
        }
    }

    private void put(String name, String value) {
        if (name.isEmpty() || name.length() > LONGEST_NAME || value.length() > LONGEST_NAME) {
            return;
        }
        OptionalLong number = number(value);
        number.ifPresent(n -> at.number(name, n));
        at.word(name, value);
    }

    private static OptionalLong number(String text) {
        Matcher m = NUMBER.matcher(text);
        return m.matches() && m.group(1).length() <= MOST_DIGITS
                ? OptionalLong.of(Long.parseLong(m.group(1)))
                : OptionalLong.empty();
    }

    /** Takes over counters that have names already. */
    static void put(Machine machine, Map<String, Long> numbers) {
        numbers.forEach((name, value) -> machine.number(plain(name), value));
    }

    /** The NIC's own counters stand for the machine: {@code nic.req_cqe_error} is {@code req_cqe_error}. */
    static String plain(String name) {
        String own = name.startsWith("nic.") ? name.substring(4) : name;
        return own.indexOf('.') < 0 ? own : name;
    }
}
