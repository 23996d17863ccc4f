package dev.clockwire.bench.fault;

import dev.clockwire.bench.yaml.Kind;
import dev.clockwire.bench.yaml.Shape;
import dev.clockwire.bench.yaml.YamlValue;
import dev.clockwire.roce.fabric.FrameEvent;
import dev.clockwire.roce.fabric.FrameMatch;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultDirection;
import dev.clockwire.sim.fault.FaultFilter;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a fault file: {@code faults:}, a list of entries with one action, one trigger and options each. */
public final class FaultFile {
    private static final List<String> FRAME_ACTIONS = List.of("drop", "corrupt", "duplicate", "reorder", "delay");
    private static final List<String> NODE_ACTIONS = List.of("crash", "restart", "pause", "reset", "cqe_order");
    private static final List<String> TRIGGERS = List.of("probability", "frames", "at_us", "at_event", "packets");
    private static final List<String> ACTIONS = Stream.of(
                    FRAME_ACTIONS, NODE_ACTIONS, List.of("link", "disk", "partition"), PacketEntry.ACTIONS)
            .flatMap(List::stream)
            .distinct()
            .toList();
    private static final Map<String, FaultDirection> DIRECTIONS = Map.of(
            "both", FaultDirection.BOTH,
            "client-to-server", FaultDirection.FORWARD,
            "server-to-client", FaultDirection.BACKWARD,
            "tx", FaultDirection.FORWARD,
            "rx", FaultDirection.BACKWARD);

    private static final double PS_PER_US = 1e6;
    private static final double LONGEST_US = 3.6e9;
    /** The longest frame: Ethernet and a VLAN tag, IPv6, UDP, BTH, AtomicETH, a payload of 4096 B, ICRC. */
    private static final int LONGEST_FRAME = 14 + 4 + 40 + 8 + 12 + 28 + 4096 + 4;

    private static final int LAST_BIT = 8 * LONGEST_FRAME - 1;
    private static final long MOST_QPN = 0xFF_FFFF;

    private static final Shape MATCH = Shape.of()
            .key("opcode", Kind.listOrOne(Kind.text()), "names of opcodes; * at an end stands for anything")
            .key("qp", Kind.integer(0, MOST_QPN), "destination queue pair");
    private static final Shape LINK = Shape.of().required("down", Kind.text(), "name of the link");
    private static final List<String> DISK_FAULTS = List.of("slow", "error");
    private static final Shape DISK = Shape.of()
            .key("slow", Kind.text(), "node whose I/Os end late")
            .key("error", Kind.text(), "node whose I/Os fail")
            .one(DISK_FAULTS);
    /** The list of what goes wrong. */
    public static final Kind LIST = Kind.list(Kind.group(entry()));

    /** What such a file may hold. */
    public static final Shape SHAPE = Shape.of().required("faults", LIST, "what goes wrong, one entry for each");

    private final FaultPlaces places;

    private FaultFile(FaultPlaces places) {
        this.places = places;
    }

    /** Describes an entry. */
    private static Shape entry() {
        Shape s = Shape.of();
        for (String action : ACTIONS) {
            boolean packet = FRAME_ACTIONS.contains(action) || PacketEntry.ACTIONS.contains(action);
            Kind kind = packet ? Kind.choice(objects(action)) : Kind.text();
            s = switch (action) {
                case "link" -> s.key(action, Kind.group(LINK), "a link is lost");
                case "disk" -> s.key(action, Kind.group(DISK), "a disk is slow or fails");
                case "partition" -> s.key(action, Kind.two(Kind.text()), "nothing passes between two nodes");
                default ->
                    s.key(action, kind, packet ? "what happens to a frame or packet" : "to which node it happens");
            };
        }
        return options(s).one(ACTIONS).one(TRIGGERS);
    }

    private static Shape options(Shape actions) {
        Kind numbers = Kind.listOrOne(Kind.integer(1, Long.MAX_VALUE));
        Kind time = Kind.number(0, LONGEST_US);
        List<String> directions = Stream.concat(DIRECTIONS.keySet().stream().sorted(), PacketEntry.DIRECTIONS.stream())
                .toList();
        return actions.key("probability", Kind.number(0, 1), "by chance")
                .key("frames", numbers, "which frames, counted from 1, ascending")
                .key("at_us", time, "at a time")
                .key("at_event", Kind.text(), "at a frame or a step of a protocol")
                .key("packets", numbers, "which packets on PCIe, counted from 1, ascending")
                .key("for_us", time, "how long")
                .key("restart_after_us", time, "how long an outage lasts")
                .key("direction", Kind.choice(directions), "of frames or packets")
                .key(
                        "match",
                        Kind.either(Kind.group(MATCH), Kind.group(PacketEntry.MATCH)),
                        "which frames (opcode, qp) or packets (type)")
                .key("name", Kind.text(), "of the random streams")
                .key("bit", Kind.integer(0, LAST_BIT), "which bit is wrong; any if left out")
                .key("host", Kind.text(), "node at whose device packets are hit")
                .key("of", Kind.text(), "node whose step it is")
                .key("nth", Kind.integer(1, StepTrigger.MOST), "which step, counted from 1");
    }

    /**
     * Reads a file.
     *
     * @throws IOException if it cannot be read
     * @throws ConfigurationException for whatever is wrong in it, with file, line and column
     */
    public static FaultPlan read(Path file, FaultPlaces places) throws IOException {
        return YamlValue.read(file, root -> plan(root, places));
    }

    /** Reads a text; see {@link #read}. */
    public static FaultPlan parse(String file, String text, FaultPlaces places) {
        return plan(YamlValue.parse(file, text), places);
    }

    private static FaultPlan plan(YamlValue given, FaultPlaces places) {
        YamlValue root = given.as(Kind.group(SHAPE));
        root.entries();
        return entries(root.get("faults"), places);
    }

    /** Reads the list of a file that says more than this. */
    public static FaultPlan entries(YamlValue list, FaultPlaces places) {
        FaultFile reader = new FaultFile(places);
        List<FaultRule> rules = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (YamlValue entry : list.as(LIST).list()) {
            FaultRule rule;
            try {
                rule = reader.rule(entry);
            } catch (ConfigurationException e) {
                entry.refuse(e); // the next entry may have a mistake of its own
                continue;
            }
            if (!rule.name().isEmpty() && names.contains(rule.name())) {
                throw entry.error("two faults are called '" + rule.name() + "'");
            }
            names.add(rule.name());
            rules.add(rule);
        }
        return new FaultPlan(rules);
    }

    private FaultRule rule(YamlValue entry) {
        Map<String, YamlValue> keys = entry.entries();
        String action = one(entry, keys, ACTIONS, "action");
        String trigger = one(entry, keys, TRIGGERS, "trigger");
        if (isOnPacket(action, entry.get(action), keys)) {
            return PacketEntry.rule(action, entry, keys, trigger(trigger, entry, keys, null), places);
        }
        boolean onFrame = FRAME_ACTIONS.contains(action);
        if (keys.containsKey("bit") && !action.equals("corrupt")) {
            throw keys.get("bit").error("'bit' goes with 'corrupt' only");
        }
        for (String option : List.of("direction", "match")) {
            if (keys.containsKey(option) && !onFrame && trigger.equals("at_us")) {
                throw keys.get(option)
                        .error("'" + option + "' chooses frames: it means nothing for '" + action + "' at a time");
            }
        }
        if (keys.containsKey("restart_after_us") && onFrame) {
            throw keys.get("restart_after_us").error("'restart_after_us' goes with nodes and links, not with frames");
        }
        checkNode(action, entry, keys);
        FaultAction what = action(action, entry, keys);
        FaultRule rule = FaultRule.of(what, trigger(trigger, entry, keys, what))
                .named(keys.containsKey("name") ? keys.get("name").text() : "")
                .in(keys.containsKey("direction") ? direction(keys.get("direction")) : FaultDirection.BOTH)
                .where(keys.containsKey("match") ? match(keys.get("match")) : FaultFilter.ALL);
        rule = keys.containsKey("for_us") ? rule.lasting(time(keys.get("for_us"))) : rule;
        return keys.containsKey("restart_after_us") ? rule.restartingAfter(time(keys.get("restart_after_us"))) : rule;
    }

    /** Whether an entry is about a packet on PCIe; if not, it must not say so anywhere. */
    private static boolean isOnPacket(String action, YamlValue about, Map<String, YamlValue> keys) {
        boolean can = PacketEntry.ACTIONS.contains(action);
        boolean packet = can && PacketEntry.OBJECTS.contains(about.text());
        if (can && !packet && !objects(action).contains(about.text())) {
            throw about.unknown("object of '" + action + "'", about.text(), objects(action));
        }
        for (String key : List.of("packets", "host")) {
            if (!packet && keys.containsKey(key)) {
                throw keys.get(key).error("'" + key + "' goes with packets on PCIe, as in 'drop: tlp'");
            }
        }
        return packet;
    }

    /** What has no meaning for an action on a node. */
    private static void checkNode(String action, YamlValue entry, Map<String, YamlValue> keys) {
        if (action.equals("pause") && !keys.containsKey("for_us")) {
            throw entry.error("a pause has 'for_us'");
        }
        boolean lost = action.equals("crash") || action.equals("restart");
        boolean returns = lost || action.equals("reset");
        if (keys.containsKey("for_us") && returns) {
            throw keys.get("for_us")
                    .error("'for_us' means nothing for '" + action + "': 'restart_after_us' says when the "
                            + (lost ? "node" : "device") + " is back");
        }
        if (keys.containsKey("restart_after_us") && NODE_ACTIONS.contains(action) && !returns) {
            throw keys.get("restart_after_us").error("'restart_after_us' means nothing for '" + action + "'");
        }
        if (action.equals("cqe_order")) {
            for (String option : List.of("direction", "match", "at_event")) {
                if (keys.containsKey(option)) {
                    throw keys.get(option).error("'" + option + "' is about frames: 'cqe_order' counts completions");
                }
            }
        }
    }

    private static String one(YamlValue entry, Map<String, YamlValue> keys, List<String> valid, String kind) {
        List<String> there = keys.keySet().stream().filter(valid::contains).toList();
        if (there.size() != 1) {
            String found = there.isEmpty() ? "found none" : "found " + String.join(" and ", there);
            throw entry.error("a fault has one " + kind + " (" + String.join(", ", valid) + "), " + found);
        }
        return there.get(0);
    }

    private FaultAction action(String name, YamlValue entry, Map<String, YamlValue> keys) {
        YamlValue value = entry.get(name);
        if (name.equals("link")) {
            return link(value);
        }
        if (name.equals("disk")) {
            Map<String, YamlValue> disk = value.entries();
            String what = one(value, disk, DISK_FAULTS, "disk fault");
            return node(what.equals("slow") ? NodeFault.DISK_SLOW : NodeFault.DISK_ERROR, "disk", value.get(what));
        }
        if (name.equals("partition")) {
            return partition(value, keys);
        }
        if (NODE_ACTIONS.contains(name)) {
            return node(NodeFault.valueOf(name.toUpperCase(Locale.ROOT)), name, value);
        }
        if (!value.text().equals("frame")) {
            throw value.unknown("object of '" + name + "'", value.text(), objects(name));
        }
        return switch (name) {
            case "drop" -> new FaultAction.Drop();
            case "duplicate" -> new FaultAction.Duplicate();
            case "reorder" -> new FaultAction.Reorder();
            case "delay" -> new FaultAction.Delay();
            default ->
                new FaultAction.Corrupt(
                        keys.containsKey("bit") ? (int) keys.get("bit").integer() : FaultAction.Corrupt.ANY_BIT);
        };
    }

    private static List<String> objects(String action) {
        return Stream.of("frame", "tlp", "dllp")
                .filter(o -> (o.equals("frame") ? FRAME_ACTIONS : PacketEntry.ACTIONS).contains(action))
                .filter(o -> !o.equals("dllp") || action.equals("corrupt"))
                .toList();
    }

    private FaultAction link(YamlValue value) {
        value.entries();
        YamlValue link = value.get("down");
        if (!places.links().contains(link.text())) {
            throw link.unknown("link", link.text(), places.links());
        }
        return new FaultAction.LinkDown(link.text());
    }

    private FaultAction partition(YamlValue value, Map<String, YamlValue> keys) {
        if (places.steps().isEmpty()) {
            throw value.error("'partition' cannot happen in this simulation");
        }
        if (!keys.containsKey("at_us") && !keys.containsKey("at_event")) {
            throw value.error("a partition happens at a time (at_us) or at a step of the protocol (at_event)");
        }
        List<YamlValue> both = value.list();
        if (both.size() != 2 || both.get(0).text().equals(both.get(1).text())) {
            throw value.error("a partition is between two nodes, as in 'partition: [node0, mgmt0]'");
        }
        return new FaultAction.Partition(node(both.get(0)), node(both.get(1)));
    }

    private FaultAction node(NodeFault what, String name, YamlValue value) {
        if (!places.can().contains(what)) {
            throw value.error("'" + name + "' cannot happen in this simulation");
        }
        return new FaultAction.OnNode(what, node(value));
    }

    private String node(YamlValue value) {
        String node = places.nodes().get(value.text());
        if (node == null) {
            throw value.unknown(
                    "node", value.text(), new TreeSet<>(places.nodes().keySet()));
        }
        return node;
    }

    /** Reads a trigger; {@code about} is null of packets on PCIe. */
    private FaultTrigger trigger(
            String name, YamlValue entry, Map<String, YamlValue> keys, @Nullable FaultAction about) {
        YamlValue value = entry.get(name);
        boolean step = name.equals("at_event") && places.steps().contains(value.text());
        if (step) {
            return new StepTrigger(places, entry, keys).read(value, about);
        }
        FaultTrigger trigger = switch (name) {
            case "probability" -> new FaultTrigger.Probability(value.number());
            case "at_us" -> new FaultTrigger.At(time(value));
            case "frames" -> numbers(value, "frame");
            case "packets" -> numbers(value, "packet");
            default -> event(value);
        };
        for (String option : List.of("of", "nth")) {
            if (keys.containsKey(option)) {
                throw keys.get(option)
                        .error("'" + option + "' is about a step of a protocol, as in 'at_event: commit'");
            }
        }
        return trigger;
    }

    private static FaultTrigger numbers(YamlValue value, String of) {
        List<Long> numbers = new ArrayList<>();
        for (YamlValue number : value.listOrOne()) {
            long before = numbers.isEmpty() ? 0 : numbers.get(numbers.size() - 1);
            long n = number.integer();
            if (n <= before) {
                throw number.error(of + " numbers ascend, but " + n + " follows " + before);
            }
            numbers.add(n);
        }
        return new FaultTrigger.Frames(numbers);
    }

    private FaultTrigger event(YamlValue value) {
        List<String> valid = new ArrayList<>(frameEvents());
        valid.addAll(places.steps());
        for (FrameEvent event : FrameEvent.values()) {
            if (name(event).equals(value.text())) {
                return new FaultTrigger.AtEvent(value.text(), event);
            }
        }
        throw value.unknown("event", value.text(), valid);
    }

    /** Returns what frames can show. */
    static List<String> frameEvents() {
        return Stream.of(FrameEvent.values()).map(FaultFile::name).toList();
    }

    private static String name(FrameEvent event) {
        return event.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static FaultDirection direction(YamlValue value) {
        FaultDirection direction = DIRECTIONS.get(value.text());
        if (direction == null) {
            throw value.unknown("direction", value.text(), new TreeSet<>(DIRECTIONS.keySet()));
        }
        return direction;
    }

    private static FaultFilter match(YamlValue value) {
        Map<String, YamlValue> keys = value.entries(MATCH);
        int qp = keys.containsKey("qp") ? (int) keys.get("qp").integer() : FrameMatch.ANY_QP;
        if (!keys.containsKey("opcode")) {
            return FrameMatch.of(List.of(), qp);
        }
        List<String> opcodes = new ArrayList<>();
        for (YamlValue opcode : keys.get("opcode").listOrOne()) {
            try {
                FrameMatch.of(List.of(opcode.text()), qp);
            } catch (ConfigurationException e) {
                throw opcode.error(String.valueOf(e.getMessage()));
            }
            opcodes.add(opcode.text());
        }
        return FrameMatch.of(opcodes, qp);
    }

    static long time(YamlValue value) {
        return Math.round(value.number() * PS_PER_US);
    }
}
