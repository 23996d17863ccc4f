package dev.clockwire.pcie.link;

import dev.clockwire.pcie.tlp.TlpHeader;
import dev.clockwire.sim.mem.Payload;

/** Sees every packet of a link, for captures and traces. It must not change anything. */
@FunctionalInterface
public interface TlpTap {
    /**
     * Called when the last bit of a packet leaves, in time order.
     *
     * @param ps time in ps
     * @param upstream true from the endpoint to the root port
     * @param header header, valid during the call
     * @param data data the packet is a part of, valid during the call
     * @param offset where the packet's bytes start in the data
     * @param bytes enabled bytes the packet carries, 0 if it has no data
     */
    void tlp(long ps, boolean upstream, TlpHeader header, Payload data, int offset, int bytes);
}
