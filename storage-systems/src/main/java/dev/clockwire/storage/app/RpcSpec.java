package dev.clockwire.storage.app;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * What serving RPC costs.
 *
 * @param pollPs how often the main thread looks for requests; SPDK 26.09: 4 ms ({@code lib/init/rpc.c})
 * @param emptyPs a look that finds none: an accept and a receive that return at once, assumed
 * @param requestPs reading a request, calling its method and writing the answer, assumed: some 10,000 cycles for a kilobyte of JSON
 */
public record RpcSpec(long pollPs, long emptyPs, long requestPs) {
    private static final long LARGEST = 1_000_000_000_000L;

    /** Checks the ranges. */
    public RpcSpec {
        check("rpc.pollPs", pollPs, 1);
        check("rpc.emptyPs", emptyPs, 0);
        check("rpc.requestPs", requestPs, 0);
    }

    private static void check(String what, long value, long least) {
        if (value < least || value > LARGEST) {
            throw new ConfigurationException(what + " " + value + " is not in " + least + ".." + LARGEST);
        }
    }

    /** Returns SPDK on a server. */
    public static RpcSpec server() {
        return new RpcSpec(4_000_000_000L, 1_000_000L, 4_000_000L);
    }
}
