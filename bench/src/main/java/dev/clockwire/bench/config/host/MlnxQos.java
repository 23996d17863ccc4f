package dev.clockwire.bench.config.host;

import dev.clockwire.bench.config.model.ClassKey;
import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@code mlnx_qos -i IF OPTION...}: its long options take {@code =VALUE} or a word, its short ones a word or what follows. Source: its own help. */
final class MlnxQos {
    private static final int CODE_POINTS = 64;
    private static final int MOST_BYTES = 1 << 26;
    private static final int MOST_METRES = 10_000;
    private static final int PER_CENT = 100;
    private static final Map<String, String> SHORT = new TreeMap<>(Map.of(
            "-i", "--interface",
            "-f", "--pfc",
            "-p", "--prio_tc",
            "-s", "--tsa",
            "-t", "--tcbw",
            "-r", "--ratelimit",
            "-d", "--dcbx"));
    private static final List<String> LONG = List.of(
            "--interface",
            "--pfc",
            "--prio_tc",
            "--tsa",
            "--tcbw",
            "--ratelimit",
            "--dcbx",
            "--trust",
            "--dscp2prio",
            "--cable_len",
            "--prio2buffer",
            "--buffer_size");

    private final HostReader reader;
    private final ImportLog log;
    private final List<String> words;
    private final List<String> effects = new ArrayList<>();
    private List<String> algorithms = List.of();
    private boolean refused;

    MlnxQos(HostReader reader, List<String> words) {
        this.reader = reader;
        this.log = reader.log;
        this.words = words;
    }

    void run() {
        Map<String, List<String>> options = options();
        List<String> names = options.remove("--interface");
        if (names == null) {
            if (words.contains("-h") || words.contains("--help")) {
                log.effect("prints; changes nothing");
            } else {
                log.bad("mlnx_qos", String.join(" ", words.subList(1, words.size())), "-i INTERFACE [OPTION...]");
            }
            return;
        }
        PortConfig port = reader.made().port(names.get(0), log.where());
        List<String> before = options.remove("--tsa");
        if (before != null) {
            algorithms(port, before.get(0));
        }
        options.forEach((name, values) -> values.forEach(v -> apply(port, name, v)));
        if (!effects.isEmpty()) {
            log.effect(String.join("; ", effects));
        } else if (options.isEmpty() && before == null && !refused) {
            log.effect("prints; changes nothing");
        }
    }

    /** Returns the values of each option; an option that the tool does not have is a finding. */
    private Map<String, List<String>> options() {
        Map<String, List<String>> found = new TreeMap<>();
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            int equals = word.indexOf('=');
            String name = word.startsWith("--") && equals > 0 ? word.substring(0, equals) : word;
            String full = SHORT.getOrDefault(name, name);
            String value = null;
            if (word.startsWith("--") && equals > 0) {
                value = word.substring(equals + 1);
            } else if (!word.startsWith("--") && word.length() > 2 && SHORT.containsKey(word.substring(0, 2))) {
                full = SHORT.getOrDefault(word.substring(0, 2), word);
                value = word.substring(2);
            }
            if (List.of("-a", "-h", "--help", "-q").contains(name)) {
                continue;
            }
            if (!LONG.contains(full)) {
                refuse(name);
                continue;
            }
            if (value == null) {
                value = i + 1 < words.size() ? words.get(++i) : "";
            }
            found.computeIfAbsent(full, n -> new ArrayList<>()).add(value);
        }
        return found;
    }

    private void refuse(String name) {
        if (!name.startsWith("-")) {
            return;
        }
        refused = true;
        if (name.equals("-c")) {
            log.effect("refused by the tool: no such option");
            log.finding(
                    Rule.NO_SUCH_OPTION,
                    0,
                    "there is no option -c; the priorities with PFC are -f or --pfc",
                    "mlnx_qos -i IF --pfc 0,0,0,1,0,0,0,0");
            return;
        }
        List<String> all = new ArrayList<>(LONG);
        all.addAll(SHORT.keySet());
        log.unknownWord(Rule.NO_SUCH_OPTION, "option of mlnx_qos", name, all);
    }

    private void apply(PortConfig port, String name, String value) {
        switch (name) {
            case "--pfc" -> each(port, name, value, 1, ClassKey.LOSSLESS, "PFC of priorities 0 to 7");
            case "--prio_tc" -> each(port, name, value, PortConfig.CLASSES - 1, ClassKey.TC, "traffic classes");
            case "--prio2buffer" ->
                each(port, name, value, PortConfig.CLASSES - 1, ClassKey.RECEIVE, "receive buffers");
            case "--buffer_size" ->
                each(port, name, value, MOST_BYTES, ClassKey.RECEIVE_BYTES, "sizes of receive buffers");
            case "--tcbw" -> shares(port, value);
            case "--trust" -> trust(port, value);
            case "--dscp2prio" -> map(port, value);
            case "--cable_len" -> cable(port, value);
            case "--dcbx" -> dcbx(port, value);
            default -> effects.add("rates of traffic classes; not simulated");
        }
    }

    /** Returns up to eight numbers, none if one is out of range. */
    private List<Long> list(String name, String value, long most) {
        List<Long> numbers = new ArrayList<>();
        for (String part : value.split(",", -1)) {
            if (!part.matches("\\d{1,9}") || Long.parseLong(part) > most || numbers.size() == PortConfig.CLASSES) {
                log.bad(name, value, "up to eight numbers from 0 to " + most + ", as in 0,0,0,1,0,0,0,0");
                return List.of();
            }
            numbers.add(Long.parseLong(part));
        }
        return numbers;
    }

    private void each(PortConfig port, String name, String value, long most, ClassKey key, String effect) {
        List<Long> numbers = list(name, value, most);
        for (int c = 0; c < numbers.size(); c++) {
            port.set(key, c, numbers.get(c), log.where());
        }
        if (!numbers.isEmpty()) {
            effects.add(effect + " " + value);
        }
    }

    private void algorithms(PortConfig port, String value) {
        List<String> list = List.of(value.split(",", -1));
        if (list.size() > PortConfig.CLASSES
                || !List.of("ets", "strict", "vendor").containsAll(list)) {
            log.bad("--tsa", value, "up to eight of ets, strict, vendor");
            return;
        }
        algorithms = list;
        for (int c = 0; c < list.size(); c++) {
            port.set(ClassKey.STRICT, c, list.get(c).equals("strict") ? 1 : 0, log.where());
        }
        effects.add("order of traffic classes " + value + "; hosts send answers first in the simulation");
    }

    private void shares(PortConfig port, String value) {
        List<Long> numbers = list("--tcbw", value, PER_CENT);
        long sum = numbers.stream().mapToLong(Long::longValue).sum();
        for (int c = 0; c < numbers.size(); c++) {
            boolean ets = c < algorithms.size() ? algorithms.get(c).equals("ets") : !port.on(ClassKey.STRICT, c);
            if (!ets && numbers.get(c) > 0) {
                log.finding(
                        Rule.TCBW_NOT_100,
                        numbers.get(c),
                        "traffic class " + c + " is not ETS and has a share of " + numbers.get(c) + " %",
                        "0 for it, or ets in --tsa");
            }
            port.set(ClassKey.SHARE, c, numbers.get(c), log.where());
        }
        if (!numbers.isEmpty()) {
            effects.add("shares of traffic classes " + value);
            if (sum != PER_CENT) {
                log.finding(
                        Rule.TCBW_NOT_100, sum, "the shares sum to " + sum + " %: the tool refuses them", "100 in sum");
            }
        }
    }

    private void trust(PortConfig port, String value) {
        if (!value.equals("dscp") && !value.equals("pcp")) {
            log.bad("--trust", value, "dscp or pcp");
            return;
        }
        port.set(PortKey.TRUST, value.equals("dscp") ? 2 : 1, log.where());
        effects.add("the " + (value.equals("dscp") ? "DSCP" : "tag") + " decides about the priority");
    }

    private void map(PortConfig port, String value) {
        String[] parts = value.replace("'", "").split(",", -1);
        if (parts.length != 3
                || !List.of("set", "del").contains(parts[0])
                || !parts[1].matches("\\d{1,2}")
                || Integer.parseInt(parts[1]) >= CODE_POINTS
                || !parts[2].matches("[0-7]")) {
            log.bad("--dscp2prio", value, "set|del,DSCP 0 to 63,PRIORITY 0 to 7");
            return;
        }
        int priority = parts[0].equals("set") ? Integer.parseInt(parts[2]) : 0;
        port.mapDscp(Integer.parseInt(parts[1]), priority, log.where());
        effects.add("DSCP " + parts[1] + " is priority " + priority);
    }

    private void cable(PortConfig port, String value) {
        if (!value.matches("\\d{1,5}") || Integer.parseInt(value) > MOST_METRES) {
            log.bad("--cable_len", value, "0 to " + MOST_METRES + " m");
            return;
        }
        port.set(PortKey.CABLE, Integer.parseInt(value), log.where());
        effects.add("cable of " + value + " m");
    }

    private void dcbx(PortConfig port, String value) {
        if (!value.equals("os") && !value.equals("fw")) {
            log.bad("--dcbx", value, "os or fw");
            return;
        }
        port.set(PortKey.DCBX, value.equals("fw") ? 1 : 0, log.where());
        effects.add(
                value.equals("fw")
                        ? "the firmware speaks DCBX and takes over what a switch says"
                        : "no DCBX but that of a program (lldpad)");
    }
}
