package dev.clockwire.bench.device;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what {@code lspci} prints, ours or that of a real machine. */
public final class LspciReader {
    private static final Pattern LABEL =
            Pattern.compile("^(?:Capabilities: \\[[0-9a-f ]*v?\\d*\\] )?([A-Za-z0-9-]+):\\s*(.*)$");
    private static final Pattern FLAG = Pattern.compile("([<>]?[A-Za-z0-9/-]*[A-Za-z0-9])([+-])(?=[\\s,]|$)");
    private static final Pattern VALUE = Pattern.compile(
            "(Speed|Width|MaxPayload|MaxReadReq|RCB|First Error Pointer:?|Invalidate Queue Depth:|Smallest Translation"
                    + " Unit:) ([A-Za-z0-9./]+)");
    private static final Pattern PAIR = Pattern.compile("([A-Za-z]+)=([0-9a-zA-Z]+)");
    private static final Pattern DUMP = Pattern.compile("^([0-9a-f]{2,3}):((?: [0-9a-f]{2}){16})$");

    private LspciReader() {}

    /**
     * Reads the lines of one function of {@code lspci -vvv}.
     *
     * @return by line label and name, such as {@code LnkSta.Speed} and {@code Control.BusMaster}; flags are {@code +} or {@code -}
     */
    public static Map<String, String> flags(List<String> lines) {
        Map<String, String> found = new TreeMap<>();
        String label = "";
        for (String line : lines) {
            String text = line.strip();
            Matcher m = LABEL.matcher(text);
            if (line.startsWith("\t") && m.matches()) {
                label = m.group(1);
                text = m.group(2);
            }
            put(found, label, FLAG.matcher(text));
            put(found, label, VALUE.matcher(text));
            put(found, label, PAIR.matcher(text));
        }
        return found;
    }

    private static void put(Map<String, String> into, String label, Matcher m) {
        while (m.find()) {
            into.put(label + "." + m.group(1), m.group(2));
        }
    }

    /**
     * Reads a dump as {@code lspci -xxxx} makes it.
     *
     * @return 4096 bytes; what the dump does not hold is zero
     * @throws ConfigurationException if a line is none of a dump; it is named by number
     */
    public static byte[] dump(List<String> lines) {
        byte[] space = new byte[PciBits.BYTES];
        for (int i = 1; i < lines.size(); i++) {
            Matcher m = DUMP.matcher(lines.get(i));
            if (!m.matches()) {
                throw new ConfigurationException(String.format(
                        Locale.ROOT, "line %d: expected an offset and 16 bytes, found \"%s\"", i + 1, lines.get(i)));
            }
            int at = Integer.parseInt(m.group(1), 16);
            String[] bytes = m.group(2).trim().split(" ", -1);
            for (int k = 0; k < bytes.length; k++) {
                space[at + k] = (byte) Integer.parseInt(bytes[k], 16);
            }
        }
        return space;
    }
}
