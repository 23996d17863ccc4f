package dev.clockwire.bench.config.comware;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of Ethernet interfaces, which say their rate. */
final class PortNames {
    /** Longest frame that {@code jumboframe enable} allows without a number. */
    static final long LONGEST_FRAME = 9416;

    /** What a frame has besides its IP packet: addresses and type 14, VLAN tag 4, check sequence 4. */
    static final int FRAME_AROUND_IP = 22;

    private static final int MOST = 1024;
    private static final Pattern NAME = Pattern.compile("([A-Za-z-]+)(\\d+(?:/\\d+){0,3}(?::\\d+)?)?");
    private static final Map<String, Double> GBPS = new TreeMap<>(Map.ofEntries(
            Map.entry("gigabitethernet", 1.0),
            Map.entry("ge", 1.0),
            Map.entry("ten-gigabitethernet", 10.0),
            Map.entry("xge", 10.0),
            Map.entry("twenty-fivegige", 25.0),
            Map.entry("wge", 25.0),
            Map.entry("fortygige", 40.0),
            Map.entry("fge", 40.0),
            Map.entry("fiftygige", 50.0),
            Map.entry("hundredgige", 100.0),
            Map.entry("hge", 100.0),
            Map.entry("twohundredgige", 200.0),
            Map.entry("fourhundredgige", 400.0),
            Map.entry("eighthundredgige", 800.0)));

    private PortNames() {}

    static boolean isEthernet(String word) {
        Matcher m = NAME.matcher(word);
        return m.matches() && GBPS.containsKey(m.group(1).toLowerCase(Locale.ROOT));
    }

    /** Returns the rate in Gb/s, 0 if the name does not say it. */
    static double gbps(String name) {
        Matcher m = NAME.matcher(name);
        return m.matches() ? GBPS.getOrDefault(m.group(1).toLowerCase(Locale.ROOT), 0.0) : 0;
    }

    /** Returns the interfaces of {@code interface ...} and {@code interface range ... to ...}, none if they are no Ethernet ones. */
    static List<String> of(List<String> words) {
        List<String> names = new ArrayList<>();
        boolean range = words.size() > 1 && words.get(1).equals("range");
        for (int i = range ? 2 : 1; i < words.size(); i++) {
            if (words.get(i).equals("to") && !names.isEmpty() && i + 1 < words.size()) {
                int used = take(words, i + 1, names);
                if (used == 0 || !fill(names)) {
                    return List.of();
                }
                i += used;
            } else {
                int used = take(words, i, names);
                if (used == 0) {
                    return List.of();
                }
                i += used - 1;
            }
        }
        return names;
    }

    /** Takes a name in one word or two; returns how many. */
    private static int take(List<String> words, int at, List<String> names) {
        if (!isEthernet(words.get(at))) {
            return 0;
        }
        if (words.get(at).matches(".*\\d.*")) {
            names.add(words.get(at));
            return 1;
        }
        if (at + 1 == words.size() || !words.get(at + 1).matches("\\d+(/\\d+){0,3}(:\\d+)?")) {
            return 0;
        }
        names.add(words.get(at) + words.get(at + 1));
        return 2;
    }

    /** Puts the interfaces between the last two in. */
    private static boolean fill(List<String> names) {
        String last = names.remove(names.size() - 1);
        String first = names.get(names.size() - 1);
        int cut = first.lastIndexOf('/') + 1;
        if (cut == 0 || !last.startsWith(first.substring(0, cut))) {
            return false;
        }
        String from = first.substring(cut);
        String to = last.substring(cut);
        if (!from.matches("\\d{1,6}") || !to.matches("\\d{1,6}")) {
            return false;
        }
        int count = Integer.parseInt(to) - Integer.parseInt(from);
        if (count < 0 || count > MOST) {
            return false;
        }
        for (int i = 1; i <= count; i++) {
            names.add(first.substring(0, cut) + (Integer.parseInt(from) + i));
        }
        return true;
    }
}
