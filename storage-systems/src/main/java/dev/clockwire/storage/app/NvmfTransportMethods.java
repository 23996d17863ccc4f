package dev.clockwire.storage.app;

import static dev.clockwire.storage.rpc.RpcMethod.When.RUNTIME;

import dev.clockwire.nic.offload.OffloadMemory.Place;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import dev.clockwire.storage.nvmf.target.TargetOffload;
import dev.clockwire.storage.reactor.Errno;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcException;
import dev.clockwire.storage.rpc.RpcParam;
import dev.clockwire.storage.rpc.RpcParams;
import dev.clockwire.storage.rpc.RpcReply;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** {@code nvmf_create_transport} and {@code nvmf_get_transports}. */
final class NvmfTransportMethods {
    private static final long US = 1_000_000L;
    private static final long SECOND = 1_000_000 * US;
    private static final int MOST = Integer.MAX_VALUE;
    /** A command and its completion beside the data that a capsule may bring along. */
    private static final int CAPSULE = 64 + 16;

    private final StorageApp app;

    private NvmfTransportMethods(StorageApp app) {
        this.app = app;
    }

    static void add(StorageApp app) {
        NvmfTransportMethods n = new NvmfTransportMethods(app);
        app.methods().add("nvmf_create_transport", RUNTIME, params(), n::create);
        app.methods()
                .add(
                        "nvmf_get_transports",
                        RUNTIME,
                        List.of(
                                RpcParam.choice("trtype", "RDMA").optional(),
                                RpcParam.text("tgt_name").withoutEffect()),
                        (p, r) -> {
                            TransportSpec t = app.target().transport();
                            if (t == null && p.has("trtype")) {
                                throw new RpcException(-Errno.ENODEV, "No such device: transport RDMA");
                            }
                            r.result(JsonValue.of(t == null ? List.<JsonValue>of() : List.of(describe(t))));
                        });
    }

    private static RpcParam number(String name) {
        return RpcParam.integer(name, 0, MOST);
    }

    private static List<RpcParam> params() {
        return List.of(
                RpcParam.choice("trtype", "RDMA"),
                number("max_queue_depth").optional(),
                number("max_io_qpairs_per_ctrlr").optional(),
                number("in_capsule_data_size").optional(),
                number("max_io_size").optional(),
                number("io_unit_size").withoutEffect(),
                number("max_aq_depth").optional(),
                number("num_shared_buffers").withoutEffect(),
                number("buf_cache_size").withoutEffect(),
                number("iobuf_small_cache_size").withoutEffect(),
                number("iobuf_large_cache_size").withoutEffect(),
                RpcParam.flag("zcopy").withoutEffect(),
                RpcParam.flag("dif_insert_or_strip").withoutEffect(),
                number("num_cqe").optional(),
                number("max_srq_depth").optional(),
                RpcParam.flag("no_srq").optional(),
                number("acceptor_backlog").optional(),
                number("abort_timeout_sec").optional(),
                RpcParam.flag("no_wr_batching").optional(),
                number("acceptor_poll_rate").optional(),
                number("ack_timeout").withoutEffect(),
                number("data_wr_pool_size").optional(),
                number("kas").optional(),
                number("min_kato").optional(),
                RpcParam.flag("offload").optional(),
                RpcParam.choice("offload_memory", text(Place.HOST), text(Place.CONTROLLER))
                        .optional(),
                number("masked_oncs").withoutEffect(),
                number("masked_fuses").withoutEffect(),
                RpcParam.text("tgt_name").withoutEffect());
    }

    private void create(RpcParams p, RpcReply reply) {
        if (app.target().transport() != null) {
            throw new RpcException(-Errno.EEXIST, "File exists: transport RDMA");
        }
        TransportSpec t = spec(p);
        if (t.offload()) {
            prepareOffload(t.offloadMemory());
        }
        if (p.has("in_capsule_data_size") && p.integer("in_capsule_data_size") < TransportSpec.LEAST_IN_CAPSULE) {
            app.remark("nvmf_create_transport: in_capsule_data_size is raised to " + TransportSpec.LEAST_IN_CAPSULE
                    + ": room for the descriptors; small writes cost a round trip more");
        }
        long capsules = (long) app.reactors().reactors().size() * (t.srq() ? t.srqDepth() : t.maxQueueDepth());
        app.pages().take("rdma_capsules", capsules, CAPSULE + (long) t.inCapsuleBytes());
        app.target().createTransport(t);
        app.config().put("nvmf", "transport", "nvmf_create_transport", p.given());
        app.when(() -> app.target().isReady(), reply::done);
    }

    private void prepareOffload(Place place) {
        Function<Place, TargetOffload> nic = app.machine().offload();
        if (nic == null) {
            throw new RpcException(
                    -Errno.ENOTSUP,
                    "Operation not supported: offload: the NIC has none, or does not reach the SSDs; it needs"
                            + " nic.nvmf.contexts, nic.dm.bytes and a pcie.switch");
        }
        app.target().offloadBy(nic.apply(place));
    }

    private static String text(Place place) {
        return place.name().toLowerCase(Locale.ROOT);
    }

    private TransportSpec spec(RpcParams p) {
        TransportSpec t = app.iobuf().of(TransportSpec.rdma());
        return t.withBytes(p.count("in_capsule_data_size", t.inCapsuleBytes()), p.count("max_io_size", t.maxIoBytes()))
                .withDepths(p.count("max_queue_depth", t.maxQueueDepth()), p.count("max_aq_depth", t.maxAdminDepth()))
                .withIoQpairs(p.count("max_io_qpairs_per_ctrlr", t.maxIoQpairs()))
                .withSrq(!p.flag("no_srq", !t.srq()), p.count("max_srq_depth", t.srqDepth()))
                .withCqEntries(p.count("num_cqe", t.cqEntries()))
                .withDataWrs(p.count("data_wr_pool_size", t.dataWrs()))
                .withWrBatching(!p.flag("no_wr_batching", !t.wrBatching()))
                .withAcceptor(
                        p.integer("acceptor_poll_rate", t.acceptorPollPs() / US) * US,
                        p.count("acceptor_backlog", t.acceptorBacklog()))
                .withTimes(
                        Math.min(p.integer("abort_timeout_sec", t.abortTimeoutPs() / SECOND), Long.MAX_VALUE / SECOND)
                                * SECOND,
                        p.count("kas", t.kas()),
                        p.count("min_kato", t.minKeepAliveMs()))
                .withOffload(p.flag("offload", t.offload()))
                .withOffloadMemory(
                        p.text("offload_memory", text(t.offloadMemory())).equals(text(Place.CONTROLLER))
                                ? Place.CONTROLLER
                                : Place.HOST);
    }

    private static JsonValue describe(TransportSpec t) {
        JsonValue.Builder all = limits(t);
        return t.offload()
                ? all.with("offload", true)
                        .with("offload_memory", text(t.offloadMemory()))
                        .done()
                : all.done();
    }

    private static JsonValue.Builder limits(TransportSpec t) {
        return JsonValue.object()
                .with("trtype", "RDMA")
                .with("max_queue_depth", t.maxQueueDepth())
                .with("max_io_qpairs_per_ctrlr", t.maxIoQpairs())
                .with("in_capsule_data_size", t.inCapsuleBytes())
                .with("max_io_size", t.maxIoBytes())
                .with("io_unit_size", t.smallBytes())
                .with("max_aq_depth", t.maxAdminDepth())
                .with("abort_timeout_sec", t.abortTimeoutPs() / SECOND)
                .with("zcopy", false)
                .with("data_wr_pool_size", t.dataWrs())
                .with("kas", t.kas())
                .with("min_kato", t.minKeepAliveMs())
                .with("num_cqe", t.cqEntries())
                .with("max_srq_depth", t.srqDepth())
                .with("no_srq", !t.srq())
                .with("acceptor_backlog", t.acceptorBacklog())
                .with("acceptor_poll_rate", t.acceptorPollPs() / US)
                .with("no_wr_batching", !t.wrBatching());
    }
}
