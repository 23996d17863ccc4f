package dev.clockwire.bench.cli;

import static dev.clockwire.bench.cli.CommandRunner.clockwire;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NvmfCommandsTest {
    private static final String MALLOC =
            "{\"method\":\"bdev_malloc_create\",\"params\":{\"name\":\"M\",\"num_blocks\":8,\"block_size\":512}}";

    @TempDir
    Path folder = Path.of("");

    private String config(String text) throws IOException {
        return Files.writeString(folder.resolve("c.json"), text).toString();
    }

    private String bdevs(String calls) throws IOException {
        return config("{\"subsystems\":[{\"subsystem\":\"bdev\",\"config\":[" + calls + "]}]}");
    }

    @Test
    void aCallIsAnsweredAsADocument() {
        JsonNode answer =
                clockwire("nvmf", "rpc", "rpc_get_methods", "{}", "--json").json();
        assertThat(answer.get("schema").asText()).isEqualTo("clockwire.nvmf-rpc/1");
        assertThat(answer.get("result").findValuesAsText("")).isEmpty();
        assertThat(answer.get("result").toString()).contains("\"framework_get_reactors\"");
        assertThat(clockwire("nvmf", "rpc", "bdev_get_bdevs").text()).isEqualTo("[]\n");
    }

    @Test
    void anErrorIsAnAnswerToo() {
        JsonNode answer = clockwire("nvmf", "rpc", "bdev_get_bdev", "--json").json(1);
        assertThat(answer.at("/error/code").asInt()).isEqualTo(-32601);
        assertThat(answer.at("/error/message").asText()).contains("did you mean bdev_get_bdevs?");
        assertThat(clockwire("nvmf", "rpc", "bdev_get_bdevs", "[7]", "--json")
                        .json(1)
                        .at("/error/code")
                        .asInt())
                .isEqualTo(-32600);
    }

    @Test
    void optionsThatCannotBeAreUsage() {
        clockwire("nvmf", "rpc", "bdev_get_bdevs", "{").failsWith(2, "parameters are no JSON: line 2");
        clockwire("nvmf", "rpc", "bdev_get_bdevs", "-m", "0x0").failsWith(2, "core mask '0x0' names no core");
        clockwire("nvmf", "rpc", "bdev_get_bdevs", "-m", "0x6", "-p", "0").failsWith(2, "main core (-p) 0");
        clockwire("nvmf", "rpc", "bdev_get_bdevs", "-s", "0").failsWith(2, "memory (-s) 0 MiB is not in 1..1048576");
        clockwire("nvmf", "rpc", "bdev_get_bdevs", "-s", "10").failsWith(3, "msg_mempool");
        clockwire("nvmf", "rpc", "bdev_get_bdevs", "-r", folder.resolve("no").toString())
                .failsWith(3, "socket");
        for (String other : List.of("--config", "-m", "--ssd", "--profile")) {
            clockwire(
                            "nvmf",
                            "rpc",
                            "bdev_get_bdevs",
                            "-r",
                            "some.sock",
                            other,
                            other.equals("--profile") ? "cx7-400g" : "0x1")
                    .failsWith(2, "-r some.sock and " + other + " exclude each other");
        }
        clockwire("nvmf", "rpc").failsWith(2, "METHOD");
        clockwire("nvmf").failsWith(2, "needs a command");
    }

    @Test
    void aTransportMayBeOffloadedWhereTheHardwareCan() throws IOException {
        String file =
                config("{\"subsystems\":[{\"subsystem\":\"nvmf\",\"config\":[{\"method\":\"nvmf_create_transport\","
                        + "\"params\":{\"trtype\":\"RDMA\",\"offload\":true}}]}]}");
        clockwire("nvmf", "target", "--config", file).failsWith(3, "offload: the NIC has none");
        String[] hardware = {"-P", "nic.nvmf.contexts=8", "-P", "pcie.switch=gen5", "--config", file, "--json"};
        JsonNode t = clockwire(Stream.concat(Stream.of("nvmf", "rpc", "nvmf_get_transports"), Stream.of(hardware))
                        .toArray(String[]::new))
                .json();
        assertThat(t.at("/result/0/offload").asBoolean()).isTrue();
        JsonNode stats = clockwire(Stream.concat(Stream.of("nvmf", "rpc", "nvmf_get_stats"), Stream.of(hardware))
                        .toArray(String[]::new))
                .json();
        assertThat(stats.at("/result/offload/executed").asLong(-1)).isZero();
    }

    @Test
    void dataOfTheOffloadPassThroughSsdsThatHaveMemory() throws IOException {
        String call = "{\"subsystems\":[{\"subsystem\":\"nvmf\",\"config\":[{\"method\":\"nvmf_create_transport\","
                + "\"params\":{\"trtype\":\"RDMA\",\"offload\":%s,\"offload_memory\":\"%s\"}}]}]}";
        String file = config(String.format(call, true, "controller"));
        String[] usual = {"-P", "nic.nvmf.contexts=8", "-P", "pcie.switch=gen5", "--config", file, "--json"};
        clockwire(with(usual, "nvmf", "rpc", "nvmf_get_transports"))
                .failsWith(3, "ssd0 has a controller memory buffer of 0 B", "nic.nvmf.contexts 8");
        JsonNode t = clockwire(with(usual, "nvmf", "rpc", "nvmf_get_transports", "--cmb", "2m"))
                .json();
        assertThat(t.at("/result/0/offload_memory").asText()).isEqualTo("controller");
        clockwire(with(usual, "nvmf", "rpc", "nvmf_get_transports", "--cmb", "3m"))
                .failsWith(2, "controller memory of 3145728 B");
        clockwire("nvmf", "target", "--config", config(String.format(call, false, "controller")))
                .failsWith(3, "is for a transport with offload");
        clockwire("nvmf", "target", "--config", config(String.format(call, true, "controler")))
                .failsWith(3, "must be one of host, controller");
    }

    private static String[] with(String[] usual, String... first) {
        return Stream.concat(Stream.of(first), Stream.of(usual)).toArray(String[]::new);
    }

    @Test
    void aFileConfiguresATargetAndComesBack() throws IOException {
        String file = bdevs(MALLOC);
        JsonNode saved = clockwire("nvmf", "target", "--config", file, "--json").json();
        assertThat(saved.at("/result/subsystems/2/config/0").toString()).isEqualTo(MALLOC);
        String text = clockwire("nvmf", "target", "-c", file).text();
        assertThat(clockwire("nvmf", "target", "-c", config("// saved\n" + text))
                        .text())
                .isEqualTo(text);
        assertThat(clockwire("nvmf", "rpc", "bdev_get_bdevs", "-c", file).text())
                .contains("\"num_blocks\": 8");
        JsonNode early = clockwire("nvmf", "rpc", "bdev_get_bdevs", "-c", file, "--wait-for-rpc", "--json")
                .json(1);
        assertThat(early.at("/error/code").asInt()).isEqualTo(-1);
    }

    @Test
    void whatIsWrongInAFileIsSaidWithItsPlace() throws IOException {
        clockwire("nvmf", "target", "-c", bdevs(MALLOC + "," + MALLOC))
                .failsWith(3, "c.json: subsystems[0].config[1]: bdev_malloc_create: File exists", "(-17)");
        clockwire("nvmf", "target", "-c", bdevs("{\"method\":\"bdev_maloc_create\"}"))
                .failsWith(3, "did you mean bdev_malloc_create?", "(-32601)");
        clockwire("nvmf", "target", "-c", bdevs("{\"method\":7}")).failsWith(3, "config[0].method must be a string");
        clockwire("nvmf", "target", "-c", bdevs("7")).failsWith(3, "config[0] is a number: must be an object");
        clockwire("nvmf", "target", "-c", config("{\"subsystem\":[]}")).failsWith(3, "'subsystems' must be an array");
        clockwire("nvmf", "target", "-c", config("{\n\n")).failsWith(3, "c.json: line 4: the value is not complete");
        clockwire("nvmf", "target", "-c", config("[] []")).failsWith(3, "more than one value");
        clockwire("nvmf", "target", "-c", folder.resolve("none").toString()).failsWith(3, "no such file");
        clockwire("nvmf", "target", "-c", folder.toString()).failsWith(3, folder + ": is a directory");
        clockwire("nvmf", "target", "-c", config("{\"subsystems\":[],\"subsystems\":[]}"))
                .failsWith(3, "'subsystems' stands there twice");
        clockwire("nvmf", "target", "-c", config("{\"subsystems\":[],}")).failsWith(3, "line 1: nothing behind ','");
        Path zero = Path.of("/dev/zero"); // has no end
        if (Files.exists(zero)) {
            clockwire("nvmf", "target", "-c", zero.toString()).failsWith(3, "has more than 16777216 bytes");
        }
    }

    /** Where nothing is said the machine fits the file: SSDs where it attaches them, the NIC with its listener's address. */
    @Test
    void theMachineFitsTheFile() throws IOException {
        String attach = "{\"method\":\"bdev_nvme_attach_controller\",\"params\":"
                + "{\"name\":\"N\",\"trtype\":\"PCIe\",\"traddr\":\"0000:81:00.0\"}}";
        String listen = "{\"method\":\"nvmf_create_transport\",\"params\":{\"trtype\":\"RDMA\",\"max_srq_depth\":64}},"
                + "{\"method\":\"nvmf_create_subsystem\",\"params\":{\"nqn\":\"nqn.2016-06.io.spdk:a\"}},"
                + "{\"method\":\"nvmf_subsystem_add_listener\",\"params\":{\"nqn\":\"nqn.2016-06.io.spdk:a\","
                + "\"listen_address\":{\"trtype\":\"RDMA\",\"traddr\":\"192.168.1.100\"}}}";
        String file = bdevs(attach + "," + listen);
        JsonNode stats = clockwire("nvmf", "rpc", "nvmf_get_subsystems", "-c", file, "--json")
                .json();
        assertThat(stats.at("/result/1/listen_addresses/0/traddr").asText()).isEqualTo("192.168.1.100");
        clockwire("nvmf", "target", "-c", file, "--ssd", "0000:82:00.0=null")
                .failsWith(3, "no NVMe controller at 0000:81:00.0; there are [0000:82:00.0]", "(-19)");
        clockwire("nvmf", "target", "-c", file, "--address", "10.1.1.1").failsWith(3, "addresses here are [10.1.1.1");
        clockwire("nvmf", "target", "--ssd", "82:00").failsWith(2, "is no PCI address");
        clockwire("nvmf", "target", "--media", "floppy").failsWith(2, "floppy");
        clockwire("nvmf", "target", "--address", "10.0.0.256").failsWith(2, "no IPv4 address");
        clockwire("nvmf", "target", "-P", "link.gbps=x").failsWith(3, "link.gbps");
    }

    @Test
    void settingsOfOtherSubsystemsArePassedOver() throws IOException {
        String file =
                config("{\"subsystems\":[{\"subsystem\":\"sock\",\"config\":[{\"method\":\"sock_impl_set_options\"}]},"
                        + "{\"subsystem\":\"vmd\",\"config\":null}]}");
        assertThat(clockwire("nvmf", "target", "-c", file).notes())
                .contains("sock_impl_set_options has no effect here: subsystem sock is not simulated")
                .hasLineCount(1);
    }

    /** A name that nobody knows is told, even if it asks for nothing. */
    @Test
    void anUnknownSubsystemIsTold() throws IOException {
        String file = config("{\"subsystems\":[{\"subsystem\":\"nvmff\",\"config\":[]},"
                + "{\"subsystem\":\"accel\",\"config\":[]},{\"subsystem\":\"bdev\",\"config\":[]}]}");
        assertThat(clockwire("nvmf", "target", "-c", file).notes())
                .contains("subsystems[0]: nobody knows a subsystem 'nvmff'; did you mean nvmf?")
                .hasLineCount(1);
    }

    @Test
    void nothingIsLeftBehindBySocketsThatCannotBe() throws IOException {
        Path text = Files.writeString(folder.resolve("README.md"), "text");
        clockwire("nvmf", "target", "-r", text.toString()).failsWith(3, "README.md: exists and is no socket");
        assertThat(text).hasContent("text");
        Path taken = Files.writeString(folder.resolve("taken"), "x");
        Path out = folder.resolve("out");
        clockwire("nvmf", "target", "-r", taken.toString(), "--out", out.toString())
                .failsWith(3, "socket");
        assertThat(out).doesNotExist();
        assertThat(taken).hasContent("x");
        assertThat(List.of(folder.toFile().list())).containsExactlyInAnyOrder("README.md", "taken");
    }
}
