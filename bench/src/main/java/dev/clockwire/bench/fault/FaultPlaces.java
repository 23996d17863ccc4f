package dev.clockwire.bench.fault;

import dev.clockwire.sim.fault.FaultAction.NodeFault;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a fault file may name in some simulation.
 *
 * @param nodes what users call nodes, and what they are called inside
 * @param links names of links
 * @param can what can happen to a node there
 * @param steps of the protocol that its nodes have; empty if they have none, and cannot be parted then
 */
public record FaultPlaces(Map<String, String> nodes, List<String> links, Set<NodeFault> can, List<String> steps) {
    /** A simulation without programs that have a protocol. */
    public FaultPlaces(Map<String, String> nodes, List<String> links, Set<NodeFault> can) {
        this(nodes, links, can, List.of());
    }

    /** Two hosts back to back: the client is the first. */
    public static FaultPlaces twoHosts() {
        return new FaultPlaces(
                Map.of(
                        "client", "host0", "client0", "host0", "host0", "host0", //
                        "server", "host1", "node0", "host1", "host1", "host1"),
                List.of("link"),
                Set.of(NodeFault.CRASH, NodeFault.RESTART, NodeFault.PAUSE, NodeFault.RESET, NodeFault.CQE_ORDER));
    }
}
