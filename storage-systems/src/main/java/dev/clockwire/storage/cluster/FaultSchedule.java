package dev.clockwire.storage.cluster;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What goes wrong at which steps of a protocol; one line says all of it, so any run can be repeated:
 * {@code node1:commit#1 crash restart=3ms; node0:forward#2 link for=5ms on=client0}.
 *
 * @param strikes in the order in which they are written
 */
public record FaultSchedule(List<FaultStrike> strikes) {
    /** Nothing goes wrong. */
    public static final FaultSchedule NONE = new FaultSchedule(List.of());

    private static final Set<FaultStrike.What> ANYWHERE =
            EnumSet.of(FaultStrike.What.PAUSE, FaultStrike.What.LINK, FaultStrike.What.PARTITION);

    /** Copies the list. */
    public FaultSchedule {
        strikes = List.copyOf(strikes);
    }

    /** Returns a schedule. */
    public static FaultSchedule of(FaultStrike... strikes) {
        return new FaultSchedule(List.of(strikes));
    }

    /**
     * Reads a line.
     *
     * @throws ConfigurationException naming what cannot be read, and what is nearest to it
     */
    public static FaultSchedule parse(String line) {
        List<FaultStrike> all = new ArrayList<>();
        for (String part : line.split(";", -1)) {
            if (!part.isBlank()) {
                all.add(strike(part.strip()));
            }
        }
        return new FaultSchedule(all);
    }

    private static FaultStrike strike(String text) {
        String[] words = text.split("\\s+", -1);
        int colon = words[0].indexOf(':');
        int hash = words[0].indexOf('#');
        if (words.length < 2 || colon < 1 || hash < colon + 2) {
            throw new ConfigurationException("schedule: '" + text
                    + "' is not of the form NODE:STEP#N ACTION [restart=TIME|for=TIME] [after=TIME] [on=NODE]"
                    + " [from=NODE]");
        }
        String node = words[0].substring(0, colon);
        FaultStrike.What what = what(words[1]);
        String on = node;
        String from = "";
        long ps = 0;
        long after = 0;
        Set<String> said = new TreeSet<>();
        for (int i = 2; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            String name = equals < 0 ? words[i] : words[i].substring(0, equals);
            if (!said.add(name)) {
                throw new ConfigurationException("schedule: '" + text + "' says " + name + "= twice");
            }
            String value = equals < 0 ? "" : words[i].substring(equals + 1);
            List<String> options = what.options();
            String time = options.get(options.size() - 1);
            if (name.equals("on")) {
                on = value;
            } else if (name.equals("from") && options.contains(name)) {
                from = value;
            } else if (name.equals("after")) {
                after = ScheduleTime.parse(value);
            } else if (what != FaultStrike.What.EXIT && name.equals(time)) {
                ps = ScheduleTime.parse(value);
            } else if (what == FaultStrike.What.EXIT && (name.equals("for") || name.equals("restart"))) {
                throw new ConfigurationException("schedule: exit " + words[i]
                        + ": a process that ends is begun anew at once, so exit has no time; take crash restart=TIME");
            } else {
                throw new ConfigurationException(
                        "schedule: unknown option '" + words[i] + "' of " + what.text() + Nearest.hint(name, options));
            }
        }
        return new FaultStrike(
                node, words[0].substring(colon + 1, hash), nth(words[0], hash), what, on, from, ps, after);
    }

    private static int nth(String word, int hash) {
        String digits = word.substring(hash + 1);
        if (!digits.matches("[1-9][0-9]{0,8}")) {
            throw new ConfigurationException("schedule: '" + word + "': behind # comes a number from 1 on");
        }
        return Integer.parseInt(digits);
    }

    private static FaultStrike.What what(String name) {
        List<String> names = new ArrayList<>();
        for (FaultStrike.What what : FaultStrike.What.values()) {
            if (what.text().equals(name)) {
                return what;
            }
            names.add(what.text());
        }
        throw new ConfigurationException("schedule: unknown action '" + name + "'" + Nearest.hint(name, names));
    }

    /**
     * Checks names.
     *
     * @param hosts that there are
     * @param steps that the system takes
     * @throws ConfigurationException if one is not among them
     */
    public void check(List<String> hosts, List<String> steps) {
        for (FaultStrike s : strikes) {
            among("machine", s.node(), hosts);
            among("machine", s.on(), hosts);
            if (!s.from().isEmpty()) {
                among("machine", s.from(), hosts);
            }
            among("step", s.event(), steps);
            boolean any = ANYWHERE.contains(s.what());
            if (!any && !s.on().startsWith("node")) {
                throw new ConfigurationException("schedule: " + s.what().text() + " of " + s.on()
                        + ": only storage nodes (node0...) come back from that; others: link, partition, pause");
            }
        }
    }

    private static void among(String what, String name, List<String> names) {
        if (!names.contains(name)) {
            throw new ConfigurationException("schedule: no " + what + " '" + name + "'" + Nearest.hint(name, names));
        }
    }

    /** Returns a copy without one strike. */
    public FaultSchedule without(int i) {
        List<FaultStrike> rest = new ArrayList<>(strikes);
        rest.remove(i);
        return new FaultSchedule(rest);
    }

    /** Returns the line. */
    public String text() {
        return strikes.stream().map(FaultStrike::text).collect(Collectors.joining("; "));
    }
}
