package dev.clockwire.bench.diagnose;

import dev.clockwire.bench.device.LspciReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what tools print: {@code grep . /sys/class/infiniband/...}, {@code ethtool -S} and {@code -c}, {@code rdma}, {@code perfquery},
 * {@code numactl --show}, {@code lspci -vvv}, {@code perf stat}, {@code /proc}. Other lines are counted and told. A line {@code # NAME: command}
 * says whose the lines behind it are.
 */
final class CounterText {
    private static final int LONGEST_LINE = 8192;
    private static final int LONGEST_NAME = 64;
    /** What {@code grep --color} and {@code watch} send to a terminal. */
    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;?]*+[A-Za-z]");

    private static final Pattern HEADING = Pattern.compile("^# ([\\w.-]{1,64}): (.*)$");
    private static final Pattern TYPED = Pattern.compile(".*\\bethtool (?:-S|--statistics) ([\\w.-]{1,64})(?:\\s.*)?$");
    private static final Pattern PERFQUERY =
            Pattern.compile("^# Port (?:extended )?counters: Lid (\\d+) port (\\d+).*$");
    private static final Pattern FILE = Pattern.compile("^(?:\\./)?+/?+((?:[^/\\s]++/)++)([^/:\\s]++):\\s*+(\\S.*)$");
    /** What {@code head} and {@code tail} print above each of several files. */
    private static final Pattern FILE_ABOVE = Pattern.compile("^==> (\\S++) <==$");

    private static final Pattern RDMA_DEVICE =
            Pattern.compile("^(?:.*infiniband/)?+([a-z][a-z0-9-]*_[a-z0-9]+)/(?:ports/(\\d+)/|device/).*$");
    private static final Pattern INTERFACE = Pattern.compile("^.*class/net/([\\w.-]+)/.*$");
    private static final Pattern DOTS = Pattern.compile("^([A-Z]\\w+):\\.+(\\S+)$");
    private static final Pattern FIELD = Pattern.compile("^\\s*+([A-Za-z][\\w.-]*+(?: RX)?+)\\s*+:\\s*+(\\S.*)$");
    private static final Pattern PAIR = Pattern.compile("^\\s*([A-Za-z][\\w.-]*)(?:\\s+|\\s*=\\s*)(-?\\d[\\d,]*)$");
    private static final Pattern PERF = Pattern.compile("^\\s*+([\\d,]++)\\s++\\w++/(\\w++)/.*$");
    private static final Pattern INTERRUPT =
            Pattern.compile("^\\s*+\\d++:\\s++((?:\\d++\\s++)++).*\\b(mlx5_comp)\\d++@.*$");
    private static final Pattern LINK = Pattern.compile("^(?:link (\\w+)/(\\d+)|\\d+: (\\w+):) ([a-z].*)$");
    /** Objects of {@code rdma resource} and counters that are bound to queue pairs: none of the port's counters. */
    private static final Pattern OBJECT = Pattern.compile("^(?:lqpn|cqn|mrn|pdn|cm-id|ctxn|srqn|cntn)\\b.*");

    private static final Pattern FUNCTION =
            Pattern.compile("^((?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7] .{1,200})$");
    private static final Pattern LOCKED = Pattern.compile("^(?:.*RLIMIT_MEMLOCK|Max locked memory)\\s++(\\d++) .*$");
    /** Headings, what was typed, tables of interrupts, marks around a quotation. */
    private static final Pattern SILENT =
            Pattern.compile("^(?:[#$>`].*|.*[\\]~][#$] .*|[\\w ]+ (?:statistics|parameters for \\S+):|link"
                    + " \\S+|CPU\\d+.*|[0-9A-Z]{1,4}:\\s+\\d.*||.*counter stats for .*|.*seconds time elapsed.*)$");

    private static final List<String> MESSAGES =
            List.of(Messages.NO_HUGE_PAGES, Messages.POOL, Messages.NO_MEMORY, Messages.NO_REGION);

    private final Counters all;
    private final Parts parts;
    private final OddLines odd = new OddLines();
    private final List<String> lspci = new ArrayList<>();
    private String above = "";

    private CounterText(Counters all, String machine) {
        this.all = all;
        parts = new Parts(machine);
    }

    /** Reads lines into counters; those before the first heading are of a machine. */
    static void read(List<String> lines, String machine, Counters into) {
        CounterText reader = new CounterText(into, machine);
        for (int i = 0; i < lines.size(); i++) {
            String line = COLOUR.matcher(lines.get(i).replace('\u00a0', ' ').replace("\ufeff", ""))
                    .replaceAll("");
            reader.odd.at(i + 1);
            if (line.length() > LONGEST_LINE) {
                reader.odd.unread(line.substring(0, LONGEST_NAME));
            } else {
                reader.line(line);
            }
        }
        reader.endOfFunction();
        reader.parts.mergeInto(into);
        reader.odd.tell(into);
        into.machines().forEach(CounterText::derive);
    }

    /** The IOMMU's counters say how often a translation was looked for and found; the rest was walked to. */
    private static void derive(Machine m) {
        if (m.has("iotlb_lookup") && m.has("iotlb_hit")) {
            m.number("iotlb_miss", Math.max(0, m.get("iotlb_lookup") - m.get("iotlb_hit")));
        }
    }

    private void line(String line) {
        if (FUNCTION.matcher(line).matches()) {
            endOfFunction();
            lspci.add(line);
            return;
        }
        if (!lspci.isEmpty() && !line.isBlank() && Character.isWhitespace(line.charAt(0))) {
            lspci.add("\t" + line.strip());
            return;
        }
        endOfFunction();
        if (heading(line) || below(line.strip())) {
            return;
        }
        MESSAGES.stream().filter(line::contains).forEach(all::said);
        Matcher locked = LOCKED.matcher(line);
        if (locked.matches()) {
            put("max_locked_memory", locked.group(1));
        } else if (!link(line) && !special(line) && !plain(line) && !isSilent(line)) {
            odd.unread(line.strip());
        }
    }

    private static boolean isSilent(String line) {
        return MESSAGES.stream().anyMatch(line::contains)
                || SILENT.matcher(line.strip()).matches();
    }

    private boolean heading(String line) {
        Matcher typed = TYPED.matcher(line);
        Matcher heading = HEADING.matcher(line);
        if (heading.matches()) {
            parts.machine(heading.group(1));
        }
        if (typed.matches()) {
            parts.networkInterface(typed.group(1));
            return true;
        }
        Matcher query = PERFQUERY.matcher(line);
        if (query.matches()) {
            parts.lid(query.group(1), query.group(2));
            return true;
        }
        return heading.matches();
    }

    /** The first line of a file whose name stands above it. */
    private boolean below(String line) {
        Matcher name = FILE_ABOVE.matcher(line);
        if (name.matches()) {
            above = name.group(1);
            return true;
        }
        if (above.isEmpty() || line.isEmpty()) {
            return false;
        }
        String whole = above + ": " + line;
        above = "";
        return file(whole) || plain(whole);
    }

    private void endOfFunction() {
        if (!lspci.isEmpty()) {
            parts.at().function(lspci.get(0), LspciReader.flags(lspci.subList(1, lspci.size())));
            lspci.clear();
        }
    }

    private boolean link(String line) {
        Matcher link = LINK.matcher(line);
        if (!link.matches()) {
            return false;
        }
        if (link.group(1) != null) {
            parts.rdmaDevice(link.group(1), link.group(2));
        }
        if (OBJECT.matcher(link.group(4)).matches()) {
            return true;
        }
        String[] words = link.group(4).strip().split("\\s+", -1);
        for (int i = 0; i + 1 < words.length; i += 2) {
            if (words[i].equals("netdev")) {
                parts.joins(words[i + 1]);
            }
            put(words[i], words[i + 1]);
        }
        return true;
    }

    private boolean special(String line) {
        Matcher perf = PERF.matcher(line);
        if (perf.matches()) {
            put(perf.group(2), perf.group(1));
            return true;
        }
        Matcher interrupt = INTERRUPT.matcher(line);
        if (interrupt.matches()) {
            long sum = parts.at().numbers().getOrDefault("mlx5_comp", 0L);
            for (String cpu : interrupt.group(1).strip().split("\\s+", -1)) {
                Long n = CounterValue.of(cpu).value();
                sum += n == null ? 0 : n;
            }
            parts.at().number("mlx5_comp", sum);
            return true;
        }
        Matcher dots = DOTS.matcher(line);
        if (dots.matches()) {
            put(PortCounterNames.file(dots.group(1)), dots.group(2));
            return true;
        }
        return file(line);
    }

    private boolean file(String line) {
        Matcher file = FILE.matcher(line);
        if (!file.matches()) {
            return false;
        }
        String path = file.group(1);
        Matcher device = RDMA_DEVICE.matcher(path);
        Matcher network = INTERFACE.matcher("/" + path);
        if (device.matches()) {
            parts.rdmaDevice(device.group(1), device.group(2));
        } else if (network.matches()) {
            parts.networkInterface(network.group(1));
        }
        if (!path.contains("/debug/")) {
            put(file.group(2), file.group(3).strip());
        }
        return true;
    }

    private boolean plain(String line) {
        for (Pattern form : List.of(FIELD, PAIR)) {
            Matcher m = form.matcher(line);
            if (m.matches()) {
                put(m.group(1), m.group(2).strip());
                return true;
            }
        }
        return false;
    }

    private void put(String name, String text) {
        if (name.length() > LONGEST_NAME || text.length() > LONGEST_NAME) {
            return;
        }
        CounterValue read = CounterValue.of(text);
        Long value = read.value();
        boolean counts = name.startsWith("rx_") || name.startsWith("tx_");
        if (!read.odd().isEmpty()) {
            odd.value(name + ": " + text, read.odd());
            return;
        }
        if (value == null && counts) {
            odd.value(name + ": " + text, "is no number");
            return;
        }
        if (value != null && value < 0 && !name.endsWith("node")) {
            odd.value(name + ": " + text, "counters are not negative");
            return;
        }
        if (value != null) {
            long before = parts.at().number(name, value);
            if (before != value) {
                odd.twice(name, before, value);
            }
        }
        parts.at().word(name, text);
    }

    /** Takes over counters that have names already. */
    static void put(Machine machine, Map<String, Long> numbers) {
        numbers.forEach((name, value) -> machine.number(plainName(name), value));
    }

    /** The NIC's own counters stand for the machine: {@code nic.req_cqe_error} is {@code req_cqe_error}. */
    static String plainName(String name) {
        String own = name.startsWith("nic.") ? name.substring(4) : name;
        return own.indexOf('.') < 0 ? own : name;
    }
}
