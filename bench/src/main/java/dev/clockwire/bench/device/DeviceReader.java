package dev.clockwire.bench.device;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what {@link DeviceText} prints and the same of a real machine, except {@code lspci} ({@link LspciReader}): files with one value
 * each as {@code grep} shows them, {@code ethtool} and {@code rdma}. Lines of other kinds are passed over.
 */
public final class DeviceReader {
    private static final Pattern FILE = Pattern.compile("^(/sys/.*/(?:QPs/)?)([^/:]+):(.*)$");
    private static final Pattern FIELD = Pattern.compile("^\\s*([A-Za-z][A-Za-z0-9_-]*): *(-?[0-9]+|n/a)$");
    private static final Pattern LINK = Pattern.compile("^link ([^ ]+) (.*)$");
    private static final Pattern QP = Pattern.compile("^.*/QPs/(0x[0-9a-f]+)/$");

    private DeviceReader() {}

    /** Returns counters and settings by name; a later line of the same name wins. */
    public static Map<String, String> values(List<String> lines) {
        Map<String, String> found = new TreeMap<>();
        for (String line : lines) {
            Matcher file = FILE.matcher(line);
            Matcher field = FIELD.matcher(line);
            if (file.matches() && !QP.matcher(file.group(1)).matches()) {
                found.put(file.group(2), file.group(3));
            } else if (field.matches()) {
                found.put(field.group(1), field.group(2));
            }
        }
        return found;
    }

    /** Returns what is said of each queue pair, by its number, of {@code rdma resource show qp} or debug files. */
    public static Map<Integer, Map<String, String>> queuePairs(List<String> lines) {
        Map<Integer, Map<String, String>> found = new TreeMap<>();
        for (String line : lines) {
            Matcher link = LINK.matcher(line);
            Matcher file = FILE.matcher(line);
            Matcher qp = file.matches() ? QP.matcher(file.group(1)) : null;
            if (qp != null && qp.matches()) {
                found.computeIfAbsent(Integer.decode(qp.group(1)), k -> new TreeMap<>())
                        .put(file.group(2), file.group(3));
            } else if (link.matches()) {
                String[] words = link.group(2).split(" ", -1);
                Map<String, String> all = new TreeMap<>();
                for (int i = 0; i + 1 < words.length; i += 2) {
                    all.put(words[i], words[i + 1]);
                }
                String number = all.remove("lqpn");
                if (number != null) {
                    found.put(Integer.decode(number), all);
                }
            }
        }
        return found;
    }
}
