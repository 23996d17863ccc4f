package dev.clockwire.nic.lab;

import dev.clockwire.pcie.link.TlpFault;
import java.util.List;

/**
 * What happens to packets on the PCIe links of a lab's hosts. Both ends then wait for completions with a clock, 10 ms unless the profile
 * says otherwise.
 *
 * @param client on the link of the first host
 * @param server on the link of the second
 */
public record PcieFaults(List<TlpFault> client, List<TlpFault> server) {
    /** Nothing happens. */
    public static final PcieFaults NONE = new PcieFaults(List.of(), List.of());

    /** Copies the lists. */
    public PcieFaults {
        client = List.copyOf(client);
        server = List.copyOf(server);
    }

    /** Returns faults of the first host's link only. */
    public static PcieFaults ofClient(TlpFault... faults) {
        return new PcieFaults(List.of(faults), List.of());
    }

    /** Returns faults of the second host's link only. */
    public static PcieFaults ofServer(TlpFault... faults) {
        return new PcieFaults(List.of(), List.of(faults));
    }
}
