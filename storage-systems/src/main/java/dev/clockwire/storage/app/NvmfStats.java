package dev.clockwire.storage.app;

import static dev.clockwire.storage.rpc.RpcMethod.When.RUNTIME;

import dev.clockwire.storage.nvmf.subsystem.Namespace;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.nvmf.subsystem.TransportId;
import dev.clockwire.storage.nvmf.target.ControllerInfo;
import dev.clockwire.storage.nvmf.target.PollGroupStats;
import dev.clockwire.storage.nvmf.target.TargetOffload;
import dev.clockwire.storage.reactor.Errno;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcException;
import dev.clockwire.storage.rpc.RpcParam;
import dev.clockwire.storage.rpc.RpcParams;
import java.util.ArrayList;
import java.util.List;

/** Methods that tell of the NVMe-oF target. A tick is a picosecond. */
final class NvmfStats {
    private NvmfStats() {}

    private interface Answer {
        JsonValue of(RpcParams p);
    }

    static void add(StorageApp app) {
        RpcParam nqn = RpcParam.text("nqn", 223);
        method(app, "nvmf_get_subsystems", p -> subsystems(app, p), nqn.optional());
        method(
                app,
                "nvmf_subsystem_get_listeners",
                p -> JsonValue.of(NvmfMethods.subsystem(app, p.text("nqn")).listeners().stream()
                        .map(NvmfStats::listener)
                        .toList()),
                nqn);
        method(
                app,
                "nvmf_subsystem_get_controllers",
                p -> JsonValue.of(
                        controllers(app, p).stream().map(NvmfStats::controller).toList()),
                nqn);
        method(app, "nvmf_subsystem_get_qpairs", p -> qpairs(controllers(app, p)), nqn);
        method(app, "nvmf_get_stats", p -> stats(app));
    }

    private static void method(StorageApp app, String name, Answer answer, RpcParam... params) {
        List<RpcParam> all = new ArrayList<>(List.of(params));
        all.add(RpcParam.text("tgt_name").withoutEffect());
        app.methods().add(name, RUNTIME, all, (p, r) -> r.result(answer.of(p)));
    }

    private static List<ControllerInfo> controllers(StorageApp app, RpcParams p) {
        return app.target().controllers(NvmfMethods.subsystem(app, p.text("nqn")));
    }

    static JsonValue.Obj address(TransportId at) {
        return JsonValue.object()
                .with("trtype", at.trtype())
                .with("adrfam", at.adrfam())
                .with("traddr", at.traddr())
                .with("trsvcid", at.trsvcid())
                .done();
    }

    private static JsonValue listener(TransportId at) {
        JsonValue.Obj state = JsonValue.object()
                .with("ana_group", 1)
                .with("ana_state", "optimized")
                .done();
        return JsonValue.object()
                .with("address", address(at))
                .with("ana_states", List.of(state))
                .done();
    }

    /** Returns what a subsystem was made with, by the names of {@code nvmf_create_subsystem}. */
    static JsonValue.Builder spec(Subsystem s) {
        return JsonValue.object()
                .with("nqn", s.nqn())
                .with("allow_any_host", s.allowsAnyHost())
                .with("serial_number", s.spec().serial())
                .with("model_number", s.spec().model())
                .with("max_namespaces", s.spec().maxNamespaces())
                .with("min_cntlid", s.spec().minCntlid())
                .with("max_cntlid", s.spec().maxCntlid());
    }

    /** Returns a namespace; {@code told} has the name twice, as SPDK tells it. */
    static JsonValue.Obj namespace(Namespace n, boolean told) {
        JsonValue.Builder b = JsonValue.object()
                .with("nsid", n.nsid())
                .with("bdev_name", n.bdev().name());
        if (told) {
            b.with("name", n.bdev().name());
        }
        if (!n.nguid().isEmpty()) {
            b.with("nguid", n.nguid());
        }
        if (!n.eui64().isEmpty()) {
            b.with("eui64", n.eui64());
        }
        return b.with("uuid", n.uuid()).done();
    }

    private static JsonValue subsystems(StorageApp app, RpcParams p) {
        String nqn = p.find("nqn");
        if (nqn != null && app.target().find(nqn) == null) {
            throw new RpcException(-Errno.ENODEV, "No such device: subsystem '" + nqn + "'");
        }
        List<JsonValue> all = new ArrayList<>();
        for (Subsystem s : app.target().subsystems()) {
            if (nqn == null || s.nqn().equals(nqn)) {
                all.add(subsystem(s));
            }
        }
        return JsonValue.of(all);
    }

    private static JsonValue subsystem(Subsystem s) {
        boolean isNvme = s.kind() == Subsystem.Kind.NVME;
        JsonValue.Builder b = JsonValue.object()
                .with("nqn", s.nqn())
                .with("subtype", isNvme ? "NVMe" : "Discovery")
                .with(
                        "listen_addresses",
                        s.listeners().stream().map(NvmfStats::address).toList())
                .with("allow_any_host", s.allowsAnyHost())
                .with(
                        "hosts",
                        s.hosts().stream()
                                .map(h -> JsonValue.object().with("nqn", h).done())
                                .toList());
        if (isNvme) {
            b.with("serial_number", s.spec().serial())
                    .with("model_number", s.spec().model())
                    .with("max_namespaces", s.spec().maxNamespaces())
                    .with("min_cntlid", s.spec().minCntlid())
                    .with("max_cntlid", s.spec().maxCntlid())
                    .with(
                            "namespaces",
                            s.namespaces().stream().map(n -> namespace(n, true)).toList());
        }
        return b.done();
    }

    private static JsonValue controller(ControllerInfo c) {
        return JsonValue.object()
                .with("cntlid", c.cntlid())
                .with("hostnqn", c.hostnqn())
                .with("hostid", c.hostid())
                .with(
                        "num_io_qpairs",
                        c.qpairs().stream().filter(q -> q.qid() != 0).count())
                .done();
    }

    private static JsonValue qpairs(List<ControllerInfo> controllers) {
        List<JsonValue> all = new ArrayList<>();
        for (ControllerInfo c : controllers) {
            for (ControllerInfo.Qpair q : c.qpairs()) {
                all.add(JsonValue.object()
                        .with("cntlid", c.cntlid())
                        .with("qid", q.qid())
                        .with("state", q.state())
                        .with("thread", q.thread())
                        .with("hostnqn", c.hostnqn())
                        .done());
            }
        }
        return JsonValue.of(all);
    }

    private static JsonValue stats(StorageApp app) {
        JsonValue.Builder all = JsonValue.object()
                .with("tick_rate", ThreadMethods.TICK_RATE)
                .with(
                        "poll_groups",
                        app.target().stats().stream().map(g -> group(app, g)).toList());
        TargetOffload.Stats nic = app.target().offloadStats();
        if (nic != null) {
            all.with(
                    "offload",
                    JsonValue.object()
                            .with("current_io_qpairs", nic.queues())
                            .with("executed", nic.executed())
                            .with("passed_on", nic.passedOn())
                            .with("failures", nic.failures())
                            .done());
        }
        return all.done();
    }

    private static JsonValue group(StorageApp app, PollGroupStats g) {
        JsonValue.Obj transport = JsonValue.object()
                .with("trtype", "RDMA")
                .with("pending_data_buffer", g.pendingDataBuffer())
                .with("devices", g.devices().stream().map(NvmfStats::device).toList())
                .done();
        return JsonValue.object()
                .with("name", g.name())
                .with("admin_qpairs", g.adminQpairs())
                .with("io_qpairs", g.ioQpairs())
                .with("current_admin_qpairs", g.currentAdminQpairs())
                .with("current_io_qpairs", g.currentIoQpairs())
                .with("pending_bdev_io", g.pendingBdevIo())
                .with("transports", app.target().transport() == null ? List.of() : List.of(transport))
                .done();
    }

    private static JsonValue device(PollGroupStats.DeviceStats d) {
        return JsonValue.object()
                .with("name", d.name())
                .with("polls", d.polls())
                .with("idle_polls", d.idlePolls())
                .with("completions", d.completions())
                .with("requests", d.requests())
                .with("request_latency", d.requestLatencyPs())
                .with("pending_free_request", d.pendingFreeRequest())
                .with("pending_rdma_read", d.pendingRdmaRead())
                .with("pending_rdma_write", d.pendingRdmaWrite())
                .with("pending_rdma_send", d.pendingRdmaSend())
                .with("total_send_wrs", d.totalSendWrs())
                .with("send_doorbell_updates", d.sendDoorbellUpdates())
                .with("total_recv_wrs", d.totalRecvWrs())
                .with("recv_doorbell_updates", d.recvDoorbellUpdates())
                .done();
    }
}
