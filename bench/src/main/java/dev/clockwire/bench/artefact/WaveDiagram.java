package dev.clockwire.bench.artefact;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import dev.clockwire.sim.export.VcdReader;
import dev.clockwire.sim.export.WaveJson;
import dev.clockwire.sim.trace.Signals;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A window of a value change dump as a timing diagram. */
public final class WaveDiagram {
    private static final int MOST_BITS = 64;

    private final VcdReader dump;
    private final Signals signals = new Signals();
    private final List<Change> changes = new ArrayList<>();

    private record Change(long ps, int signal, long value) {}

    /**
     * Takes the signals below some scopes.
     *
     * @param scopes full names of signals or scopes, or their last names; none means all signals
     * @throws ConfigurationException naming the nearest if there is no such scope
     */
    public WaveDiagram(VcdReader dump, List<String> scopes) {
        this.dump = dump;
        LinkedHashSet<String> chosen = new LinkedHashSet<>(scopes.isEmpty() ? dump.signals() : List.of());
        for (String scope : scopes) {
            List<String> found =
                    dump.signals().stream().filter(s -> isWithin(s, scope)).toList();
            if (found.isEmpty()) {
                throw new ConfigurationException(
                        "there is no signal or scope '" + scope + "' in this dump" + Nearest.hint(scope, names()));
            }
            chosen.addAll(found);
        }
        chosen.forEach(this::add);
        changes.sort(Comparator.comparingLong(Change::ps));
    }

    /**
     * Returns the window.
     *
     * @param from time of its first edge in ps
     * @param period of the clock in ps
     * @param cycles 1 to {@link WaveJson#MOST_CYCLES}
     */
    public WaveJson window(long from, long period, int cycles) {
        WaveJson diagram = new WaveJson(signals, from, period, cycles);
        changes.forEach(c -> diagram.change(c.signal(), c.ps(), c.value()));
        return diagram;
    }

    /** Returns the time in ps of the first change behind the values that the dump begins with; 0 if there is none. */
    public long firstMove() {
        long begin = changes.isEmpty() ? 0 : changes.get(0).ps();
        return changes.stream()
                .mapToLong(Change::ps)
                .filter(ps -> ps > begin)
                .findFirst()
                .orElse(0);
    }

    private static boolean isWithin(String signal, String scope) {
        String inner = "." + signal + ".";
        return signal.startsWith(scope + ".") || inner.contains("." + scope + ".");
    }

    private Set<String> names() {
        TreeSet<String> names = new TreeSet<>(dump.signals());
        dump.signals().forEach(s -> names.addAll(List.of(s.split("\\.", -1))));
        return names;
    }

    /** A signal wider than 64 bits is a name in ASCII, as {@link Signals#states} declares it, and is shown as such if it is short. */
    private void add(String name) {
        List<String> told = dump.changes(name);
        int width = dump.width(name);
        List<String> states =
                width % 8 == 0 && told.stream().allMatch(t -> isText(value(t))) ? states(told) : List.of();
        if (states.isEmpty() && width > MOST_BITS) {
            return;
        }
        int number = states.isEmpty() ? signals.vector(name, width) : signals.states(name, states);
        for (String t : told) {
            String bits = value(t);
            if (bits.matches("[01]{1,64}") || !states.isEmpty()) {
                long value = states.isEmpty() ? Long.parseUnsignedLong(bits, 2) : states.indexOf(text(bits));
                changes.add(new Change(time(t), number, value));
            }
        }
    }

    private static List<String> states(List<String> told) {
        return told.stream().map(t -> text(value(t))).distinct().toList();
    }

    private static String value(String told) {
        return told.substring(told.indexOf('=') + 1);
    }

    private static long time(String told) {
        String time = told.substring(0, told.indexOf('='));
        try {
            return Math.max(0, Long.parseLong(time));
        } catch (NumberFormatException e) {
            throw new ConfigurationException("value change dump: '#" + time + "' is no time");
        }
    }

    /** Whether bits are at least three printable characters: shorter ones are more likely a number. */
    private static boolean isText(String bits) {
        return bits.matches("[01]{17,}") && text(bits).chars().allMatch(c -> c > ' ' && c <= '~');
    }

    private static String text(String bits) {
        StringBuilder text = new StringBuilder();
        String whole = "0".repeat((8 - bits.length() % 8) % 8) + bits;
        for (int i = 0; i < whole.length(); i += 8) {
            text.append((char) Integer.parseInt(whole.substring(i, i + 8), 2));
        }
        return text.toString();
    }
}
