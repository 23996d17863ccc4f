package dev.clockwire.nic.profile;

import static dev.clockwire.nic.profile.Param.integer;
import static dev.clockwire.nic.profile.Param.number;

import java.util.List;

/** What SPDK's own work costs its cores, and how large its pools are: reactors, block devices, target, initiator and RPC. */
final class SpdkParameters {
    private static final int OBJECTS = 1 << 24;

    static final List<Param> ALL = List.of(
            number("host.spdk.event_ring_ns", "ns", 0.001, 1_000_000, "A look at a reactor's event ring"),
            number("host.spdk.message_ring_ns", "ns", 0.001, 1_000_000, "A look at a thread's message ring"),
            number("host.spdk.call_ns", "ns", 0.001, 1_000_000, "Calling a poller and counting its result"),
            number("host.spdk.handle_ns", "ns", 0, 1_000_000, "Taking a message or event and calling its function"),
            number("host.spdk.send_ns", "ns", 0, 1_000_000, "Putting a message or event into a ring"),
            number("host.spdk.cross_ns", "ns", 0.001, 1_000_000, "Until another core can see it"),
            number("host.spdk.bdev_submit_ns", "ns", 0, 1_000_000, "Block device layer, from the call to the device"),
            number(
                    "host.spdk.bdev_complete_ns",
                    "ns",
                    0,
                    1_000_000,
                    "Block device layer, from the device to the caller"),
            integer(
                    "host.spdk.bdev_retry_us",
                    "us",
                    1,
                    1_000_000,
                    "An I/O without room is tried again, if no end tells"),
            number("host.spdk.host_build_ns", "ns", 0, 1_000_000, "The initiator makes a capsule, without posting it"),
            number("host.spdk.host_finish_ns", "ns", 0, 1_000_000, "The initiator looks at an answer and tells of it"),
            integer("host.spdk.host_admin_poll_us", "us", 1, 10_000_000, "The initiator looks at its admin queue"),
            number("host.spdk.target_parse_ns", "ns", 0, 1_000_000, "The target takes a capsule apart"),
            number("host.spdk.target_respond_ns", "ns", 0, 1_000_000, "The target fills in a response and its WRs"),
            integer("host.spdk.rpc_poll_us", "us", 1, 1_000_000, "The main thread looks for RPC requests"),
            number("host.spdk.rpc_empty_ns", "ns", 0, 1_000_000_000, "A look that finds no request"),
            number("host.spdk.rpc_request_ns", "ns", 0, 1_000_000_000, "Reading a request and writing its answer"),
            integer("host.spdk.event_pool", "", 1, OBJECTS, "Events that can be under way"),
            integer("host.spdk.message_pool", "", 1, OBJECTS, "Messages that can be under way or in caches"),
            integer("host.spdk.message_cache", "", 0, OBJECTS, "Messages that a thread keeps for itself"),
            integer("host.spdk.message_bytes", "B", 1, 1 << 20, "A message or event in huge pages"),
            integer("host.spdk.bdev_io_pool", "", 1, OBJECTS, "I/Os of block devices that can be under way"),
            integer("host.spdk.bdev_io_cache", "", 1, OBJECTS, "I/Os that a thread keeps for itself"),
            integer("host.spdk.bdev_io_bytes", "B", 1, 1 << 20, "An I/O with its module's context in huge pages"));

    private SpdkParameters() {}

    /** Sets what SPDK 26.09 on a server core has. */
    static void defaults(ProfileBuilder b) {
        b.source('C', "some ten cycles of a core at 2 to 3 GHz: a ring or a pointer in the cache")
                .set("host.spdk.event_ring_ns", 5)
                .set("host.spdk.message_ring_ns", 5)
                .set("host.spdk.call_ns", 4)
                .set("host.spdk.handle_ns", 10)
                .set("host.spdk.send_ns", 15)
                .source('C', "some two hundred cycles: a cache line from another core")
                .set("host.spdk.cross_ns", 70)
                .source('C', "some hundred cycles each way")
                .set("host.spdk.bdev_submit_ns", 40)
                .set("host.spdk.bdev_complete_ns", 30)
                .source(
                        'C',
                        "a capsule is a line in the cache and some fifty instructions, an answer a quarter of a line")
                .set("host.spdk.host_build_ns", 25)
                .set("host.spdk.host_finish_ns", 20)
                .source('C', "some hundred cycles: descriptors, choice of what follows, work requests")
                .set("host.spdk.target_parse_ns", 80)
                .set("host.spdk.target_respond_ns", 50)
                .source('C', "an accept and a receive that return at once; 10,000 cycles for a kilobyte of JSON")
                .set("host.spdk.rpc_empty_ns", 1_000)
                .set("host.spdk.rpc_request_ns", 4_000)
                .source(
                        'A',
                        "SPDK 26.09: lib/init/rpc.c, bdev_nvme (nvme_adminq_poll_period_us), bdev.c, app.c, thread.c")
                .set("host.spdk.rpc_poll_us", 4_000)
                .set("host.spdk.host_admin_poll_us", 10_000)
                .set("host.spdk.event_pool", 16_383)
                .set("host.spdk.message_pool", 262_143)
                .set("host.spdk.message_cache", 1_024)
                .set("host.spdk.bdev_io_pool", 65_535)
                .set("host.spdk.bdev_io_cache", 256)
                .source('C', "SPDK has a poller for it; its period is assumed to be that of the admin queue")
                .set("host.spdk.bdev_retry_us", 10_000)
                .source('C', "SPDK's structures with what a pool of DPDK puts around each, in whole cache lines")
                .set("host.spdk.message_bytes", 128)
                .set("host.spdk.bdev_io_bytes", 1_216);
    }
}
