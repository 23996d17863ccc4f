package dev.clockwire.storage.app;

import static dev.clockwire.storage.rpc.RpcMethod.When.ALWAYS;
import static dev.clockwire.storage.rpc.RpcMethod.When.RUNTIME;

import dev.clockwire.nvme.driver.NvmeDriver;
import dev.clockwire.roce.verbs.DmaBuf;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.bdev.Bdev;
import dev.clockwire.storage.bdev.NvmeBdev;
import dev.clockwire.storage.bdev.NvmeSsd;
import dev.clockwire.storage.reactor.Errno;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcException;
import dev.clockwire.storage.rpc.RpcMethods;
import dev.clockwire.storage.rpc.RpcParam;
import dev.clockwire.storage.rpc.RpcParams;
import dev.clockwire.storage.rpc.RpcReply;
import java.util.ArrayList;
import java.util.List;

/** Methods that attach SSDs as block devices. */
final class NvmeMethods {
    private static final String SUBSYSTEM = "bdev";
    private static final long US = 1_000_000L;
    private static final int MOST = Integer.MAX_VALUE;
    /** I/O queues that SPDK asks a controller for. */
    private static final int QUEUES = 1024;

    private static final int ENTRIES = 256;

    private final StorageApp app;
    private final List<Attached> attached = new ArrayList<>();
    private final List<Attached> leaving = new ArrayList<>();
    private long adminPollUs = 10_000;

    /** An SSD that is attached, or being so. */
    private record Attached(NvmeSsd ssd, String address) {}

    private NvmeMethods(StorageApp app) {
        this.app = app;
    }

    static NvmeMethods add(StorageApp app) {
        NvmeMethods n = new NvmeMethods(app);
        RpcMethods m = app.methods();
        m.add("bdev_nvme_set_options", ALWAYS, NvmeParams.options(), n::options);
        m.add("bdev_nvme_attach_controller", RUNTIME, NvmeParams.attach(), n::attach);
        m.add(
                "bdev_nvme_get_controllers",
                RUNTIME,
                List.of(RpcParam.text("name").optional()),
                n::controllers);
        m.add("bdev_nvme_detach_controller", RUNTIME, NvmeParams.detach(), n::detach);
        m.meant("bdev_nvme_detach", "bdev_nvme_detach_controller");
        m.meant("bdev_nvme_create", "bdev_nvme_attach_controller");
        m.meant("bdev_nvme_attach", "bdev_nvme_attach_controller");
        m.meant("construct_nvme_bdev", "bdev_nvme_attach_controller");
        m.meant("get_nvme_controllers", "bdev_nvme_get_controllers");
        return n;
    }

    /** Returns where an SSD is, empty if it is not attached. */
    String address(NvmeSsd ssd) {
        return attached.stream()
                .filter(a -> a.ssd == ssd)
                .map(Attached::address)
                .findFirst()
                .orElse("");
    }

    private void options(RpcParams p, RpcReply reply) {
        adminPollUs = p.integer("nvme_adminq_poll_period_us", adminPollUs);
        app.config().put(SUBSYSTEM, "nvme options", "bdev_nvme_set_options", p.given());
        reply.done();
    }

    private void attach(RpcParams p, RpcReply reply) {
        String name = p.text("name");
        if (p.choice("trtype", "").equals("rdma")) {
            throw new RpcException(
                    -Errno.ENOTSUP,
                    "Operation not supported: there is no block device over RDMA, as the machine's line has no other target;"
                            + " nvmf perf -r connects to one, NvmfHost does in a program");
        }
        String address = address(p.text("traddr"));
        if (attached.stream().anyMatch(a -> a.ssd.name().equals(name) || a.address.equals(address))) {
            throw new RpcException(
                    -Errno.EEXIST,
                    "File exists: a controller of name '" + name + "' or at " + address + " is attached");
        }
        Machine.Ssd found = app.machine().ssds().stream()
                .filter(s -> s.address().equals(address))
                .findFirst()
                .orElseThrow(() -> new RpcException(
                        -Errno.ENODEV,
                        "No such device: no NVMe controller at " + address + "; there are "
                                + app.machine().ssds().stream()
                                        .map(Machine.Ssd::address)
                                        .toList()));
        NvmeSsd.Spec spec = new NvmeSsd.Spec(p.count("num_io_queues", QUEUES), ENTRIES, Math.max(1, adminPollUs) * US);
        DmaBuf memory = found.controllerMemory();
        spec = memory == null ? spec : spec.withControllerMemory(memory);
        NvmeSsd ssd = new NvmeSsd(app.bdevs(), name, app.thread(), found.bar(), spec);
        Attached entry = new Attached(ssd, address);
        attached.add(entry);
        ssd.attach(() -> ready(entry, p, reply));
    }

    private static String address(String text) {
        try {
            return Machine.unified(text);
        } catch (ConfigurationException e) {
            throw RpcException.invalid("parameter 'traddr': " + e.getMessage());
        }
    }

    private void ready(Attached entry, RpcParams p, RpcReply reply) {
        if (!entry.ssd.failure().isEmpty()) {
            attached.remove(entry);
            reply.error(-Errno.EIO, "Input/output error: " + entry.address + ": " + entry.ssd.failure());
            return;
        }
        app.config().put(SUBSYSTEM, "nvme " + entry.ssd.name(), "bdev_nvme_attach_controller", p.given());
        reply.result(JsonValue.ofTexts(
                entry.ssd.devices().stream().map(NvmeBdev::name).toList()));
    }

    private void controllers(RpcParams p, RpcReply reply) {
        String name = p.find("name");
        List<JsonValue> all = new ArrayList<>();
        for (Attached a : attached) {
            if (name == null || a.ssd.name().equals(name)) {
                all.add(describe(a));
            }
        }
        if (name != null && all.isEmpty()) {
            throw new RpcException(-Errno.ENODEV, "No such device: controller '" + name + "'");
        }
        reply.result(JsonValue.of(all));
    }

    /** Namespaces and devices go first, then the queue pairs, then the controller is shut down. */
    private void detach(RpcParams p, RpcReply reply) {
        String name = p.text("name");
        String at = p.find("traddr");
        String place = at == null ? null : address(at);
        Attached entry = attached.stream()
                .filter(a -> a.ssd.name().equals(name))
                .filter(a -> place == null || a.address.equals(place))
                .filter(a -> !p.choice("trtype", "pcie").equals("rdma"))
                .findFirst()
                .orElseThrow(() -> new RpcException(
                        -Errno.ENODEV,
                        "No such device: controller '" + name + "'" + (place == null ? "" : " at " + place)));
        if (entry.ssd.driver().stage() != NvmeDriver.Stage.READY || leaving.contains(entry)) {
            throw new RpcException(
                    -Errno.EBUSY, "Device or resource busy: controller '" + name + "' is being attached or detached");
        }
        leaving.add(entry);
        List<Bdev> devices = new ArrayList<>(entry.ssd.devices());
        devices.removeIf(b -> !app.bdevs().all().contains(b));
        next(entry, devices, reply);
    }

    private void next(Attached entry, List<Bdev> devices, RpcReply reply) {
        if (!devices.isEmpty()) {
            new BdevRemoval(app).remove(devices.remove(0), () -> next(entry, devices, reply));
            return;
        }
        entry.ssd.detach(() -> {
            attached.remove(entry);
            leaving.remove(entry);
            app.config().remove(SUBSYSTEM, "nvme " + entry.ssd.name());
            reply.done();
        });
    }

    private static JsonValue describe(Attached a) {
        JsonValue.Obj trid = JsonValue.object()
                .with("trtype", "PCIe")
                .with("traddr", a.address)
                .done();
        JsonValue.Obj ctrlr = JsonValue.object()
                .with("state", a.ssd.devices().isEmpty() ? "enabling" : "enabled")
                .with("trid", trid)
                .with("cntlid", 0)
                .done();
        return JsonValue.object()
                .with("name", a.ssd.name())
                .with("ctrlrs", List.of(ctrlr))
                .done();
    }

    /** What these methods know of parameters. */
    private static final class NvmeParams {
        private NvmeParams() {}

        static List<RpcParam> attach() {
            List<RpcParam> all = new ArrayList<>(List.of(
                    RpcParam.text("name"),
                    RpcParam.choice("trtype", "PCIe", "RDMA"),
                    RpcParam.text("traddr"),
                    RpcParam.integer("num_io_queues", 1, 65_535).optional()));
            for (String text : List.of(
                    "adrfam", "trsvcid", "subnqn", "hostnqn", "hostaddr", "hostsvcid", "priority", "multipath")) {
                all.add(RpcParam.text(text).withoutEffect());
            }
            for (String flag : List.of("prchk_reftag", "prchk_guard", "hdgst", "ddgst", "allow_unrecognized_csi")) {
                all.add(RpcParam.flag(flag).withoutEffect());
            }
            for (String number :
                    List.of("ctrlr_loss_timeout_sec", "reconnect_delay_sec", "fast_io_fail_timeout_sec", "max_bdevs")) {
                all.add(RpcParam.integer(number, -1, MOST).withoutEffect());
            }
            return all;
        }

        static List<RpcParam> detach() {
            List<RpcParam> all = new ArrayList<>(List.of(
                    RpcParam.text("name"),
                    RpcParam.choice("trtype", "PCIe", "RDMA").optional(),
                    RpcParam.text("traddr").optional()));
            for (String text : List.of("adrfam", "trsvcid", "subnqn", "hostaddr", "hostsvcid")) {
                all.add(RpcParam.text(text).withoutEffect());
            }
            return all;
        }

        static List<RpcParam> options() {
            List<RpcParam> all = new ArrayList<>();
            all.add(RpcParam.integer("nvme_adminq_poll_period_us", 1, 10_000_000)
                    .optional());
            all.add(RpcParam.choice("action_on_timeout", "none", "reset", "abort")
                    .withoutEffect());
            for (String number : List.of(
                    "timeout_us",
                    "timeout_admin_us",
                    "keep_alive_timeout_ms",
                    "arbitration_burst",
                    "low_priority_weight",
                    "medium_priority_weight",
                    "high_priority_weight",
                    "nvme_ioq_poll_period_us",
                    "io_queue_requests",
                    "transport_retry_count",
                    "bdev_retry_count",
                    "transport_ack_timeout",
                    "ctrlr_loss_timeout_sec",
                    "reconnect_delay_sec",
                    "fast_io_fail_timeout_sec",
                    "transport_tos",
                    "rdma_srq_size",
                    "rdma_max_cq_size",
                    "rdma_cm_event_timeout_ms",
                    "poll_group_requests")) {
                all.add(RpcParam.integer(number, -1, Long.MAX_VALUE).withoutEffect());
            }
            for (String flag : List.of(
                    "delay_cmd_submit",
                    "disable_auto_failback",
                    "generate_uuids",
                    "nvme_error_stat",
                    "io_path_stat",
                    "allow_accel_sequence",
                    "rdma_umr_per_io")) {
                all.add(RpcParam.flag(flag).withoutEffect());
            }
            for (String list : List.of("dhchap_digests", "dhchap_dhgroups")) {
                all.add(RpcParam.list(list, RpcParam.text("")).withoutEffect());
            }
            return all;
        }
    }
}
