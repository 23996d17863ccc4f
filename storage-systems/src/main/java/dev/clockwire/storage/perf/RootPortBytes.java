package dev.clockwire.storage.perf;

import dev.clockwire.pcie.host.Host;
import dev.clockwire.pcie.host.RootPort;

/** What devices move to and from a host's memory: all of it passes a root port. */
public final class RootPortBytes {
    private RootPortBytes() {}

    /** Returns the data bytes of packets that have passed the root ports of a host, in both directions; stores of its cores are among them. */
    public static long of(Host host) {
        long bytes = 0;
        for (int i = 0; i < host.ports(); i++) {
            RootPort port = host.port(i);
            bytes += port.transmitter().payloadBytes()
                    + port.device().transmitter().payloadBytes();
        }
        return bytes;
    }
}
