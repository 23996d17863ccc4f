package dev.clockwire.roce.fabric.net;

import dev.clockwire.roce.fabric.bridge.Routes;
import dev.clockwire.roce.fabric.host.LightFrame;
import dev.clockwire.sim.random.RandomStream;

/** The shortest ways from one switch: for each host the ports that lie on one, among which a flow's hash chooses. */
final class EqualCostRoutes implements Routes {
    private final int[][] ports;
    private final int salt;

    /**
     * Creates a table.
     *
     * @param hosts number of hosts
     * @param salt a number of the switch's own: else all switches would choose alike
     */
    EqualCostRoutes(int hosts, int salt) {
        ports = new int[hosts][];
        this.salt = salt;
    }

    void set(int host, int[] choices) {
        ports[host] = choices;
    }

    /** Returns the ports towards a host, none if there is no way. */
    int[] towards(int host) {
        int[] choices = ports[host];
        return choices == null ? new int[0] : choices;
    }

    @Override
    public int port(long mac, int hash) {
        int host = LightFrame.hostOf(mac);
        if (host < 0 || host >= ports.length) {
            return -1;
        }
        int[] choices = ports[host];
        if (choices == null || choices.length == 0) {
            return -1;
        }
        if (choices.length == 1) {
            return choices[0];
        }
        long mixed = RandomStream.mix(((long) hash << 32) | (salt & 0xFFFF_FFFFL)) >>> 33;
        return choices[(int) (mixed % choices.length)];
    }
}
