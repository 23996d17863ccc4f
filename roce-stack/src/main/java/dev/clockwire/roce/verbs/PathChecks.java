package dev.clockwire.roce.verbs;

/** Checks of the way to a peer. */
final class PathChecks {
    private static final int MAX_FLOW_LABEL = 0xF_FFFF;
    private static final int MAX_OCTET = 255;
    private static final int MAX_SERVICE_LEVEL = 15;

    private PathChecks() {}

    static void check(Device device, String verb, AddressVector to) {
        Check.range(verb, "port", to.port(), 1, device.attributes().ports());
        Check.range(
                verb,
                "sgid_index",
                to.sgidIndex(),
                0,
                device.port(to.port()).gids().size() - 1);
        Check.range(verb, "flow_label", to.flowLabel(), 0, MAX_FLOW_LABEL);
        Check.range(verb, "hop_limit", to.hopLimit(), 1, MAX_OCTET);
        Check.range(verb, "traffic_class", to.trafficClass(), 0, MAX_OCTET);
        Check.range(verb, "sl", to.serviceLevel(), 0, MAX_SERVICE_LEVEL);
    }
}
