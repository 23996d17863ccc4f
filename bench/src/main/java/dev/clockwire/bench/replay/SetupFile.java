package dev.clockwire.bench.replay;

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
final class SetupFile {
    private static final long QPN = 0xFF_FFFFL;
    private static final long KEY = 0xFFFF_FFFFL;
    private static final long LONGEST_RECEIVE = 1L << 31;
    private static final long MOST_RECEIVES = 1 << 14;

    private SetupFile() {}

    /**
     * Reads a file.
     *
     * @throws ConfigurationException if it does not say what it should; the message names file, line and column
     */
    static Given read(Path file) throws IOException {
        return YamlValue.read(file, SetupFile::parse);
    }

    static Given parse(YamlValue root) {
        Map<String, YamlValue> parts = root.map(List.of("qps", "regions", "receives"));
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
        v.map(List.of("qpn", "peer_qpn", "start_psn", "mtu", "host"));
        YamlValue mtu = v.get("mtu");
        int bytes = (int) mtu.integer(256, 4096);
        if (Arrays.stream(Mtu.values()).noneMatch(m -> m.bytes() == bytes)) {
            throw mtu.error("path MTU " + bytes + ": must be 256, 512, 1024, 2048 or 4096");
        }
        return new Given.Qp(
                host(v), number(v, "qpn", QPN), number(v, "peer_qpn", QPN), number(v, "start_psn", QPN), bytes);
    }

    private static Given.Region region(YamlValue v) {
        v.map(List.of("key", "va", "length", "access", "host"));
        YamlValue length = v.get("length");
        long bytes = length.integer(1, Given.LONGEST_REGION);
        long va = v.get("va").integer(0, -1);
        if (Long.compareUnsigned(va + bytes - 1, va) < 0) {
            throw length.error("the region passes the end of the address space");
        }
        int access = 0;
        for (YamlValue right : v.get("access").listOrOne()) {
            access |= right(right).code();
        }
        return new Given.Region(host(v), number(v, "key", KEY), va, bytes, access);
    }

    private static AccessFlag right(YamlValue v) {
        List<String> names = new ArrayList<>();
        for (AccessFlag flag : AccessFlag.values()) {
            String name = flag.name().toLowerCase(Locale.ROOT);
            if (name.equals(v.text())) {
                return flag;
            }
            names.add(name);
        }
        throw v.unknown("access", v.text(), names);
    }

    private static Given.Receive receive(YamlValue v) {
        v.map(List.of("qpn", "size", "count", "after_frame", "host"));
        Optional<YamlValue> after = v.find("after_frame");
        return new Given.Receive(
                host(v),
                number(v, "qpn", QPN),
                v.get("size").integer(0, LONGEST_RECEIVE),
                (int) v.get("count").integer(1, MOST_RECEIVES),
                after.isPresent() ? after.get().integer(0, Integer.MAX_VALUE) : 0);
    }

    private static int number(YamlValue v, String name, long most) {
        return (int) v.get(name).integer(0, most);
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
