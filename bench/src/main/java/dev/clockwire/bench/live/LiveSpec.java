package dev.clockwire.bench.live;

/**
 * How a simulated NIC meets the outside.
 *
 * @param listen UDP port of our side
 * @param peer UDP port of the other side
 * @param mtu path MTU of queue pairs whose values are agreed beforehand, in bytes
 * @param receiveBytes size of each of their receive buffers
 * @param receiveDelayMs when their receives are posted, after the first frame of the peer, in ms; {@link #NEVER} for never
 * @param loss probability with which a reliable packet is lost, in each direction
 * @param seed root of random streams
 */
public record LiveSpec(int listen, int peer, int mtu, int receiveBytes, long receiveDelayMs, double loss, long seed) {
    /** A delay that never ends. */
    public static final long NEVER = Long.MAX_VALUE;
}
