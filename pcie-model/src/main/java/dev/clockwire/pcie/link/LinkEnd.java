package dev.clockwire.pcie.link;

import dev.clockwire.sim.EventPort;

/** One end of a link: a transmitter, and a port for what arrives. */
public interface LinkEnd {
    /** Returns the port that {@link LinkDirection} describes. */
    EventPort arrivals();

    /** Returns the transmitter of this end. */
    LinkDirection transmitter();

    /** Lets two ends send to each other. */
    static void join(LinkEnd one, LinkEnd other) {
        one.transmitter().join(other.transmitter(), other.arrivals());
        other.transmitter().join(one.transmitter(), one.arrivals());
    }
}
