package dev.clockwire.bench.config.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What files say of one switch or host. */
public final class DeviceConfig {
    private static final int TRUST_DSCP = 2;
    private static final int AUTO = 2;

    private final Kind kind;
    private final PortConfig all;
    private final Map<String, PortConfig> ports = new LinkedHashMap<>();
    private String name;

    /** What a device is, and what its maps are where nobody set them. */
    public enum Kind {
        /** A switch whose code points 8n to 8n + 7 are priority n. */
        COMWARE,
        /** A switch whose code points without a map are priority 0. */
        SONIC,
        /** A host whose code points 8n to 8n + 7 are priority n. */
        HOST
    }

    /**
     * Creates a device for which nothing is set.
     *
     * @param where file and line that speak of it first
     */
    public DeviceConfig(Kind kind, String name, String where) {
        this.kind = kind;
        this.name = name;
        all = new PortConfig("", where, null);
    }

    /** Returns what it is. */
    public Kind kind() {
        return kind;
    }

    /** Whether it is a switch. */
    public boolean isSwitch() {
        return kind != Kind.HOST;
    }

    /** Returns its name. */
    public String name() {
        return name;
    }

    /** Gives it another name. */
    public void rename(String other) {
        name = other;
    }

    /** Returns what all ports have. */
    public PortConfig all() {
        return all;
    }

    /** Returns a port by its name; it is made if it is not there. */
    public PortConfig port(String port, String where) {
        return ports.computeIfAbsent(port, n -> new PortConfig(n, where, all));
    }

    /** Returns the ports in the order in which they were named; what all have if none was. */
    public List<PortConfig> ports() {
        return ports.isEmpty() ? List.of(all) : List.copyOf(ports.values());
    }

    /** Whether a packet's code point decides about its priority. */
    public boolean trustsDscp(PortConfig port) {
        return port.whole(PortKey.TRUST, 0) == TRUST_DSCP;
    }

    /** Returns the priority of an untagged packet with a code point. */
    public int classOf(PortConfig port, int dscp) {
        if (!trustsDscp(port)) {
            return (int) port.whole(PortKey.PORT_PRIORITY, 0);
        }
        Setting mapped = port.ofDscp(dscp);
        if (mapped != null) {
            return (int) mapped.whole();
        }
        return kind == Kind.SONIC ? 0 : dscp >> 3;
    }

    /** Returns the priority of a tagged packet whose tag is trusted. */
    public int classOfTag(PortConfig port, int pcp) {
        Setting mapped = port.ofPcp(pcp);
        if (mapped != null) {
            return (int) mapped.whole();
        }
        return kind == Kind.SONIC ? 0 : pcp;
    }

    /** Returns the queue of a priority, or the traffic class of a host's. */
    public int queueOf(PortConfig port, int c) {
        return (int) port.whole(ClassKey.TC, c, c);
    }

    /** Returns the priorities with PFC, bit n = priority n; none if PFC is off, or waits for DCBX that the port does not speak. */
    public int lossless(PortConfig port) {
        long mode = port.whole(PortKey.PFC_MODE, kind == Kind.COMWARE ? 0 : 1);
        if (mode == 0 || (mode == AUTO && port.whole(PortKey.DCBX, 0) == 0)) {
            return 0;
        }
        int bits = 0;
        for (int c = 0; c < PortConfig.CLASSES; c++) {
            bits |= port.on(ClassKey.LOSSLESS, c) ? 1 << c : 0;
        }
        return bits;
    }

    /** Whether anything was said of PFC. */
    public boolean speaksOfPfc(PortConfig port) {
        boolean speaks = port.get(PortKey.PFC_MODE) != null;
        for (int c = 0; c < PortConfig.CLASSES; c++) {
            speaks |= port.get(ClassKey.LOSSLESS, c) != null;
        }
        return speaks;
    }

    /** Returns everything that is set. */
    public List<Parameter> parameters() {
        List<Parameter> found = new ArrayList<>();
        all.collect(name, found);
        ports.values().forEach(p -> p.collect(name, found));
        return found;
    }
}
