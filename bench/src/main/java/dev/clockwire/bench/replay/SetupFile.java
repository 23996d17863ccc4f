package dev.clockwire.bench.replay;

import dev.clockwire.bench.yaml.Kind;
import dev.clockwire.bench.yaml.Shape;
import dev.clockwire.bench.yaml.YamlValue;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a set-up file:
 *
 * <pre>{@code
 * qps: [{qpn: 0x2a, peer_qpn: 0x2a, start_psn: 0x111110, mtu: 1024, host: 10.0.0.2}]
 * regions: [{key: 0x2217, va: 0x200000000000, length: 65536, access: [remote_read, remote_write], host: 10.0.0.2}]
 * receives: [{qpn: 0x2a, size: 2048, count: 16, after_frame: 0, host: 10.0.0.2}]
 * }</pre>
 *
 * {@code host} and {@code after_frame} may be left out; with a host an entry is about the queue pair, or the memory, of that
 * address alone.
 */
public final class SetupFile {
    private static final long QPN = 0xFF_FFFFL;
    private static final long KEY = 0xFFFF_FFFFL;
    private static final long LONGEST_RECEIVE = 1L << 31;
    private static final long MOST_RECEIVES = 1 << 14;

    private static final List<String> MTUS =
            Arrays.stream(Mtu.values()).map(m -> Integer.toString(m.bytes())).toList();
    private static final Kind NUMBER = Kind.integer(0, QPN);
    private static final Kind HOST = Kind.text();
    private static final String WHOSE = "address of the host that it is about";
    private static final Shape QP = Shape.of()
            .required("qpn", NUMBER, "number of the queue pair")
            .required("peer_qpn", NUMBER, "number of the one it is connected to")
            .required("start_psn", NUMBER, "first PSN that it sends")
            .required("mtu", Kind.choice(MTUS), "path MTU")
            .key("host", HOST, WHOSE);
    private static final Shape REGION = Shape.of()
            .required("key", Kind.integer(0, KEY), "R_Key")
            .required("va", Kind.integer(0, -1), "first address")
            .required("length", Kind.integer(1, Given.LONGEST_REGION), "bytes")
            .required("access", Kind.listOrOne(Kind.choice(rights())), "what the peer may do")
            .key("host", HOST, WHOSE);
    private static final Shape RECEIVE = Shape.of()
            .required("qpn", NUMBER, "number of the queue pair")
            .required("size", Kind.integer(0, LONGEST_RECEIVE), "bytes of each buffer")
            .required("count", Kind.integer(1, MOST_RECEIVES), "how many are posted")
            .key("after_frame", Kind.integer(0, Integer.MAX_VALUE), "behind which frame of the capture")
            .key("host", HOST, WHOSE);

    /** What such a file may hold. */
    public static final Shape SHAPE = Shape.of()
            .key("qps", Kind.list(Kind.group(QP)), "connected queue pairs")
            .key("regions", Kind.list(Kind.group(REGION)), "registered memory")
            .key("receives", Kind.list(Kind.group(RECEIVE)), "posted receives");

    private SetupFile() {}

    private static List<String> rights() {
        return Arrays.stream(AccessFlag.values())
                .map(f -> f.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    /**
     * Reads a file.
     *
     * @throws ConfigurationException if it does not say what it should; the message names file, line and column
     */
    static Given read(Path file) throws IOException {
        return YamlValue.read(file, SetupFile::parse);
    }

    static Given parse(YamlValue root) {
        Map<String, YamlValue> parts = root.entries(SHAPE);
        List<Given.Qp> qps = new ArrayList<>();
        List<Given.Region> regions = new ArrayList<>();
        List<Given.Receive> receives = new ArrayList<>();
        entries(parts, "qps").forEach(v -> qps.add(qp(v)));
        entries(parts, "regions").forEach(v -> add(v, region(v), regions));
        entries(parts, "receives").forEach(v -> receives.add(receive(v)));
        return new Given(qps, regions, receives);
    }

    private static void add(YamlValue v, Given.Region region, List<Given.Region> regions) {
        boolean twice = regions.stream()
                .anyMatch(r -> r.key() == region.key()
                        && (r.host() == null
                                || region.host() == null
                                || r.host().equals(region.host())));
        if (twice) {
            throw v.get("key").error("another region has this key");
        }
        regions.add(region);
    }

    private static List<YamlValue> entries(Map<String, YamlValue> parts, String name) {
        YamlValue part = parts.get(name);
        return part == null ? List.of() : part.list();
    }

    private static Given.Qp qp(YamlValue v) {
        v.entries();
        YamlValue mtu = v.get("mtu");
        if (!MTUS.contains(mtu.text())) {
            throw mtu.error("path MTU " + mtu.text() + ": must be 256, 512, 1024, 2048 or 4096");
        }
        int bytes = Integer.parseInt(mtu.text());
        return new Given.Qp(host(v), number(v, "qpn"), number(v, "peer_qpn"), number(v, "start_psn"), bytes);
    }

    private static Given.Region region(YamlValue v) {
        v.entries();
        YamlValue length = v.get("length");
        long bytes = length.integer();
        long va = v.get("va").integer();
        if (Long.compareUnsigned(va + bytes - 1, va) < 0) {
            throw length.error("the region passes the end of the address space");
        }
        int access = 0;
        for (YamlValue right : v.get("access").listOrOne()) {
            access |= AccessFlag.valueOf(right.choice("access").toUpperCase(Locale.ROOT))
                    .code();
        }
        return new Given.Region(host(v), number(v, "key"), va, bytes, access);
    }

    private static Given.Receive receive(YamlValue v) {
        v.entries();
        Optional<YamlValue> after = v.find("after_frame");
        return new Given.Receive(
                host(v),
                number(v, "qpn"),
                v.get("size").integer(),
                (int) v.get("count").integer(),
                after.isPresent() ? after.get().integer() : 0);
    }

    private static int number(YamlValue v, String name) {
        return (int) v.get(name).integer();
    }

    private static @Nullable Gid host(YamlValue v) {
        Optional<YamlValue> host = v.find("host");
        if (host.isEmpty()) {
            return null;
        }
        Gid gid = HostAddress.parse(host.get().text());
        if (gid == null) {
            throw host.get()
                    .error("expected an IPv4 or IPv6 address, found '"
                            + host.get().text() + "'");
        }
        return gid;
    }
}
