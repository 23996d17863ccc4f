package dev.clockwire.bench.config.comware;

import dev.clockwire.bench.config.comware.ComwareReader.View;
import dev.clockwire.bench.config.model.ClassKey;
import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Rule;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code qos ...}, and what is written in the views of its tables. */
final class QosCommand {
    private static final int CODE_POINTS = 64;
    private static final int MOST_LIMIT = 1 << 22;
    private static final int MOST_EXPONENT = 15;
    private static final double PER_CENT = 100.0;
    private static final List<String> SECOND =
            List.of("trust", "map-table", "wred", "wrr", "wfq", "sp", "priority", "gts", "lr", "apply");
    private static final List<String> TABLES =
            List.of("dscp-dot1p", "dot1p-lp", "dscp-lp", "dot1p-dp", "dscp-dp", "dscp-dscp", "dot1p-exp", "exp-dot1p");
    private static final List<String> QUEUES = List.of("be", "af1", "af2", "af3", "af4", "ef", "cs6", "cs7");
    private static final Pattern LIMITS = Pattern.compile(
            "(?:drop-level ([0-9]+) )?low-limit (\\d{1,8}) high-limit (\\d{1,8})(?: discard-probability (\\d{1,4}))?");

    private final ComwareReader reader;
    private final ImportLog log;
    private final List<String> words;

    QosCommand(ComwareReader reader, List<String> words) {
        this.reader = reader;
        this.log = reader.log;
        this.words = words;
    }

    void run() {
        if (ForeignWords.refused(words, log)) {
            return;
        }
        switch (words.get(0)) {
            case "queue" -> queue(reader.tables.get(reader.tableName()), words.subList(1, words.size()));
            case "import" -> entry();
            default -> second();
        }
    }

    private void second() {
        switch (word(1)) {
            case "trust" -> trust();
            case "map-table" -> table();
            case "wred" -> wred();
            case "wrr", "wfq", "sp" -> schedule();
            case "priority" -> portPriority();
            case "gts", "lr", "apply" -> log.effect("shaping and policies; not simulated");
            default -> log.unknownWord(Rule.NOT_COMWARE, "qos command", word(1), SECOND);
        }
    }

    private String word(int at) {
        return at < words.size() ? words.get(at) : "";
    }

    private String from(int at) {
        return at < words.size() ? String.join(" ", words.subList(at, words.size())) : "";
    }

    private void trust() {
        int trust = switch (word(2)) {
            case "dscp" -> 2;
            case "dot1p" -> 1;
            default -> -1;
        };
        if (trust < 0) {
            log.bad("qos trust", word(2), "dscp or dot1p");
            return;
        }
        reader.targets().forEach(p -> p.set(PortKey.TRUST, trust, log.where()));
        log.effect("the " + (trust == 2 ? "DSCP" : "tag") + " decides about the priority");
    }

    private void portPriority() {
        if (!word(2).matches("[0-7]")) {
            log.bad("qos priority", word(2), "0 to 7");
            return;
        }
        reader.targets().forEach(p -> p.set(PortKey.PORT_PRIORITY, Integer.parseInt(word(2)), log.where()));
        log.effect("priority " + word(2) + " of packets whose own is not looked at");
    }

    private void table() {
        if (!TABLES.contains(word(2))) {
            log.unknownWord(Rule.NOT_COMWARE, "qos map-table", word(2), TABLES);
            reader.enterTable("", View.OTHER, "no table");
            return;
        }
        reader.enterTable(word(2), View.MAP, "table " + word(2));
    }

    /** {@code import LIST export VALUE} in the view of a table. */
    private void entry() {
        int export = words.indexOf("export");
        boolean dscp = reader.tableName().startsWith("dscp");
        int most = dscp ? CODE_POINTS - 1 : PortConfig.CLASSES - 1;
        long points = export < 2 ? 0 : points(String.join(" ", words.subList(1, export)), most);
        String value = export < 0 ? "" : word(export + 1);
        int top = reader.tableName().endsWith("dscp") ? CODE_POINTS - 1 : PortConfig.CLASSES - 1;
        if (points == 0 || !value.matches("\\d{1,2}") || Integer.parseInt(value) > top) {
            log.bad("import", from(1), "import 0 to " + most + " export 0 to " + top);
            return;
        }
        int priority = Integer.parseInt(value);
        PortConfig all = reader.made().all();
        switch (reader.tableName()) {
            case "dscp-dot1p", "dscp-lp" -> {
                for (int d = 0; d < CODE_POINTS; d++) {
                    if ((points >> d & 1) != 0) {
                        all.mapDscp(d, priority, log.where());
                    }
                }
                log.effect("DSCP " + String.join(" ", words.subList(1, export)) + " is priority " + priority);
            }
            case "dot1p-lp" -> {
                for (int p = 0; p < PortConfig.CLASSES; p++) {
                    if ((points >> p & 1) != 0) {
                        all.set(ClassKey.TC, p, priority, log.where());
                    }
                }
                log.effect("priority " + String.join(" ", words.subList(1, export)) + " is in queue " + priority);
            }
            default -> log.effect("entry of " + reader.tableName() + "; not simulated");
        }
    }

    /** Returns a bit for each number of {@code 24 26 to 28}; 0 if one is none. */
    private static long points(String text, int most) {
        long bits = 0;
        for (String part : text.replace(" to ", "-").split("[ ,]", -1)) {
            Matcher m = Pattern.compile("(\\d{1,2})(?:-(\\d{1,2}))?").matcher(part);
            if (!m.matches()) {
                return 0;
            }
            int first = Integer.parseInt(m.group(1));
            int last = m.group(2) == null ? first : Integer.parseInt(m.group(2));
            if (first > last || last > most) {
                return 0;
            }
            for (int i = first; i <= last; i++) {
                bits |= 1L << i;
            }
        }
        return bits;
    }

    private void wred() {
        if (word(2).equals("queue") && word(3).equals("table")) {
            String name = word(4);
            if (name.isEmpty()) {
                log.bad("qos wred queue table", "", "a name");
                return;
            }
            reader.made();
            reader.tables.computeIfAbsent(name, n -> new WredTable(n, log.where()));
            reader.enterTable(name, View.WRED, "WRED table " + name);
        } else if (word(2).equals("apply")) {
            WredTable known = reader.tables.get(word(3));
            if (known == null || reader.view() != View.PORT) {
                log.bad(
                        "qos wred apply",
                        word(3),
                        known == null ? "a WRED table of this file" : "in the view of a port");
                return;
            }
            known.use(reader.targets());
            log.effect("the port marks as WRED table " + word(3) + " says (switches.ecn)");
        } else if (word(2).equals("queue")) {
            queue(null, words.subList(3, words.size()));
        } else {
            log.unknownWord(Rule.NOT_COMWARE, "qos wred command", word(2), List.of("queue table", "queue", "apply"));
        }
    }

    /** A queue of a table, or of the port if there is no table: {@code N ecn}, {@code N weighting-constant W}, {@code N low-limit ...}. */
    private void queue(@Nullable WredTable table, List<String> rest) {
        int queue = !rest.isEmpty() && rest.get(0).matches("[0-7]") ? Integer.parseInt(rest.get(0)) : -1;
        String what = rest.isEmpty() ? "" : String.join(" ", rest.subList(1, rest.size()));
        Matcher limits = LIMITS.matcher(what);
        if (queue < 0) {
            log.bad("queue", rest.isEmpty() ? "" : rest.get(0), "0 to 7");
        } else if (what.equals("ecn")) {
            set(table, ClassKey.ECN, queue, 1);
            log.effect("queue " + queue + " marks (switches.ecn)");
        } else if (what.matches("weighting-constant \\d{1,3}")) {
            int w = Integer.parseInt(what.substring(what.lastIndexOf(' ') + 1));
            if (w > MOST_EXPONENT) {
                log.bad("weighting-constant", Integer.toString(w), "0 to " + MOST_EXPONENT);
                return;
            }
            set(table, ClassKey.AVERAGE, queue, w);
            log.effect("queue " + queue + (w == 0 ? ": its length now counts" : ": averaged over 2^" + w + " packets"));
        } else if (limits.matches()) {
            limits(table, queue, limits);
        } else {
            log.bad(
                    "queue " + queue,
                    what,
                    "ecn, weighting-constant 0 to 15, or [drop-level 0 to 2] low-limit CELLS high-limit CELLS"
                            + " [discard-probability 0 to 100]");
        }
    }

    private void limits(@Nullable WredTable table, int queue, Matcher m) {
        long low = Long.parseLong(m.group(2));
        long high = Long.parseLong(m.group(3));
        int probability = m.group(4) == null ? 10 : Integer.parseInt(m.group(4));
        if (m.group(1) != null && !m.group(1).matches("[0-2]")) {
            log.bad("drop-level", m.group(1), "0 (green), 1 (yellow) or 2 (red)");
            return;
        }
        if (low > MOST_LIMIT || high > MOST_LIMIT || probability > PER_CENT) {
            log.bad("queue " + queue, m.group(), "limits up to " + MOST_LIMIT + " cells, a probability up to 100 %");
            return;
        }
        if (m.group(1) != null && !m.group(1).equals("0")) {
            log.effect("yellow and red packets; all packets are green in the simulation");
            return;
        }
        set(table, ClassKey.KMIN, queue, (double) (low * PfcCommand.CELL));
        set(table, ClassKey.KMAX, queue, (double) (high * PfcCommand.CELL));
        set(table, ClassKey.PMAX, queue, probability / PER_CENT);
        log.effect("queue " + queue + ": Kmin " + low * PfcCommand.CELL + " B, Kmax " + high * PfcCommand.CELL
                + " B, Pmax " + probability + " % (switches.ecn)");
    }

    private void set(@Nullable WredTable table, ClassKey key, int queue, double value) {
        if (table == null) {
            reader.targets().forEach(p -> p.set(key, queue, value, log.where()));
        } else {
            table.set(key, queue, value, log.where());
        }
    }

    /** {@code qos wfq ef group 1 byte-count 96}, {@code qos wrr cs6 group sp}, {@code qos sp}. */
    private void schedule() {
        if (words.size() == 2
                || (words.size() == 3 && List.of("byte-count", "weight").contains(word(2)))) {
            for (int c = 0; c < PortConfig.CLASSES; c++) {
                int queue = c;
                reader.targets().forEach(p -> p.set(ClassKey.STRICT, queue, word(1).equals("sp") ? 1 : 0, log.where()));
            }
            log.effect(word(1).equals("sp") ? "all queues are strict" : "queues share by weight (switches.scheduling)");
            return;
        }
        int queue = word(2).matches("[0-7]") ? Integer.parseInt(word(2)) : QUEUES.indexOf(word(2));
        String share = word(words.size() - 1);
        boolean strict = from(3).equals("group sp");
        if (queue < 0) {
            log.unknownWord(Rule.NOT_COMWARE, "queue", word(2), QUEUES);
        } else if (!strict && (!from(3).matches("group [12] (weight|byte-count) \\d{1,3}") || share.matches("0+"))) {
            log.bad("qos " + word(1) + " " + word(2), from(3), "group sp, or group 1 weight|byte-count 1 to 999");
        } else {
            reader.targets().forEach(p -> {
                p.set(ClassKey.STRICT, queue, strict ? 1 : 0, log.where());
                if (!strict) {
                    p.set(ClassKey.SHARE, queue, Integer.parseInt(share), log.where());
                }
            });
            log.effect("queue " + queue + (strict ? " is strict" : " has weight " + share) + " (switches.scheduling)");
        }
    }
}
