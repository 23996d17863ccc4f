package dev.clockwire.bench.artefact;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.sim.stats.Counter;
import dev.clockwire.sim.stats.Reading;
import dev.clockwire.sim.stats.Stat;
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
            "rnr_nak_retry_err",
            "rp_cnp_handled",
            "rp_cnp_ignored",
            "rx_atomic_requests",
            "rx_icrc_encapsulated",
            "rx_read_requests",
            "rx_write_requests");

    /** Reads the counters of both hosts of a lab. */
    public static List<DeviceCounters> of(Lab lab) {
        return List.of(
                read(lab, "host0", lab.endOfA().framesSent(), lab.facingA().framesPassed()),
                read(lab, "host1", lab.endOfB().framesSent(), lab.facingB().framesPassed()));
    }

    private static DeviceCounters read(Lab lab, String host, long sent, long received) {
        Map<String, Long> hardware = new TreeMap<>();
        Map<String, Long> ethernet = new TreeMap<>();
        Map<String, Long> model = new TreeMap<>();
        String prefix = host + ".nic.";
        for (Stat stat : lab.sim().stats().all()) {
            String name = stat.name().startsWith(prefix) ? stat.name().substring(prefix.length()) : "";
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

    private static long value(Stat stat) {
        return stat instanceof Counter counter
                ? counter.value()
                : stat instanceof Reading reading ? reading.value() : 0;
    }
}
