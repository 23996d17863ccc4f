package dev.clockwire.bench.diagnose;

import java.util.Map;

/**
 * Names of InfiniBand's port counters: {@code perfquery} prints those of the management datagram, Linux has files with names of its own
 * ({@code Documentation/ABI/stable/sysfs-class-infiniband}). They do not wrap: they stand at their end until somebody clears them (IBTA 1.3,
 * 16.1.3.5).
 */
final class PortCounterNames {
    private static final long BITS_8 = 0xFF;
    private static final long BITS_16 = 0xFFFF;
    private static final long BITS_32 = 0xFFFF_FFFFL;

    private static final Map<String, String> FILES = Map.ofEntries(
            Map.entry("SymbolErrorCounter", "symbol_error"),
            Map.entry("LinkErrorRecoveryCounter", "link_error_recovery"),
            Map.entry("LinkDownedCounter", "link_downed"),
            Map.entry("PortRcvErrors", "port_rcv_errors"),
            Map.entry("PortRcvRemotePhysicalErrors", "port_rcv_remote_physical_errors"),
            Map.entry("PortRcvSwitchRelayErrors", "port_rcv_switch_relay_errors"),
            Map.entry("PortXmitDiscards", "port_xmit_discards"),
            Map.entry("PortXmitConstraintErrors", "port_xmit_constraint_errors"),
            Map.entry("PortRcvConstraintErrors", "port_rcv_constraint_errors"),
            Map.entry("LocalLinkIntegrityErrors", "local_link_integrity_errors"),
            Map.entry("ExcessiveBufferOverrunErrors", "excessive_buffer_overrun_errors"),
            Map.entry("VL15Dropped", "VL15_dropped"),
            Map.entry("PortXmitData", "port_xmit_data"),
            Map.entry("PortRcvData", "port_rcv_data"),
            Map.entry("PortXmitPkts", "port_xmit_packets"),
            Map.entry("PortRcvPkts", "port_rcv_packets"),
            Map.entry("PortXmitWait", "port_xmit_wait"));

    private static final Map<String, Long> ENDS = Map.ofEntries(
            Map.entry("symbol_error", BITS_16),
            Map.entry("link_error_recovery", BITS_8),
            Map.entry("link_downed", BITS_8),
            Map.entry("port_rcv_errors", BITS_16),
            Map.entry("port_rcv_remote_physical_errors", BITS_16),
            Map.entry("port_rcv_switch_relay_errors", BITS_16),
            Map.entry("port_xmit_discards", BITS_16),
            Map.entry("port_xmit_constraint_errors", BITS_8),
            Map.entry("port_rcv_constraint_errors", BITS_8),
            Map.entry("local_link_integrity_errors", 0xFL),
            Map.entry("excessive_buffer_overrun_errors", 0xFL),
            Map.entry("VL15_dropped", BITS_16),
            Map.entry("port_xmit_wait", BITS_32));

    private PortCounterNames() {}

    /** Returns the name of the file that has a counter of {@code perfquery}; any other name as it is. */
    static String file(String name) {
        return FILES.getOrDefault(name, name);
    }

    /** Whether a counter has come to its end, and counts no more. */
    static boolean isAtItsEnd(String file, long value) {
        return ENDS.getOrDefault(file, -1L) == value;
    }
}
