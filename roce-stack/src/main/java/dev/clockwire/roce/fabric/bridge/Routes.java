package dev.clockwire.roce.fabric.bridge;

/** Where a switch sends a frame. */
@FunctionalInterface
public interface Routes {
    /**
     * Returns the port towards a destination.
     *
     * @param mac destination address, 48 bits
     * @param hash of the flow; among ports of equal cost it decides
     * @return a port from 0, -1 if the destination is unknown
     */
    int port(long mac, int hash);
}
