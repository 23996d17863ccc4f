package dev.clockwire.sim;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Closes a design: gives ports their ordinals, clocks their masks, links their ends. */
final class Elaborator {
    private Elaborator() {}

    /** Returns the ports by ordinal. */
    static EventPort[] elaborate(Sim sim) {
        Design d = sim.design;
        List<EventPort> ports = new ArrayList<>(d.ports);
        ports.sort(Comparator.comparingInt(
                p -> p.target.ordinal)); // stable: the ports of a node stay in order of creation
        if (ports.size() > EventPort.MAX_PORTS) {
            throw new ConfigurationException(ports.size() + " ports; at most " + EventPort.MAX_PORTS + " fit");
        }
        for (int i = 0; i < ports.size(); i++) {
            ports.get(i).key |= (long) i << EventPort.ORDINAL_SHIFT;
        }
        for (Clock c : d.clocks) {
            c.elaborate();
        }
        for (Link l : d.links) {
            l.elaborate();
            if (sim.spec().fullHash()) {
                l.observe();
            }
            if (sim.spec().checked()) {
                l.check();
            }
        }
        d.close();
        return ports.toArray(new EventPort[0]);
    }
}
