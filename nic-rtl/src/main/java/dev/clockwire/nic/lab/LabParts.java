package dev.clockwire.nic.lab;

import dev.clockwire.pcie.fabric.PcieSwitch;
import dev.clockwire.sim.Sim;

/** What is added to the hosts of a lab while it is built: more cores, more devices on the root complex. */
@FunctionalInterface
public interface LabParts {
    /** Nothing. */
    LabParts NONE = (sim, a, b) -> {};

    /** Adds parts; the NICs are there, the design is not elaborated yet. */
    void add(Sim sim, LabHost a, LabHost b);

    /** Adds devices behind a host's PCIe switch, if it has one: its NIC is there, the switch is not attached yet. */
    default void behind(Sim sim, String host, PcieSwitch fabric) {}
}
