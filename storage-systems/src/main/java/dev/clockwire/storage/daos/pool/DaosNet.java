package dev.clockwire.storage.daos.pool;

import dev.clockwire.nic.lab.WireCount;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.storage.cluster.Cluster;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.daos.ofi.RdmEndpoint;
import java.util.Map;
import java.util.TreeMap;

/** Who is who: the manager, engines by their place in the pool map, and all machines by number. */
public final class DaosNet {
    private final Node manager;
    private final Map<Integer, Node> all = new TreeMap<>();
    private final Node[] engines;
    private final WireCount wire;

    /** Takes the machines of a cluster. */
    public DaosNet(Cluster cluster) {
        manager = cluster.managers().get(0);
        engines = cluster.nodes().toArray(new Node[0]);
        wire = cluster.wire();
        all.put(manager.number(), manager);
        cluster.nodes().forEach(n -> all.put(n.number(), n));
        cluster.clients().forEach(n -> all.put(n.number(), n));
    }

    /** Returns the manager's machine. */
    public Node manager() {
        return manager;
    }

    /** Returns all machines by number. */
    public Map<Integer, Node> all() {
        return all;
    }

    /** Returns the machine of an engine. */
    public Node engine(int i) {
        return engines[i];
    }

    /** Returns the address of a target of an engine. */
    public int address(int engine, int target) {
        return RdmEndpoint.address(engines[engine].number(), target);
    }

    /** Returns how many engines there are. */
    public int engines() {
        return engines.length;
    }

    /** Returns which engine runs on a machine. */
    public int engineOn(int number) {
        for (int i = 0; i < engines.length; i++) {
            if (engines[i].number() == number) {
                return i;
            }
        }
        throw new InvariantViolation("no engine runs on the machine " + number);
    }

    /** Returns what counts on the wire. */
    public WireCount wire() {
        return wire;
    }
}
