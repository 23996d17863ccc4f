package dev.clockwire.roce.fabric.net;

import dev.clockwire.roce.fabric.bridge.PortSpec;

/** What a port of a switch has because of the cable it is at. */
@FunctionalInterface
public interface PortRule {
    /** Returns the parameters of a port. */
    PortSpec of(CableSpec cable);
}
