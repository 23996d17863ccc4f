package dev.clockwire.storage.app;

import static dev.clockwire.storage.rpc.RpcMethod.When.RUNTIME;
import static dev.clockwire.storage.rpc.RpcMethod.When.STARTUP;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import dev.clockwire.storage.bdev.Bdev;
import dev.clockwire.storage.nvmf.subsystem.NamespaceSpec;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.nvmf.subsystem.SubsystemSpec;
import dev.clockwire.storage.nvmf.subsystem.TransportId;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcException;
import dev.clockwire.storage.rpc.RpcMethod;
import dev.clockwire.storage.rpc.RpcMethods;
import dev.clockwire.storage.rpc.RpcParam;
import dev.clockwire.storage.rpc.RpcParams;
import dev.clockwire.storage.rpc.RpcReply;
import java.util.ArrayList;
import java.util.List;

/** Methods that say what the NVMe-oF target offers. What the target refuses is an invalid parameter, as in SPDK. */
final class NvmfMethods {
    private static final RpcParam NQN = RpcParam.text("nqn", 223);
    private static final RpcParam TGT = RpcParam.text("tgt_name").withoutEffect();
    private static final RpcParam ADDRESS = RpcParam.object(
            "listen_address",
            RpcParam.choice("trtype", "RDMA"),
            RpcParam.choice("adrfam", "IPv4", "IPv6").optional(),
            RpcParam.text("traddr"),
            RpcParam.text("trsvcid").optional());

    private final StorageApp app;

    private NvmfMethods(StorageApp app) {
        this.app = app;
    }

    static void add(StorageApp app) {
        NvmfMethods n = new NvmfMethods(app);
        n.settings();
        n.subsystems();
        n.parts();
        NvmfTransportMethods.add(app);
        NvmfStats.add(app);
        app.config().live("nvmf", () -> n.calls());
    }

    /** Adds a method; what the target refuses becomes an error about parameters. */
    private void method(String name, RpcMethod.Handler handler, RpcParam... params) {
        List<RpcParam> all = new ArrayList<>(List.of(params));
        all.add(TGT);
        app.methods().add(name, RUNTIME, all, (p, r) -> {
            try {
                handler.call(p, r);
            } catch (RpcException e) {
                throw e;
            } catch (ConfigurationException e) {
                throw RpcException.invalid(String.valueOf(e.getMessage()));
            }
        });
    }

    private void settings() {
        RpcMethods m = app.methods();
        m.add(
                "nvmf_set_max_subsystems",
                STARTUP,
                List.of(RpcParam.integer("max_subsystems", 1, 65_535).withoutEffect()),
                (p, r) -> r.done());
        m.add(
                "nvmf_set_config",
                STARTUP,
                List.of(
                        RpcParam.text("poll_groups_mask").withoutEffect(),
                        RpcParam.text("discovery_filter").withoutEffect(),
                        RpcParam.list("dhchap_digests", RpcParam.text("")).withoutEffect(),
                        RpcParam.list("dhchap_dhgroups", RpcParam.text("")).withoutEffect(),
                        new RpcParam(
                                "admin_cmd_passthru",
                                RpcParam.Kind.OBJECT,
                                false,
                                0,
                                0,
                                List.of(),
                                List.of(RpcParam.flag("identify_ctrlr").optional()),
                                true)),
                (p, r) -> r.done());
        m.add(
                "nvmf_set_crdt",
                STARTUP,
                List.of(
                        RpcParam.integer("crdt1", 0, 65_535).withoutEffect(),
                        RpcParam.integer("crdt2", 0, 65_535).withoutEffect(),
                        RpcParam.integer("crdt3", 0, 65_535).withoutEffect()),
                (p, r) -> r.done());
        m.meant("nvmf_subsystem_create", "nvmf_create_subsystem");
        m.meant("nvmf_transport_create", "nvmf_create_transport");
        m.meant("delete_nvmf_subsystem", "nvmf_delete_subsystem");
        m.meant("get_nvmf_subsystems", "nvmf_get_subsystems");
    }

    private void subsystems() {
        method(
                "nvmf_create_subsystem",
                this::create,
                NQN,
                RpcParam.text("serial_number", 20).optional(),
                RpcParam.text("model_number", 40).optional(),
                RpcParam.flag("allow_any_host").optional(),
                RpcParam.integer("max_namespaces", 0, 1024).optional(),
                RpcParam.integer("min_cntlid", 1, SubsystemSpec.LAST_CNTLID).optional(),
                RpcParam.integer("max_cntlid", 1, SubsystemSpec.LAST_CNTLID).optional(),
                RpcParam.flag("ana_reporting").withoutEffect(),
                RpcParam.integer("dmrsl", 0, Long.MAX_VALUE).withoutEffect(),
                RpcParam.integer("wzsl", 0, 255).withoutEffect(),
                RpcParam.flag("passthrough").withoutEffect(),
                RpcParam.flag("enable_nssr").withoutEffect());
        method(
                "nvmf_delete_subsystem",
                (p, r) -> {
                    app.target().deleteSubsystem(subsystem(p).nqn());
                    r.done();
                },
                NQN);
        method(
                "nvmf_subsystem_allow_any_host",
                (p, r) -> {
                    subsystem(p).allowAnyHost(p.flag("allow_any_host", true));
                    r.done();
                },
                NQN,
                RpcParam.flag("allow_any_host"));
        method("nvmf_subsystem_add_host", (p, r) -> host(p, r, true), NQN, RpcParam.text("host", 223));
        method("nvmf_subsystem_remove_host", (p, r) -> host(p, r, false), NQN, RpcParam.text("host", 223));
    }

    private void parts() {
        method(
                "nvmf_subsystem_add_ns",
                this::addNamespace,
                NQN,
                RpcParam.object(
                        "namespace",
                        RpcParam.text("bdev_name"),
                        RpcParam.integer("nsid", 1, 1024).optional(),
                        RpcParam.text("nguid", 32).optional(),
                        RpcParam.text("eui64", 16).optional(),
                        RpcParam.text("uuid", 36).optional(),
                        RpcParam.integer("anagrpid", 1, 1024).optional(),
                        RpcParam.flag("no_auto_visible").optional(),
                        RpcParam.flag("hide_metadata").optional()));
        method(
                "nvmf_subsystem_remove_ns",
                (p, r) -> {
                    subsystem(p).removeNamespace(p.count("nsid", 0));
                    r.done();
                },
                NQN,
                RpcParam.integer("nsid", 1, 1024));
        method(
                "nvmf_subsystem_add_listener",
                this::listen,
                NQN,
                ADDRESS,
                RpcParam.flag("secure_channel").withoutEffect(),
                RpcParam.choice("ana_state", "optimized", "non_optimized", "inaccessible")
                        .withoutEffect(),
                RpcParam.text("sock_impl").withoutEffect());
        method(
                "nvmf_subsystem_remove_listener",
                (p, r) -> {
                    app.target().removeListener(subsystem(p), address(p));
                    r.done();
                },
                NQN,
                ADDRESS);
    }

    private Subsystem subsystem(RpcParams p) {
        return subsystem(app, p.text("nqn"));
    }

    /** Returns a subsystem. */
    static Subsystem subsystem(StorageApp app, String nqn) {
        Subsystem found = app.target().find(nqn);
        if (found == null) {
            throw RpcException.invalid("parameter 'nqn': no subsystem '" + nqn + "'"
                    + Nearest.hint(
                            nqn,
                            app.target().subsystems().stream()
                                    .map(Subsystem::nqn)
                                    .toList()));
        }
        return found;
    }

    private void create(RpcParams p, RpcReply reply) {
        SubsystemSpec usual = SubsystemSpec.of(p.text("nqn"));
        int namespaces = p.count("max_namespaces", 0);
        app.target()
                .createSubsystem(usual.withNames(
                                p.text("serial_number", usual.serial()), p.text("model_number", usual.model()))
                        .withAnyHost(p.flag("allow_any_host", false))
                        .withNamespaces(namespaces == 0 ? usual.maxNamespaces() : namespaces)
                        .withCntlids(
                                p.count("min_cntlid", usual.minCntlid()), p.count("max_cntlid", usual.maxCntlid())));
        reply.done();
    }

    private void host(RpcParams p, RpcReply reply, boolean add) {
        if (add) {
            subsystem(p).addHost(p.text("host"));
        } else {
            subsystem(p).removeHost(p.text("host"));
        }
        reply.done();
    }

    private void addNamespace(RpcParams p, RpcReply reply) {
        RpcParams n = p.object("namespace");
        String name = n.text("bdev_name");
        List<Bdev> all = app.bdevs().all();
        Bdev bdev = all.stream()
                .filter(b -> b.name().equals(name))
                .findFirst()
                .orElseThrow(() -> RpcException.invalid("parameter 'namespace.bdev_name': no bdev '" + name + "'"
                        + Nearest.hint(name, all.stream().map(Bdev::name).toList())));
        NamespaceSpec spec =
                new NamespaceSpec(n.count("nsid", 0), n.text("nguid", ""), n.text("eui64", ""), n.text("uuid", ""));
        reply.result(JsonValue.of(subsystem(p).addNamespace(bdev, spec).nsid()));
    }

    private static TransportId address(RpcParams p) {
        RpcParams a = p.object("listen_address");
        return new TransportId(a.text("trtype"), a.text("adrfam", "IPv4"), a.text("traddr"), a.text("trsvcid", "4420"));
    }

    private void listen(RpcParams p, RpcReply reply) {
        TransportId at = address(p);
        Subsystem s = subsystem(p);
        try {
            app.target().addListener(s, at);
        } catch (ConfigurationException e) {
            List<String> known = new ArrayList<>();
            app.machine()
                    .nics()
                    .forEach(d ->
                            d.port(1).gids().forEach(g -> known.add(g.toString().replace("::ffff:", ""))));
            throw RpcException.invalid(
                    "parameter 'listen_address': " + e.getMessage() + "; addresses here are " + known);
        }
        reply.done();
    }

    /** Returns the calls that would make all subsystems again. */
    private List<JsonValue> calls() {
        List<JsonValue> calls = new ArrayList<>();
        if (!app.isStarted()) {
            return calls;
        }
        for (Subsystem s : app.target().subsystems()) {
            if (s.kind() == Subsystem.Kind.NVME) {
                calls.add(AppConfig.call(
                        "nvmf_create_subsystem", NvmfStats.spec(s).done()));
            }
            s.hosts()
                    .forEach(h -> calls.add(AppConfig.call(
                            "nvmf_subsystem_add_host",
                            JsonValue.object()
                                    .with("nqn", s.nqn())
                                    .with("host", h)
                                    .done())));
            s.namespaces()
                    .forEach(n -> calls.add(AppConfig.call(
                            "nvmf_subsystem_add_ns",
                            JsonValue.object()
                                    .with("nqn", s.nqn())
                                    .with("namespace", NvmfStats.namespace(n, false))
                                    .done())));
            s.listeners()
                    .forEach(l -> calls.add(AppConfig.call(
                            "nvmf_subsystem_add_listener",
                            JsonValue.object()
                                    .with("nqn", s.nqn())
                                    .with("listen_address", NvmfStats.address(l))
                                    .done())));
        }
        return calls;
    }
}
