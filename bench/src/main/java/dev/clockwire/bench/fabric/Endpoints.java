package dev.clockwire.bench.fabric;

import dev.clockwire.roce.fabric.host.Flow;
import dev.clockwire.roce.fabric.net.Wiring;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.List;

/** The hosts of a fabric that is built, whatever they are. */
interface Endpoints {
    /** Returns the simulations that the fabric is divided into. */
    List<Sim> parts();

    /** Returns switches and cables. */
    Wiring wiring();

    /** Returns the flows in the order of the file. */
    List<? extends Flow> flows();

    /** Returns when the fabric's time 0 is, in ps. */
    long beginPs();

    /** Returns the notifications of congestion. */
    long notifications();

    /** Returns the packets of flows that hosts sent. */
    long dataPackets();

    /** Says how a flow ended that is not done. */
    String failure(Flow flow);

    /** Returns what switches and hosts have counted. */
    default StatRegistry stats() {
        return parts().get(0).stats();
    }
}
