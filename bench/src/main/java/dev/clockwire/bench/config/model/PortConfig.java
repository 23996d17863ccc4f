package dev.clockwire.bench.config.model;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is set for a port; what is not set there is as for all ports of the device. */
public final class PortConfig {
    /** Priorities of a port. */
    public static final int CLASSES = 8;

    private static final int CODE_POINTS = 64;

    private final String name;
    private final String where;
    private final @Nullable PortConfig others;
    private final Map<PortKey, Setting> own = new EnumMap<>(PortKey.class);
    private final List<Map<ClassKey, Setting>> classes = new ArrayList<>();
    private final @Nullable Setting[] dscp = new Setting[CODE_POINTS];
    private final @Nullable Setting[] pcp = new Setting[CLASSES];
    private String neighbour = "";

    /**
     * Creates a port for which nothing is set.
     *
     * @param where file and line that name it first
     * @param others what all ports have; null for that itself
     */
    PortConfig(String name, String where, @Nullable PortConfig others) {
        this.name = name;
        this.where = where;
        this.others = others;
        for (int c = 0; c < CLASSES; c++) {
            classes.add(new EnumMap<>(ClassKey.class));
        }
    }

    /** Returns the port's name. */
    public String name() {
        return name;
    }

    /** Returns the file and line that name it first. */
    public String where() {
        return where;
    }

    /** Says who is at the other end. */
    public void joinedTo(String node) {
        neighbour = node;
    }

    /** Returns who is at the other end, empty if nobody said. */
    public String neighbour() {
        return neighbour;
    }

    /** Sets a value. */
    public void set(PortKey key, double value, String at) {
        own.put(key, new Setting(value, at));
    }

    /** Sets a value of a priority. */
    public void set(ClassKey key, int c, double value, String at) {
        classes.get(c).put(key, new Setting(value, at));
    }

    /** Sets a whole number. */
    public void set(PortKey key, long value, String at) {
        set(key, (double) value, at);
    }

    /** Sets a whole number of a priority. */
    public void set(ClassKey key, int c, long value, String at) {
        set(key, c, (double) value, at);
    }

    /** Puts a code point into a priority. */
    public void mapDscp(int point, int c, String at) {
        dscp[point] = new Setting(c, at);
    }

    /** Puts a priority of a tag into a priority. */
    public void mapPcp(int priority, int c, String at) {
        pcp[priority] = new Setting(c, at);
    }

    /** Returns a value, null if nobody set it. */
    public @Nullable Setting get(PortKey key) {
        Setting here = own.get(key);
        return here != null || others == null ? here : others.get(key);
    }

    /** Returns a value of a priority, null if nobody set it. */
    public @Nullable Setting get(ClassKey key, int c) {
        Setting here = classes.get(c).get(key);
        return here != null || others == null ? here : others.get(key, c);
    }

    /** Returns the priority of a code point, null if nobody set it. */
    public @Nullable Setting ofDscp(int point) {
        Setting here = dscp[point];
        return here != null || others == null ? here : others.ofDscp(point);
    }

    /** Returns the priority of a tag's priority, null if nobody set it. */
    public @Nullable Setting ofPcp(int priority) {
        Setting here = pcp[priority];
        return here != null || others == null ? here : others.ofPcp(priority);
    }

    /** Returns a whole number. */
    public long whole(PortKey key, long otherwise) {
        Setting s = get(key);
        return s == null ? otherwise : s.whole();
    }

    /** Returns a whole number of a priority. */
    public long whole(ClassKey key, int c, long otherwise) {
        Setting s = get(key, c);
        return s == null ? otherwise : s.whole();
    }

    /** Whether something of a priority is switched on. */
    public boolean on(ClassKey key, int c) {
        Setting s = get(key, c);
        return s != null && s.on();
    }

    /** Returns what is set here itself, in a fixed order. */
    void collect(String device, List<Parameter> into) {
        own.forEach((k, s) -> into.add(Parameter.of(device, name, null, k.name(), s, k.unit())));
        for (int c = 0; c < CLASSES; c++) {
            int number = c;
            classes.get(c).forEach((k, s) -> into.add(Parameter.of(device, name, number, k.name(), s, k.unit())));
        }
        for (int d = 0; d < CODE_POINTS; d++) {
            Setting s = dscp[d];
            if (s != null) {
                into.add(Parameter.of(device, name, null, "dscp_" + d, s, "priority"));
            }
        }
        for (int p = 0; p < CLASSES; p++) {
            Setting s = pcp[p];
            if (s != null) {
                into.add(Parameter.of(device, name, null, "pcp_" + p, s, "priority"));
            }
        }
    }
}
