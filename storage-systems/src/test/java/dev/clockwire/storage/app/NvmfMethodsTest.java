package dev.clockwire.storage.app;

import static dev.clockwire.storage.app.AppRig.at;
import static dev.clockwire.storage.app.AppRig.number;
import static dev.clockwire.storage.app.AppRig.params;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcMethod;
import java.util.List;
import org.junit.jupiter.api.Test;

class NvmfMethodsTest {
    private static final String NQN = "nqn.2016-06.io.spdk:cnode1";

    private static JsonValue.Builder nqn() {
        return params().with("nqn", NQN);
    }

    private static JsonValue.Obj address(String ip, String port) {
        return params().with("trtype", "rdma")
                .with("adrfam", "ipv4")
                .with("traddr", ip)
                .with("trsvcid", port)
                .done();
    }

    private static TargetLab configured() {
        TargetLab r = new TargetLab();
        assertThat(r.ok(
                                "bdev_nvme_attach_controller",
                                params().with("name", "Nvme0")
                                        .with("trtype", "PCIe")
                                        .with("traddr", "3b:00.0"))
                        .text())
                .isEqualTo("[\"Nvme0n1\"]");
        r.ok("nvmf_create_transport", params().with("trtype", "RDMA").with("max_srq_depth", 256));
        r.ok("nvmf_create_subsystem", nqn().with("serial_number", "S1").with("allow_any_host", true));
        assertThat(r.ok(
                                "nvmf_subsystem_add_ns",
                                nqn().with(
                                                "namespace",
                                                params().with("bdev_name", "Nvme0n1")
                                                        .done()))
                        .text())
                .isEqualTo("1");
        r.ok("nvmf_subsystem_add_listener", nqn().with("listen_address", address("10.0.0.2", "4420")));
        return r;
    }

    /** A host writes and reads back 4 KiB each; what all layers count fits together. */
    @Test
    void whatIsConfiguredServesAHost() {
        TargetLab r = configured();
        r.connect();
        r.writeAndReadBack(3);
        JsonValue stats = r.ok("nvmf_get_stats");
        JsonValue group = at(stats, "poll_groups", 0);
        assertThat(number(group, "current_admin_qpairs")).isEqualTo(1);
        assertThat(number(group, "current_io_qpairs")).isEqualTo(1);
        JsonValue device = at(group, "transports", 0, "devices", 0);
        long requests = number(device, "requests");
        assertThat(number(device, "completions")).isGreaterThanOrEqualTo(2 * requests - 1);
        assertThat(number(device, "total_send_wrs")).isGreaterThanOrEqualTo(requests + 3);
        assertThat(number(device, "polls")).isGreaterThan(number(device, "idle_polls"));
        JsonValue io = at(r.ok("bdev_get_iostat", params().with("name", "Nvme0n1")), "bdevs", 0);
        assertThat(number(io, "num_read_ops")).isEqualTo(3);
        assertThat(number(io, "bytes_written")).isEqualTo(3 * 4096);
        JsonValue buffers = at(r.ok("iobuf_get_stats"), 0, "small_pool");
        assertThat(number(buffers, "main")).isGreaterThanOrEqualTo(3);
        JsonValue controllers = r.ok("nvmf_subsystem_get_controllers", nqn());
        assertThat(number(controllers, 0, "num_io_qpairs")).isEqualTo(1);
        assertThat(at(controllers, 0, "hostnqn").text()).contains("uuid:11111111");
        JsonValue qpairs = r.ok("nvmf_subsystem_get_qpairs", nqn());
        assertThat(List.of(number(qpairs, 0, "qid"), number(qpairs, 1, "qid"))).containsExactly(0L, 1L);
        assertThat(at(qpairs, 1, "thread").text()).isEqualTo("\"nvmf_tgt_poll_group_000\"");
        assertThat(r.ok("thread_get_io_channels").text()).contains("Nvme0n1");
    }

    @Test
    void whatIsConfiguredIsTold() {
        TargetLab r = configured();
        JsonValue all = r.ok("nvmf_get_subsystems");
        assertThat(at(all, 0, "subtype").text()).isEqualTo("\"Discovery\"");
        assertThat(at(all, 1, "namespaces", 0, "bdev_name").text()).isEqualTo("\"Nvme0n1\"");
        assertThat(at(all, 1, "listen_addresses", 0).text())
                .isEqualTo("{\"trtype\":\"RDMA\",\"adrfam\":\"IPv4\",\"traddr\":\"10.0.0.2\",\"trsvcid\":\"4420\"}");
        assertThat(r.ok("nvmf_subsystem_get_listeners", nqn()).text()).contains("optimized");
        assertThat(number(r.ok("nvmf_get_transports"), 0, "max_srq_depth")).isEqualTo(256);
        assertThat(at(r.ok("bdev_nvme_get_controllers"), 0, "ctrlrs", 0, "trid", "traddr")
                        .text())
                .isEqualTo("\"0000:3b:00.0\"");
        assertThat(at(r.ok("bdev_get_bdevs"), 0, "claimed").text()).isEqualTo("true");
        assertThat(at(r.ok("bdev_get_bdevs"), 0, "driver_specific", "nvme", 0, "pci_address")
                        .text())
                .isEqualTo("\"0000:3b:00.0\"");
        r.fails(-19, "nqn.x", "nvmf_get_subsystems", params().with("nqn", "nqn.x"));
    }

    /** 18446745 s are 2^64 ps and a little: no other time is made of them. */
    @Test
    void timesThatAreTooLongStayTooLong() {
        new TargetLab()
                .fails(
                        -22,
                        "abort_timeout_sec",
                        "nvmf_create_transport",
                        params().with("trtype", "RDMA").with("abort_timeout_sec", 18_446_745));
    }

    @Test
    void whatCannotBeIsRefusedWithItsParameter() {
        TargetLab r = configured();
        r.fails(-17, "transport RDMA", "nvmf_create_transport", params().with("trtype", "RDMA"));
        r.fails(-32602, "must be one of RDMA", "nvmf_create_transport", params().with("trtype", "TCP"));
        r.fails(-32602, "exists already", "nvmf_create_subsystem", nqn());
        r.fails(-32602, "nqn 'x' of 1 bytes", "nvmf_create_subsystem", params().with("nqn", "x"));
        r.fails(-32602, "did you mean " + NQN, "nvmf_subsystem_get_qpairs", params().with("nqn", NQN + "2"));
        r.fails(
                -32602,
                "'namespace.bdev_name': no bdev 'Nvme0'; did you mean Nvme0n1?",
                "nvmf_subsystem_add_ns",
                nqn().with("namespace", params().with("bdev_name", "Nvme0").done()));
        r.fails(
                -32602,
                "claimed",
                "nvmf_subsystem_add_ns",
                nqn().with("namespace", params().with("bdev_name", "Nvme0n1").done()));
        r.fails(
                -32602,
                "addresses here are [10.0.0.2",
                "nvmf_subsystem_add_listener",
                nqn().with("listen_address", address("10.0.0.9", "4420")));
        r.fails(
                -32602,
                "trsvcid '0'",
                "nvmf_subsystem_add_listener",
                nqn().with("listen_address", address("10.0.0.2", "0")));
        r.fails(
                -17,
                "is attached",
                "bdev_nvme_attach_controller",
                params().with("name", "N").with("trtype", "PCIe").with("traddr", "0000.3b.00.0"));
        r.fails(
                -19,
                "there are [0000:3b:00.0]",
                "bdev_nvme_attach_controller",
                params().with("name", "N").with("trtype", "PCIe").with("traddr", "0000:3c:00.0"));
        r.fails(
                -32602,
                "'traddr'",
                "bdev_nvme_attach_controller",
                params().with("name", "N").with("trtype", "PCIe").with("traddr", "3b:00:00:00:0"));
        r.fails(-32601, "did you mean bdev_nvme_attach_controller?", "bdev_nvme_create", params());
        r.fails(-32601, "did you mean framework_get_reactors?", "reactor_get_stats", params());
    }

    @Test
    void hostsAndPartsComeAndGo() {
        TargetLab r = configured();
        r.ok("nvmf_subsystem_allow_any_host", nqn().with("allow_any_host", false));
        r.ok("nvmf_subsystem_add_host", nqn().with("host", "nqn.2014-08.org.example:a"));
        r.fails(-32602, "already", "nvmf_subsystem_add_host", nqn().with("host", "nqn.2014-08.org.example:a"));
        r.ok("nvmf_subsystem_remove_host", nqn().with("host", "nqn.2014-08.org.example:a"));
        r.ok("nvmf_subsystem_remove_listener", nqn().with("listen_address", address("10.0.0.2", "4420")));
        r.ok("nvmf_subsystem_remove_ns", nqn().with("nsid", 1));
        r.fails(-32602, "no namespace 1", "nvmf_subsystem_remove_ns", nqn().with("nsid", 1));
        assertThat(at(r.ok("bdev_get_bdevs"), 0, "claimed").text()).isEqualTo("false");
        r.ok("nvmf_delete_subsystem", nqn());
        r.fails(-32602, "no subsystem", "nvmf_delete_subsystem", nqn());
        assertThat(r.ok("framework_get_config", params().with("name", "nvmf")).text())
                .contains("nvmf_create_transport")
                .doesNotContain("nvmf_create_subsystem");
    }

    @Test
    void theConfigurationComesBackOnAnotherMachine() {
        TargetLab r = configured();
        JsonValue saved = r.ok("save_config");
        TargetLab again = new TargetLab();
        for (int s = 0; s < 4; s++) {
            for (JsonValue call : ((JsonValue.Arr) at(saved, "subsystems", s, "config")).values()) {
                again.ok(((JsonValue.Text) at(call, "method")).value(), (JsonValue.Obj) at(call, "params"));
            }
        }
        assertThat(again.ok("save_config")).isEqualTo(saved);
        assertThat(again.ok("nvmf_get_subsystems")).isEqualTo(r.ok("nvmf_get_subsystems"));
    }

    /** All that SPDK's subset of the issue names. */
    @Test
    void methodsAreThere() {
        TargetLab r = new TargetLab();
        for (String name : List.of(
                "nvmf_create_transport",
                "nvmf_create_subsystem",
                "bdev_nvme_attach_controller",
                "nvmf_subsystem_add_ns",
                "nvmf_subsystem_add_listener",
                "framework_get_reactors",
                "thread_get_stats",
                "thread_get_pollers",
                "thread_get_io_channels",
                "nvmf_get_stats",
                "nvmf_get_subsystems",
                "nvmf_get_transports",
                "nvmf_subsystem_get_controllers",
                "nvmf_subsystem_get_qpairs",
                "nvmf_subsystem_get_listeners",
                "bdev_get_bdevs",
                "bdev_get_iostat",
                "bdev_malloc_create",
                "bdev_null_create",
                "bdev_delay_create",
                "bdev_error_create",
                "bdev_error_inject_error",
                "bdev_nvme_set_options",
                "iobuf_set_options",
                "iobuf_get_stats",
                "framework_start_init",
                "framework_set_scheduler",
                "rpc_get_methods")) {
            RpcMethod m = r.app.methods().find(name);
            assertThat(m).as(name).isNotNull();
        }
    }

    @Test
    void buffersAndCapsulesNeedMemory() {
        TargetLab r = new TargetLab();
        long before = r.app.pages().used();
        r.fails(
                -12,
                "rdma_capsules",
                "nvmf_create_transport",
                params().with("trtype", "RDMA").with("max_srq_depth", 65_535).with("in_capsule_data_size", 65_536));
        assertThat(r.app.pages().used()).isEqualTo(before);
        r.ok("nvmf_create_transport", params().with("trtype", "RDMA").with("max_srq_depth", 256));
        assertThat(r.app.pages().used() - before).isEqualTo(256 * (4096 + 64 + 16));
    }
}
