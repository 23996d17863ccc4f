package dev.clockwire.storage.app;

import static dev.clockwire.storage.app.AppRig.at;
import static dev.clockwire.storage.app.AppRig.number;
import static dev.clockwire.storage.app.AppRig.params;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcDispatcher;
import dev.clockwire.storage.rpc.RpcException;
import dev.clockwire.storage.rpc.RpcMethod;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StorageAppTest {
    private static final long MIB = 1L << 20;

    private static AppSpec cores(String mask) {
        return AppSpec.on(CoreMask.parse(mask));
    }

    @Test
    void theFrameworkWaitsUntilItIsStarted() {
        AppRig r = new AppRig(cores("0x1").waiting());
        List<@Nullable JsonValue> waits = new ArrayList<>();
        r.app.submit(RpcDispatcher.request(9, "framework_wait_init", params().done()), waits::add);
        r.fails(-1, "after framework is initialized", "bdev_get_bdevs", params());
        r.ok("bdev_set_options", params().with("bdev_io_pool_size", 500).with("bdev_io_cache_size", 20));
        assertThat(waits).isEmpty();
        r.ok("framework_start_init");
        assertThat(waits).hasSize(1);
        assertThat(r.app.bdevs().pool().size()).isEqualTo(500);
        r.fails(-1, "before framework is initialized", "framework_start_init", params());
        r.fails(-1, "before framework is initialized", "bdev_set_options", params());
        assertThat(r.ok("bdev_get_bdevs").text()).isEqualTo("[]");
        assertThat(r.ok("framework_wait_init")).isEqualTo(JsonValue.Bool.TRUE);
    }

    @Test
    void methodsOfTheStateAreListed() {
        AppRig r = new AppRig(cores("0x1").waiting());
        String now = r.ok("rpc_get_methods", params().with("current", true)).text();
        assertThat(now)
                .contains("\"framework_start_init\"", "\"rpc_get_methods\"")
                .doesNotContain("bdev_get_bdevs");
        assertThat(r.ok("rpc_get_methods").text()).contains("bdev_get_bdevs", "framework_get_reactors");
    }

    /** SPDK's pools: 262143 messages, 16383 events, 8192 buffers of 8 KiB and 1024 of 132 KiB, 65535 I/Os. */
    @Test
    void memoryLimitsPools() {
        long wanted = (262_143L + 16_383) * 128 + 8192 * 8192 + 1024 * 135_168 + 65_535L * 1216;
        int enough = (int) ((wanted + MIB - 1) / MIB);
        assertThat(new AppRig(cores("0x1").withMemoryMb(enough)).app.pages().used())
                .isEqualTo(wanted);
        assertThatThrownBy(() -> new AppRig(cores("0x1").withMemoryMb(enough - 1)))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("bdev_io of 65535 x 1216 B needs 76 MiB");
        AppRig small = new AppRig(cores("0x1").withMemoryMb(enough - 1).waiting());
        long before = small.app.pages().used();
        small.fails(-12, "huge pages (-s) have", "framework_start_init", params());
        assertThat(small.app.pages().used()).isEqualTo(before);
        small.ok("bdev_set_options", params().with("bdev_io_pool_size", 1000).with("bdev_io_cache_size", 10));
        small.ok("framework_start_init");
    }

    @Test
    void optionsAreChecked() {
        assertThatThrownBy(() -> new AppSpec(CoreMask.parse("0x6"), 0, 100, false, false))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("main core (-p) 0 is not among the cores (-m) 0x6; the first is 1");
        assertThatThrownBy(() -> cores("0x1").withMemoryMb(0)).hasMessageContaining("memory (-s) 0 MiB");
    }

    /** A UUID is kept and shown, by the namespace too; what changes nothing is told. */
    @Test
    void devicesHaveTheUuidThatWasGiven() {
        AppRig r = AppRig.onOneCore();
        String uuid = "12345678-9ABC-def0-1234-56789abcdef0";
        r.ok(
                "bdev_malloc_create",
                params().with("name", "M")
                        .with("num_blocks", 8)
                        .with("block_size", 512)
                        .with("uuid", uuid)
                        .with("physical_block_size", 4096));
        assertThat(r.app.remarks())
                .containsExactly("bdev_malloc_create: parameter 'physical_block_size' has no effect here");
        assertThat(at(r.ok("bdev_get_bdevs"), 0, "uuid").text()).isEqualTo("\"12345678-9abc-def0-1234-56789abcdef0\"");
        r.ok("nvmf_create_subsystem", params().with("nqn", "nqn.2016-06.io.spdk:c"));
        r.ok(
                "nvmf_subsystem_add_ns",
                params().with("nqn", "nqn.2016-06.io.spdk:c")
                        .with("namespace", params().with("bdev_name", "M").done()));
        assertThat(r.ok("nvmf_get_subsystems").text()).contains("12345678-9abc-def0-1234-56789abcdef0");
        r.fails(
                -32602,
                "must be 8-4-4-4-12",
                "bdev_malloc_create",
                params().with("num_blocks", 8).with("block_size", 512).with("uuid", "x"));
        assertThat(r.ok("bdev_get_bdevs").text()).doesNotContain("Malloc0");
    }

    /** A file says how large its device is, whoever knows files: the process itself opens none. */
    @Test
    void aFileBecomesADevice() {
        AppRig r = AppRig.onOneCore();
        JsonValue.Builder file = params().with("name", "A").with("filename", "/tmp/a.img");
        r.fails(-2, "'/tmp/a.img' is no regular file here", "bdev_aio_create", file);
        r.app.knowFiles(name -> name.equals("/tmp/a.img") ? 8 * 4096 + 512 : -1);
        r.fails(-22, "no multiple of block_size 4096", "bdev_aio_create", file.with("block_size", 4096));
        r.ok("bdev_aio_create", params().with("name", "A").with("filename", "/tmp/a.img"));
        assertThat(r.app.remarks()).singleElement().asString().contains("zeros in memory");
        JsonValue all = r.ok("bdev_get_bdevs");
        assertThat(number(all, 0, "num_blocks")).isEqualTo(65);
        assertThat(at(all, 0, "driver_specific", "aio", "filename").text()).isEqualTo("\"/tmp/a.img\"");
        assertThat(at(all, 0, "product_name").text()).isEqualTo("\"AIO disk\"");
        r.fails(-19, "of another kind", "bdev_malloc_delete", params().with("name", "A"));
        r.ok("bdev_aio_delete", params().with("name", "A"));
        assertThat(r.ok("save_config").text()).doesNotContain("bdev_aio_create");
    }

    @Test
    void levelsOfLogsAreKept() {
        AppRig r = AppRig.onOneCore();
        assertThat(r.ok("log_get_level").text()).isEqualTo("\"NOTICE\"");
        r.ok("log_set_level", params().with("level", "debug"));
        assertThat(r.app.remarks()).singleElement().asString().contains("log_set_level: has no effect here");
        assertThat(r.ok("log_get_level").text()).isEqualTo("\"DEBUG\"");
        r.fails(-32602, "must be one of ERROR", "log_set_level", params().with("level", "loud"));
    }

    @Test
    void reactorsAndThreadsTellOfThemselves() {
        AppRig r = new AppRig(new AppSpec(CoreMask.parse("[1,4]"), 4, 1024, false, false));
        JsonValue all = r.ok("framework_get_reactors");
        assertThat(number(all, "tick_rate")).isEqualTo(1_000_000_000_000L);
        assertThat(number(all, "reactors", 0, "lcore")).isEqualTo(1);
        assertThat(at(all, "reactors", 0, "lw_threads", 0, "name").text()).isEqualTo("\"nvmf_tgt_poll_group_000\"");
        assertThat(at(all, "reactors", 1, "lw_threads", 0, "name").text()).isEqualTo("\"app_thread\"");
        assertThat(at(all, "reactors", 1, "lw_threads", 0, "cpumask").text()).isEqualTo("\"10\"");
        long now = r.sim.now();
        assertThat(number(all, "reactors", 1, "busy") + number(all, "reactors", 1, "idle"))
                .isBetween(now - 2_000_000, now);
        JsonValue stats = r.ok("thread_get_stats");
        assertThat(number(stats, "threads", 0, "timed_pollers_count")).isEqualTo(1);
        assertThat(number(stats, "threads", 0, "busy")).isPositive();
        JsonValue pollers = r.ok("thread_get_pollers");
        assertThat(number(pollers, "threads", 0, "timed_pollers", 0, "period_ticks"))
                .isEqualTo(4_000_000_000L);
        assertThat(number(pollers, "threads", 0, "timed_pollers", 0, "busy_count"))
                .isEqualTo(2);
    }

    /** A request waits for the poller of the main thread, 4 ms apart; so the same requests get the same answers. */
    @Test
    void answersDependOnRequestsOnly() {
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        for (List<String> log : List.of(first, second)) {
            AppRig r = AppRig.onOneCore();
            for (int i = 1; i <= 5; i++) {
                log.add(r.ok("framework_get_reactors").text());
                assertThat(r.sim.now()).isBetween(i * 4_000_000_000L, i * 4_000_000_000L + 30_000_000L);
            }
        }
        assertThat(first).isEqualTo(second);
    }

    @Test
    void blockDevicesAreMadeOnEachOther() {
        AppRig r = AppRig.onOneCore();
        assertThat(r.ok("bdev_malloc_create", params().with("num_blocks", 100).with("block_size", 512))
                        .text())
                .isEqualTo("\"Malloc0\"");
        r.ok(
                "bdev_delay_create",
                params().with("base_bdev_name", "Malloc0")
                        .with("name", "slow")
                        .with("avg_read_latency", 10)
                        .with("p99_read_latency", 20)
                        .with("avg_write_latency", 30)
                        .with("p99_write_latency", 40));
        r.ok("bdev_error_create", params().with("base_name", "slow"));
        r.ok(
                "bdev_null_create",
                params().with("name", "n").with("num_blocks", 8).with("block_size", 4096));
        JsonValue all = r.ok("bdev_get_bdevs");
        assertThat(at(all, 0, "claimed").text()).isEqualTo("true");
        assertThat(at(all, 0, "uuid").text())
                .as("the same for a name in every run")
                .isEqualTo(at(all, 0, "aliases", 0).text())
                .isNotEqualTo(at(all, 3, "uuid").text());
        assertThat(at(all, 1, "driver_specific", "delay", "base_bdev_name").text())
                .isEqualTo("\"Malloc0\"");
        assertThat(at(all, 2, "name").text()).isEqualTo("\"EE_slow\"");
        assertThat(at(all, 3, "supported_io_types", "compare").text()).isEqualTo("false");
        assertThat(number(all, 3, "block_size") * number(all, 3, "num_blocks")).isEqualTo(32_768);
        r.fails(
                -17,
                "File exists",
                "bdev_null_create",
                params().with("name", "n").with("num_blocks", 8).with("block_size", 512));
        r.fails(-1, "claimed by slow", "bdev_error_create", params().with("base_name", "Malloc0"));
        r.fails(-19, "did you mean Malloc0?", "bdev_get_bdevs", params().with("name", "Maloc0"));
        r.fails(
                -22,
                "blocks of 500 B",
                "bdev_null_create",
                params().with("name", "odd").with("num_blocks", 8).with("block_size", 500));
        r.fails(
                -32602,
                "'num_blocks' is 0",
                "bdev_malloc_create",
                params().with("num_blocks", 0).with("block_size", 512));
    }

    @Test
    void errorsAreInjectedWhereTheyCanBe() {
        AppRig r = AppRig.onOneCore();
        r.ok(
                "bdev_null_create",
                params().with("name", "n").with("num_blocks", 8).with("block_size", 512));
        r.fails(
                -19,
                "bdev_error_create",
                "bdev_error_inject_error",
                params().with("name", "n").with("io_type", "read").with("error_type", "failure"));
        r.ok("bdev_error_create", params().with("base_name", "n"));
        JsonValue.Builder p =
                params().with("name", "EE_n").with("io_type", "all").with("error_type", "corrupt_data");
        r.ok("bdev_error_inject_error", p);
        r.fails(
                -22,
                "moves no data",
                "bdev_error_inject_error",
                params().with("name", "EE_n").with("io_type", "flush").with("error_type", "corrupt_data"));
        r.fails(
                -95,
                "not simulated",
                "bdev_error_inject_error",
                params().with("name", "EE_n").with("io_type", "read").with("error_type", "pending"));
        r.fails(
                -32602,
                "must be one of",
                "bdev_error_inject_error",
                params().with("name", "EE_n").with("io_type", "seek").with("error_type", "nomem"));
        r.ok(
                "bdev_error_inject_error",
                params().with("name", "EE_n").with("io_type", "clear").with("error_type", "failure"));
    }

    @Test
    void theConfigurationCanBeDoneAgain() {
        AppRig r = new AppRig(cores("0x1").waiting());
        r.ok("bdev_set_options", params().with("bdev_io_pool_size", 500).with("bdev_io_cache_size", 20));
        r.ok("framework_start_init");
        r.ok(
                "bdev_malloc_create",
                params().with("num_blocks", 100).with("block_size", 512).with("name", "a"));
        r.ok("bdev_error_create", params().with("base_name", "a"));
        r.ok("framework_set_scheduler", params().with("name", "static"));
        JsonValue saved = r.ok("save_config");
        AppRig again = new AppRig(cores("0x1").waiting());
        assertThat(at(saved, "subsystems", 2, "subsystem").text()).isEqualTo("\"bdev\"");
        replay(saved, again, RpcMethod.When.STARTUP);
        again.ok("framework_start_init");
        replay(saved, again, RpcMethod.When.RUNTIME);
        replay(saved, again, RpcMethod.When.ALWAYS);
        assertThat(again.ok("save_config")).isEqualTo(saved);
        assertThat(again.ok("framework_get_config", params().with("name", "bdev")))
                .isEqualTo(at(saved, "subsystems", 2, "config"));
        r.fails(-32602, "no subsystem 'x'", "framework_get_config", params().with("name", "x"));
        r.fails(-95, "'dynamic' moves threads", "framework_set_scheduler", params().with("name", "dynamic"));
        r.fails(-22, "no scheduler", "framework_set_scheduler", params().with("name", "fair"));
    }

    private static void replay(JsonValue saved, AppRig to, RpcMethod.When when) {
        for (int s = 0; s < 4; s++) {
            for (JsonValue call : ((JsonValue.Arr) at(saved, "subsystems", s, "config")).values()) {
                String method = ((JsonValue.Text) at(call, "method")).value();
                RpcMethod known = to.app.methods().find(method);
                if (known != null && known.when() == when) {
                    assertThat(to.app
                                    .call(method, (JsonValue.Obj) at(call, "params"))
                                    .find("error"))
                            .isNull();
                }
            }
        }
    }

    @Test
    void aSignalEndsIt() {
        AppRig r = AppRig.onOneCore();
        r.fails(-32602, "sig_name", "spdk_kill_instance", params().with("sig_name", "SIGUSR1"));
        assertThat(r.app.isStopped()).isFalse();
        r.ok("spdk_kill_instance", params().with("sig_name", "SIGTERM"));
        assertThat(r.app.isStopped()).isTrue();
    }
}
