package dev.clockwire.storage.software;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.storage.bdev.BdevSpec;
import dev.clockwire.storage.nvmf.initiator.InitiatorSpec;
import dev.clockwire.storage.nvmf.target.TargetSpec;
import dev.clockwire.storage.reactor.ReactorSpec;

/**
 * The costs and pools of SPDK's programs as the parameters {@code host.spdk.*} of a profile say them, which has their sources.
 *
 * @param reactor of rings, messages and events
 * @param layer of block devices
 * @param target of capsules and responses
 */
public record SpdkCosts(ReactorSpec reactor, BdevSpec layer, TargetSpec target) {
    private static final String PREFIX = "host.spdk.";
    private static final long US = 1_000_000L;

    /** Returns those of a profile. */
    public static SpdkCosts of(Profile p) {
        ReactorSpec usual = ReactorSpec.server();
        ReactorSpec reactor = p.together(
                () -> new ReactorSpec(
                        ns(p, "event_ring"),
                        ns(p, "message_ring"),
                        ns(p, "call"),
                        ns(p, "handle"),
                        ns(p, "send"),
                        ns(p, "cross"),
                        usual.adaptive(),
                        p.integer(PREFIX + "event_pool"),
                        p.integer(PREFIX + "message_pool"),
                        p.integer(PREFIX + "message_cache")),
                PREFIX + "message_pool",
                PREFIX + "message_cache");
        BdevSpec layer = p.together(
                () -> new BdevSpec(
                        ns(p, "bdev_submit"),
                        ns(p, "bdev_complete"),
                        p.integer(PREFIX + "bdev_retry_us") * US,
                        p.integer(PREFIX + "bdev_io_pool"),
                        p.integer(PREFIX + "bdev_io_cache"),
                        false),
                PREFIX + "bdev_io_pool",
                PREFIX + "bdev_io_cache");
        TargetSpec shown = TargetSpec.spdk();
        return new SpdkCosts(
                reactor,
                layer,
                new TargetSpec(shown.name(), shown.profile(), ns(p, "target_parse"), ns(p, "target_respond")));
    }

    /** Returns SPDK's host with the costs of a profile. */
    public static InitiatorSpec initiator(Profile p, String hostNqn) {
        return InitiatorSpec.spdk(hostNqn)
                .withCosts(ns(p, "host_build"), ns(p, "host_finish"))
                .withAdminPoll(p.integer(PREFIX + "host_admin_poll_us") * US);
    }

    private static long ns(Profile p, String name) {
        return p.picoseconds(PREFIX + name + "_ns");
    }
}
