package dev.clockwire.sim.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A small, independent reader of value change dumps: all changes of each signal, by full name. */
final class Vcd {
    /** Name to "time=value" in file order. */
    final Map<String, List<String>> changes = new TreeMap<>();

    final Map<String, Integer> widths = new TreeMap<>();
    private final Map<String, String> names = new TreeMap<>();

    static Vcd parse(String text) {
        Vcd vcd = new Vcd();
        List<String> scope = new ArrayList<>();
        String time = "none";
        boolean comment = false;
        for (String line : text.split("\n", -1)) {
            String[] w = line.trim().split("\\s+", -1);
            if (comment) {
                comment = !w[w.length - 1].equals("$end");
            } else if (w[0].equals("$date")
                    || w[0].equals("$version")
                    || w[0].equals("$comment")
                    || w[0].equals("$timescale")) {
                comment = !w[w.length - 1].equals("$end");
            } else if (w[0].equals("$scope")) {
                scope.add(w[2]);
            } else if (w[0].equals("$upscope")) {
                scope.remove(scope.size() - 1);
            } else if (w[0].equals("$var")) {
                String name = String.join(".", scope) + (scope.isEmpty() ? "" : ".") + w[4].replaceAll("\\[.*", "");
                vcd.names.put(w[3], name);
                vcd.changes.put(name, new ArrayList<>());
                vcd.widths.put(name, Integer.parseInt(w[2]));
            } else if (w[0].startsWith("#")) {
                time = w[0].substring(1);
            } else if (w[0].startsWith("b")) {
                vcd.change(w[1], time, w[0].substring(1));
            } else if (!w[0].isEmpty() && "01xzXZ".indexOf(w[0].charAt(0)) >= 0) {
                vcd.change(w[0].substring(1), time, w[0].substring(0, 1));
            }
        }
        return vcd;
    }

    private void change(String id, String time, String value) {
        String name = java.util.Objects.requireNonNull(names.get(id), id);
        String v = value.toLowerCase(java.util.Locale.ROOT)
                .replaceFirst("^0+(?=.)", "")
                .replaceFirst("^x+$", "x");
        List<String> all = java.util.Objects.requireNonNull(changes.get(name));
        String entry = time + "=" + v;
        if (all.isEmpty() || !all.get(all.size() - 1).replaceAll(".*=", "").equals(v)) {
            all.add(entry);
        }
    }
}
