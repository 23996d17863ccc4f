package dev.clockwire.bench.catalogue;

import dev.clockwire.bench.practice.Figure;
import java.util.List;

/** Faults of networks. */
final class NetworkScenarios {
    private static final String FABRIC = "fabric run FILE --endpoints hw --counters";

    static final List<Scenario> ALL = List.of(new Scenario(
            "retry-exc-pfc-off",
            "RETRY_EXC_ERR: a switch loses packets since PFC is off",
            FABRIC,
            "[]",
            "[3]",
            Figure.FAILED_FLOWS,
            1.01,
            "pfc-off",
            "H3C: priority-flow-control enable; priority-flow-control no-drop dot1p 3; hosts: mlnx_qos -i eth0 --pfc"
                    + " 0,0,0,1,0,0,0,0",
            "iperf3 and port counters of the hosts do not show it: the discards are the switch's; raising ECN"
                    + " thresholds makes it worse"));

    private NetworkScenarios() {}
}
