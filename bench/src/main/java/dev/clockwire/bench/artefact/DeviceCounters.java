package dev.clockwire.bench.artefact;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.sim.stats.Counter;
import dev.clockwire.sim.stats.Reading;
import dev.clockwire.sim.stats.Stat;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The counters of one host's NIC where people look for them on a real machine.
 *
 * @param host name of the host
 * @param hwCounters files below {@code /sys/class/infiniband/DEV/ports/1/hw_counters}
 * @param ethtool lines of {@code ethtool -S}
 * @param model what no tool shows: caches, event queue, root complex, by the names of the statistics without the host's
 */
public record DeviceCounters(
        String host, Map<String, Long> hwCounters, Map<String, Long> ethtool, Map<String, Long> model) {
    /** What mlx5 shows as hardware counters of a port; the rest is with the Ethernet interface. */
    private static final Set<String> HW_COUNTERS = Set.of(
            "duplicate_request",
            "implied_nak_seq_err",
            "local_ack_timeout_err",
            "np_cnp_sent",
            "np_ecn_marked_roce_packets",
            "out_of_buffer",
            "out_of_sequence",
            "packet_seq_err",
            "req_cqe_error",
            "req_cqe_flush_error",
            "req_remote_access_errors",
            "req_remote_invalid_request",
            "req_rnr_retries_exceeded",
            "req_transport_retries_exceeded",
            "rnr_nak_retry_err",
            "rp_cnp_handled",
            "rp_cnp_ignored",
            "rx_atomic_requests",
            "rx_icrc_encapsulated",
            "rx_read_requests",
            "rx_write_requests");

    /** Reads the counters of both hosts of a lab. */
    public static List<DeviceCounters> of(Lab lab) {
        StatRegistry stats = lab.sim().stats();
        return List.of(
                host(stats, "host0", lab.endOfA().framesSent(), lab.facingA().framesPassed()),
                host(stats, "host1", lab.endOfB().framesSent(), lab.facingB().framesPassed()));
    }

    /**
     * Reads the counters of a host.
     *
     * @param sent frames that left its port
     * @param received frames that came to it
     */
    public static DeviceCounters host(StatRegistry stats, String host, long sent, long received) {
        Map<String, Long> hardware = new TreeMap<>();
        Map<String, Long> ethernet = new TreeMap<>();
        Map<String, Long> model = new TreeMap<>();
        String prefix = host + ".nic.";
        for (Stat stat : stats.all()) {
            String name = ofNic(stat.name(), host, prefix);
            if (HW_COUNTERS.contains(name)) {
                hardware.put(name, value(stat));
            } else if (name.startsWith("rx_") || name.startsWith("tx_")) {
                ethernet.put(name, value(stat));
            } else if (stat.name().startsWith(host + ".")) {
                model.put(stat.name().substring(host.length() + 1), value(stat));
            }
        }
        ethernet.put("tx_packets_phy", sent);
        ethernet.put("rx_packets_phy", received);
        return new DeviceCounters(host, hardware, ethernet, model);
    }

    /** A light host is its NIC: it has no parts. Returns nothing for what is of another host, or of another part. */
    private static String ofNic(String stat, String host, String prefix) {
        if (stat.startsWith(prefix)) {
            return stat.substring(prefix.length());
        }
        return stat.startsWith(host + ".") && stat.indexOf('.', host.length() + 1) < 0
                ? stat.substring(host.length() + 1)
                : "";
    }

    /** Reads the counters of a port of a switch, whose statistics begin with its name; a port has those of {@code ethtool -S} only. */
    public static DeviceCounters port(StatRegistry stats, String port) {
        Map<String, Long> ethernet = new TreeMap<>();
        for (Stat stat : stats.all()) {
            if (stat.name().startsWith(port + ".")) {
                ethernet.put(stat.name().substring(port.length() + 1), value(stat));
            }
        }
        return new DeviceCounters(port, Map.of(), ethernet, Map.of());
    }

    /** Returns the lines in which a real machine shows them: {@code hw_counters} and {@code ethtool -S}; counters of the model are left out. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        String path = "/sys/class/infiniband/mlx5_0/ports/1/hw_counters/";
        if (!hwCounters.isEmpty()) {
            lines.add("# " + host + ": grep . " + path + "*");
        }
        hwCounters.forEach((name, value) -> lines.add(path + name + ":" + value));
        lines.add("# " + host + ": ethtool -S eth0");
        lines.add("NIC statistics:");
        ethtool.forEach((name, value) -> lines.add("     " + name + ": " + value));
        return lines;
    }

    private static long value(Stat stat) {
        return stat instanceof Counter counter
                ? counter.value()
                : stat instanceof Reading reading ? reading.value() : 0;
    }
}
