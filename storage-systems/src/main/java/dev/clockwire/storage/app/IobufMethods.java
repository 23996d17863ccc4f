package dev.clockwire.storage.app;

import static dev.clockwire.storage.rpc.RpcMethod.When.RUNTIME;
import static dev.clockwire.storage.rpc.RpcMethod.When.STARTUP;

import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import dev.clockwire.storage.nvmf.target.BufferStats;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcException;
import dev.clockwire.storage.rpc.RpcParam;
import dev.clockwire.storage.rpc.RpcParams;
import dev.clockwire.storage.rpc.RpcReply;
import java.util.List;

/** Data buffers: small and large ones in pools that are made when the framework is started. The ranges are SPDK's. */
final class IobufMethods {
    private static final int MOST_COUNT = 1 << 20;
    private static final int MOST_BYTES = 1 << 24;

    private final StorageApp app;
    private int smallCount = TransportSpec.rdma().smallCount();
    private int smallBytes = TransportSpec.rdma().smallBytes();
    private int largeCount = TransportSpec.rdma().largeCount();
    private int largeBytes = TransportSpec.rdma().largeBytes();

    private IobufMethods(StorageApp app) {
        this.app = app;
    }

    static IobufMethods add(StorageApp app) {
        IobufMethods i = new IobufMethods(app);
        app.methods()
                .add(
                        "iobuf_set_options",
                        STARTUP,
                        List.of(
                                RpcParam.integer("small_pool_count", 64, MOST_COUNT)
                                        .optional(),
                                RpcParam.integer("large_pool_count", 8, MOST_COUNT)
                                        .optional(),
                                RpcParam.integer("small_bufsize", 4096, MOST_BYTES)
                                        .optional(),
                                RpcParam.integer("large_bufsize", 8192, MOST_BYTES)
                                        .optional(),
                                RpcParam.flag("enable_numa").withoutEffect()),
                        i::options)
                .add("iobuf_get_stats", RUNTIME, List.of(), (p, r) -> r.result(i.stats()));
        return i;
    }

    private void options(RpcParams p, RpcReply reply) {
        int small = p.count("small_bufsize", smallBytes);
        int large = p.count("large_bufsize", largeBytes);
        if (small > large) {
            throw RpcException.invalid("parameter 'small_bufsize' " + small + " is above 'large_bufsize' " + large);
        }
        smallCount = p.count("small_pool_count", smallCount);
        largeCount = p.count("large_pool_count", largeCount);
        smallBytes = small;
        largeBytes = large;
        app.config().put("iobuf", "", "iobuf_set_options", p.given());
        reply.done();
    }

    /** Takes the memory of the pools. */
    void take(HugePages pages) {
        pages.take("iobuf_small_pool", smallCount, smallBytes);
        pages.take("iobuf_large_pool", largeCount, largeBytes);
    }

    /** Gives a transport these buffers. */
    TransportSpec of(TransportSpec t) {
        return t.withBuffers(smallBytes, smallCount, largeBytes, largeCount);
    }

    /** There are no caches: all buffers come from the pools. */
    private JsonValue stats() {
        BufferStats s = app.target().bufferStats();
        return JsonValue.of(List.of(JsonValue.object()
                .with("module", "nvmf_RDMA")
                .with("small_pool", pool(s.small(), s.smallRefused()))
                .with("large_pool", pool(s.large(), s.largeRefused()))
                .done()));
    }

    private static JsonValue pool(long taken, long refused) {
        return JsonValue.object()
                .with("cache", 0)
                .with("main", taken)
                .with("retry", refused)
                .done();
    }
}
