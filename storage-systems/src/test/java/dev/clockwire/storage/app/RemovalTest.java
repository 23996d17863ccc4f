package dev.clockwire.storage.app;

import static dev.clockwire.storage.app.AppRig.at;
import static dev.clockwire.storage.app.AppRig.params;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcDispatcher;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Devices and controllers that go, and threads that may run on other cores. */
class RemovalTest {
    private static final String NQN = "nqn.2016-06.io.spdk:cnode1";
    private static final int GONE = NvmeStatus.INVALID_NAMESPACE.code() | NvmeStatus.DO_NOT_RETRY;

    private static JsonValue.Builder name(String name) {
        return params().with("name", name);
    }

    private static JsonValue.Builder nvme() {
        return name("Nvme0").with("trtype", "PCIe").with("traddr", "0000:3b:00.0");
    }

    private static JsonValue.Builder namespace(String bdev) {
        return params().with("nqn", NQN)
                .with("namespace", params().with("bdev_name", bdev).done());
    }

    /** A target that shows one device as namespace 1 to a connected host. */
    private static TargetLab showing(String bdev) {
        TargetLab r = new TargetLab();
        r.ok("bdev_nvme_attach_controller", nvme());
        r.ok("bdev_malloc_create", name("M").with("num_blocks", 4096).with("block_size", 512));
        r.ok("bdev_error_create", params().with("base_name", "M"));
        r.ok("nvmf_create_transport", params().with("trtype", "RDMA").with("max_srq_depth", 256));
        r.ok("nvmf_create_subsystem", params().with("nqn", NQN).with("allow_any_host", true));
        r.ok("nvmf_subsystem_add_ns", namespace(bdev));
        JsonValue.Obj address = params().with("trtype", "RDMA")
                .with("adrfam", "IPv4")
                .with("traddr", "10.0.0.2")
                .with("trsvcid", "4420")
                .done();
        r.ok("nvmf_subsystem_add_listener", params().with("nqn", NQN).with("listen_address", address));
        r.connect();
        r.writeAndReadBack(2);
        return r;
    }

    /** The device on top of it and the namespace go with it; what is left of the configuration has none of them. */
    @Test
    void aDeviceGoesWithWhatIsOnIt() {
        TargetLab r = showing("EE_M");
        r.ok("bdev_malloc_delete", name("M"));
        assertThat(r.ok("bdev_get_bdevs").text()).contains("Nvme0n1").doesNotContain("\"M\"", "EE_M");
        assertThat(at(r.ok("nvmf_get_subsystems"), 1, "namespaces").text()).isEqualTo("[]");
        assertThat(r.ok("save_config").text()).doesNotContain("EE_M", "malloc", "bdev_error_create");
        assertThat(r.read()).as("the host asks for a namespace that is gone").isEqualTo(GONE);
        r.fails(-19, "bdev 'M'", "bdev_malloc_delete", name("M"));
        r.fails(-19, "of another kind", "bdev_malloc_delete", name("Nvme0n1"));
        r.ok("bdev_malloc_create", name("M").with("num_blocks", 4096).with("block_size", 512));
        r.ok("nvmf_subsystem_add_ns", namespace("M"));
        r.writeAndReadBack(2);
    }

    /** Each kind by its own method; the device below is to be had again. */
    @Test
    void eachKindGoes() {
        AppRig r = AppRig.onOneCore();
        r.ok("bdev_null_create", name("N").with("num_blocks", 8).with("block_size", 512));
        r.ok(
                "bdev_delay_create",
                name("D")
                        .with("base_bdev_name", "N")
                        .with("avg_read_latency", 1)
                        .with("p99_read_latency", 2)
                        .with("avg_write_latency", 1)
                        .with("p99_write_latency", 2));
        r.fails(-19, "of another kind", "bdev_error_delete", name("D"));
        r.ok("bdev_delay_delete", name("D"));
        r.ok("bdev_error_create", params().with("base_name", "N"));
        assertThat(at(r.ok("bdev_get_bdevs"), 0, "claimed").text()).isEqualTo("true");
        r.ok("bdev_error_delete", name("EE_N"));
        r.ok("bdev_null_delete", name("N"));
        assertThat(r.ok("bdev_get_bdevs").text()).isEqualTo("[]");
    }

    /** Queue pairs deleted, controller shut down; it can be attached again, and what was written is there. */
    @Test
    void aControllerIsDetached() {
        TargetLab r = showing("Nvme0n1");
        r.fails(-19, "controller 'Nvme1'", "bdev_nvme_detach_controller", name("Nvme1"));
        r.fails(
                -19,
                "at 0000:3c:00.0",
                "bdev_nvme_detach_controller",
                name("Nvme0").with("traddr", "0000:3c:00.0"));
        assertThat(r.shutdownStatus()).isZero();
        r.ok("bdev_nvme_detach_controller", nvme());
        assertThat(r.shutdownStatus()).as("complete").isEqualTo(2);
        assertThat(r.ok("bdev_nvme_get_controllers").text()).isEqualTo("[]");
        assertThat(r.ok("bdev_get_bdevs").text()).doesNotContain("Nvme0n1");
        assertThat(r.ok("save_config").text()).doesNotContain("Nvme0");
        assertThat(r.read()).isEqualTo(GONE);
        assertThat(r.ok("bdev_nvme_attach_controller", nvme()).text()).isEqualTo("[\"Nvme0n1\"]");
        r.ok("nvmf_subsystem_add_ns", namespace("Nvme0n1"));
        assertThat(r.read()).isZero();
        r.writeAndReadBack(2);
    }

    /** Two at a time: the second is told that the first is under way. */
    @Test
    void aControllerIsDetachedOnce() {
        TargetLab r = showing("Nvme0n1");
        List<@Nullable JsonValue> answers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            r.app.submit(RpcDispatcher.request(i, "bdev_nvme_detach_controller", nvme().done()), answers::add);
        }
        r.ok("framework_get_reactors");
        assertThat(r.lab.sim().runUntil(() -> answers.size() == 2, r.lab.sim().now() + 1_000_000_000_000L))
                .isTrue();
        assertThat(answers.toString()).contains("is being attached or detached", "true");
    }

    @Test
    void aThreadStaysOnItsCore() {
        AppRig r = new AppRig(AppSpec.on(CoreMask.parse("0x3")));
        assertThat(at(r.ok("thread_get_stats"), "threads", 0, "cpumask").text()).isEqualTo("\"1\"");
        r.ok("thread_set_cpumask", params().with("id", 1).with("cpumask", "0x7"));
        assertThat(at(r.ok("thread_get_stats"), "threads", 0, "cpumask").text()).isEqualTo("\"7\"");
        r.fails(
                -95,
                "lacks core 0",
                "thread_set_cpumask",
                params().with("id", 1).with("cpumask", "[1]"));
        r.fails(
                -22,
                "no core with a reactor",
                "thread_set_cpumask",
                params().with("id", 1).with("cpumask", "f0"));
        r.fails(
                -32602,
                "'cpumask'",
                "thread_set_cpumask",
                params().with("id", 1).with("cpumask", "core 1"));
        r.fails(-19, "thread 99", "thread_set_cpumask", params().with("id", 99).with("cpumask", "1"));
    }
}
