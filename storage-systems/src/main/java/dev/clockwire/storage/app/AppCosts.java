package dev.clockwire.storage.app;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.storage.bdev.BdevSpec;
import dev.clockwire.storage.nvmf.target.TargetSpec;
import dev.clockwire.storage.reactor.ReactorSpec;
import dev.clockwire.storage.software.SpdkCosts;

/**
 * What a process of SPDK's costs, and what its pools take.
 *
 * @param spdk reactors, block devices and target
 * @param rpc serving requests
 * @param pools objects in huge pages
 */
public record AppCosts(SpdkCosts spdk, RpcSpec rpc, PoolSpec pools) {
    private static final String PREFIX = "host.spdk.";
    private static final long US = 1_000_000L;

    /** Returns SPDK on a server. */
    public static AppCosts server() {
        return new AppCosts(
                new SpdkCosts(ReactorSpec.server(), BdevSpec.server(), TargetSpec.spdk()),
                RpcSpec.server(),
                PoolSpec.spdk());
    }

    /** Returns what the parameters {@code host.spdk.*} of a profile say. */
    public static AppCosts of(Profile p) {
        return new AppCosts(
                SpdkCosts.of(p),
                new RpcSpec(
                        p.integer(PREFIX + "rpc_poll_us") * US,
                        p.picoseconds(PREFIX + "rpc_empty_ns"),
                        p.picoseconds(PREFIX + "rpc_request_ns")),
                new PoolSpec(p.integer(PREFIX + "message_bytes"), p.integer(PREFIX + "bdev_io_bytes")));
    }
}
