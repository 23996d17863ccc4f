package dev.clockwire.bench.config.comware;

import dev.clockwire.bench.config.model.ClassKey;
import dev.clockwire.bench.config.model.DeviceConfig;
import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Rule;
import dev.clockwire.bench.config.model.Setting;
import dev.clockwire.bench.config.text.ConfigLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads commands of one switch, in order, and keeps the view they are given in. Sources: H3C command references "PFC commands" and "QoS
 * commands" of S6850, S9850 and S9825.
 */
public final class ComwareReader {
    static final String FORMAT = "comware";

    /** Words that a command may begin with. */
    private static final List<String> FIRST = List.of(
            "system-view",
            "sysname",
            "interface",
            "quit",
            "return",
            "description",
            "priority-flow-control",
            "qos",
            "queue",
            "import",
            "flow-control",
            "flowcontrol",
            "dcbx",
            "lldp",
            "jumboframe",
            "buffer",
            "undo",
            "display");

    /** Where commands are given. */
    enum View {
        SYSTEM,
        PORT,
        WRED,
        MAP,
        OTHER
    }

    final ImportLog log;
    final Map<String, WredTable> tables = new TreeMap<>();
    private final String deviceName;
    private @Nullable DeviceConfig device;
    private View view = View.SYSTEM;
    private List<PortConfig> ports = List.of();
    private String table = "";
    private int precisionMs = PfcCommand.NORMAL_MS;
    /** Detection of each priority: in steps, and the line that says so. */
    private final Map<Integer, Setting> intervals = new TreeMap<>();

    /**
     * Creates a reader.
     *
     * @param deviceName name of the switch until it says its own
     */
    public ComwareReader(String deviceName, ImportLog log) {
        this.deviceName = deviceName;
        this.log = log;
    }

    /** Returns the switch, null if no command spoke of one. */
    public @Nullable DeviceConfig device() {
        return device;
    }

    DeviceConfig made() {
        DeviceConfig known = device;
        if (known == null) {
            known = new DeviceConfig(DeviceConfig.Kind.COMWARE, deviceName, log.where());
            device = known;
        }
        return known;
    }

    /** A line that holds nothing but # ends a view, as printed configuration has it. */
    public void separator() {
        view = View.SYSTEM;
    }

    /** Takes a line; false if it is no command of the switch that this reader knows. */
    public boolean read(ConfigLine line) {
        List<String> words = keywords(line.words());
        if (!FIRST.contains(words.get(0)) || (words.get(0).equals("import") && view != View.MAP)) {
            return false;
        }
        if (words.get(0).equals("queue") && view != View.WRED) {
            return false;
        }
        if (words.get(0).equals("description") && view != View.PORT) {
            return false;
        }
        log.begin(line.file(), line.number(), line.text(), FORMAT);
        switch (words.get(0)) {
            case "system-view" -> enter(View.SYSTEM, List.of(), "commands for the whole switch");
            case "return", "quit" -> enter(View.SYSTEM, List.of(), "leaves the view");
            case "display" -> log.effect("prints; changes nothing");
            case "sysname" -> sysname(words);
            case "interface" -> enterPorts(words);
            case "description" -> described(words);
            case "jumboframe" -> jumbo(words);
            case "priority-flow-control" -> new PfcCommand(this, words).run();
            case "flow-control" -> pause(words);
            case "buffer" -> buffer(words);
            case "lldp" -> lldp(words);
            case "undo" -> {
                return undo(words);
            }
            default -> new QosCommand(this, words).run();
        }
        return true;
    }

    /** The switch does not tell upper from lower case in its own words; names stay as they are. */
    private static List<String> keywords(List<String> words) {
        List<String> lower = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String first = lower.isEmpty() ? "" : lower.get(0);
            boolean isRange =
                    words.get(i).equalsIgnoreCase("range") || words.get(i).equalsIgnoreCase("to");
            boolean isName = first.equals("sysname")
                    || first.equals("description")
                    || (first.equals("interface") && !isRange)
                    || (i > 0 && lower.get(i - 1).equals("table"))
                    || (i > 1 && lower.get(i - 1).equals("apply"));
            lower.add(isName ? words.get(i) : words.get(i).toLowerCase(Locale.ROOT));
        }
        return lower;
    }

    View view() {
        return view;
    }

    String tableName() {
        return table;
    }

    /** Returns the ports that a command is for: those of the view, or what all have. */
    List<PortConfig> targets() {
        return view == View.PORT ? ports : List.of(made().all());
    }

    void enter(View other, List<PortConfig> of, String effect) {
        view = other;
        ports = of;
        log.effect(effect);
    }

    void enterTable(String name, View kind, String effect) {
        table = name;
        enter(kind, List.of(), effect);
    }

    private void sysname(List<String> words) {
        if (words.size() != 2) {
            log.bad("sysname", String.join(" ", words), "sysname NAME");
            return;
        }
        made().rename(words.get(1));
        log.effect("the switch is called " + words.get(1));
    }

    private void enterPorts(List<String> words) {
        List<String> names = PortNames.of(words);
        if (names.isEmpty()) {
            enter(View.OTHER, List.of(), "a view without priorities");
            if (words.size() < 2
                    || PortNames.isEthernet(words.get(1))
                    || words.get(1).equals("range")) {
                log.bad("interface", String.join(" ", words), "an interface, as in interface HundredGigE 1/0/1");
            }
            return;
        }
        List<PortConfig> found = new ArrayList<>();
        for (String name : names) {
            PortConfig port = made().port(name, log.where());
            double gbps = PortNames.gbps(name);
            if (gbps > 0) {
                port.set(PortKey.GBPS, gbps, log.where());
            }
            found.add(port);
        }
        enter(View.PORT, found, found.size() == 1 ? "port " + names.get(0) : found.size() + " ports");
    }

    private void described(List<String> words) {
        String node = words.size() > 1 ? words.get(1) : "";
        ports.forEach(p -> p.joinedTo(node));
        log.effect("the port leads to " + node);
    }

    private void jumbo(List<String> words) {
        String last = words.get(words.size() - 1);
        if (words.size() < 2 || !words.get(1).equals("enable") || (words.size() > 2 && !last.matches("\\d{3,5}"))) {
            log.bad("jumboframe", String.join(" ", words), "jumboframe enable [BYTES]");
            return;
        }
        long bytes = words.size() > 2 ? Long.parseLong(last) : PortNames.LONGEST_FRAME;
        targets().forEach(p -> p.set(PortKey.MTU, bytes - PortNames.FRAME_AROUND_IP, log.where()));
        log.effect("frames of up to " + bytes + " B");
    }

    private void lldp(List<String> words) {
        String text = String.join(" ", words);
        if (text.equals("lldp tlv-enable dot1-tlv dcbx")) {
            targets().forEach(p -> p.set(PortKey.DCBX, 1, log.where()));
            log.effect("DCBX tells the far end what the port does");
        } else if (text.matches(
                "lldp (global enable|enable|disable|tlv-enable|compliance|mode|timer|hold-multiplier).*")) {
            log.effect("neighbours are told of the switch; no effect in the simulation");
        } else {
            log.bad("lldp", text, "lldp global enable, or lldp tlv-enable dot1-tlv dcbx on a port");
        }
    }

    private void pause(List<String> words) {
        boolean on = words.size() == 1 || words.get(words.size() - 1).equals("enable");
        if (words.size() > 3 || (words.size() > 1 && !on)) {
            log.bad("flow-control", String.join(" ", words), "flow-control [receive enable]");
            return;
        }
        targets().forEach(p -> p.set(PortKey.GLOBAL_PAUSE, 1, log.where()));
        log.effect("IEEE 802.3x pauses of the whole link");
    }

    private void buffer(List<String> words) {
        String text = String.join(" ", words);
        if (text.equals("buffer apply")) {
            log.effect("settings of buffers are in force");
        } else if (text.matches(
                "buffer egress (\\S+ \\S+ )?cell (queue \\S+ )?(guaranteed|shared|total-shared) ratio \\d+")) {
            log.effect(
                    "shares of the egress buffer; not simulated: lossless priorities are bounded where they come in");
        } else {
            log.bad("buffer", text, "buffer egress cell queue Q guaranteed|shared ratio N, or buffer apply");
        }
    }

    private boolean undo(List<String> words) {
        String text = String.join(" ", words.subList(1, words.size()));
        if (text.startsWith("priority-flow-control no-drop")) {
            targets().forEach(p -> PfcCommand.lossless(p, 0, log.where()));
            log.effect("no priority is lossless");
        } else if (text.equals("priority-flow-control") || text.equals("priority-flow-control enable")) {
            targets().forEach(p -> p.set(PortKey.PFC_MODE, 0, log.where()));
            log.effect("PFC off");
        } else if (text.startsWith("flow-control")) {
            targets().forEach(p -> p.set(PortKey.GLOBAL_PAUSE, 0, log.where()));
            log.effect("no pauses of the whole link");
        } else if (text.startsWith("qos trust")) {
            targets().forEach(p -> p.set(PortKey.TRUST, 0, log.where()));
            log.effect("packets have the priority of the port");
        } else {
            return false;
        }
        return true;
    }

    void precisionMs(int ms) {
        precisionMs = ms;
    }

    void interval(int c, int steps) {
        made();
        intervals.put(c, new Setting(steps, log.where()));
    }

    /** Ends the file: tables go to the ports that use them, and steps become times. */
    public void close() {
        DeviceConfig known = device;
        if (known == null) {
            return;
        }
        tables.values().forEach(t -> t.apply(known, log));
        intervals.forEach((c, steps) -> {
            known.all().set(PortKey.DETECT_MS, steps.value() * precisionMs, steps.where());
            if (known.ports().stream().noneMatch(p -> p.on(ClassKey.LOSSLESS, c))) {
                log.finding(
                        Rule.WATCHDOG_NOT_LOSSLESS,
                        Rule.WATCHDOG_NOT_LOSSLESS.severity(),
                        steps.where(),
                        c,
                        "deadlock detection of priority " + c + ", for which no port has PFC",
                        "priority-flow-control no-drop dot1p " + c + ", or detection of a priority that has it");
            }
        });
    }
}
