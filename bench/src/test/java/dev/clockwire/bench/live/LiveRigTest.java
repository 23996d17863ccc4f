package dev.clockwire.bench.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.nic.profile.Profiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A Linux machine with soft-RoCE as the peer of the simulated NIC. Runs with {@code -Plive} where the kit that boots the machine is ({@code -Dclockwire.rig}, else beside the
 * checkout); what it builds goes to {@code target/rig}.
 */
class LiveRigTest {
    private static final int VM = 40_111;
    private static final int OURS = 40_112;
    private static final long BUILD_MINUTES = 15;
    private static final long RUN_MINUTES = 10;
    private static final String RELIABLE = "write,read,send,imm,atomics,rw-mix,many,many-read,many-send,many-faa";

    private static final Path WORK = Path.of("target", "rig").toAbsolutePath();
    private static Path kit = Path.of("");

    @BeforeAll
    static void build() throws IOException, InterruptedException {
        assumeTrue(Boolean.getBoolean("clockwire.live"), "the live check runs with -Plive only");
        String property = System.getProperty("clockwire.rig", "");
        kit = (property.isEmpty() ? Path.of("..", "..", "shared", "rig") : Path.of(property)).toAbsolutePath();
        assumeTrue(Files.isExecutable(kit.resolve("build.sh")), "no kit for a virtual machine at " + kit);
        Files.createDirectories(WORK);
        assertEquals(0, script(BUILD_MINUTES, 1500, List.of("build.sh", WORK.toString())), "build.sh failed");
    }

    @AfterAll
    static void stop() throws IOException, InterruptedException {
        if (Files.exists(WORK.resolve("live.pid"))) {
            script(1, 1500, List.of("stop.sh", WORK.toString(), "live"));
        }
    }

    private static int script(long minutes, int linkMtu, List<String> command)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(command);
        words.set(0, kit.resolve(command.get(0)).toString());
        ProcessBuilder builder =
                new ProcessBuilder(words).redirectErrorStream(true).inheritIO();
        builder.environment().put("RIG_KEEP", "1");
        builder.environment().put("RIG_DISCOVER", "1");
        builder.environment().put("RIG_MTU", Integer.toString(linkMtu));
        Process process = builder.start();
        if (!process.waitFor(minutes, TimeUnit.MINUTES)) {
            process.destroy();
            return -1;
        }
        return process.exitValue();
    }

    @ParameterizedTest(name = "{0}: {1}, link MTU {2}, path MTU {3}, loss {6}")
    @CsvSource(
            delimiter = '|',
            value = {
                "HW   | " + RELIABLE + " | 1500 | 1024 | 2048 |    0 |    0 | ",
                "SOFT | " + RELIABLE + " | 1500 | 1024 | 2048 |    0 |    0 | ",
                "HW   | " + RELIABLE + " | 9000 | 4096 | 2048 |    0 |    0 | --mtu 4096",
                "SOFT | " + RELIABLE + " | 9000 | 4096 | 2048 |    0 |    0 | --mtu 4096",
                "HW   | send-too-long     | 1500 | 1024 |   64 |    0 |    0 | ",
                "SOFT | send-too-long     | 1500 | 1024 |   64 |    0 |    0 | ",
                "HW   | rnr               | 1500 | 1024 | 2048 |  300 |    0 | ",
                "SOFT | rnr               | 1500 | 1024 | 2048 |  300 |    0 | ",
                "HW   | rnr-exhaust       | 1500 | 1024 | 2048 |   -1 |    0 | --rnr-retry 3",
                "SOFT | rnr-exhaust       | 1500 | 1024 | 2048 |   -1 |    0 | --rnr-retry 3",
            })
    void answersAVerbsProgram(
            Provider provider, String tests, int linkMtu, int mtu, int receive, long delay, double loss, String options)
            throws Exception {
        LiveSpec spec = new LiveSpec(OURS, VM, mtu, receive, delay < 0 ? LiveSpec.NEVER : delay, loss, 1);
        List<String> command = new ArrayList<>(
                List.of("live-verbsx.sh", WORK.toString(), Integer.toString(VM), Integer.toString(OURS), tests));
        if (options != null) {
            command.addAll(List.of(options.split(" ")));
        }
        withPeer(Live.Program.VERBS_PEER, provider, spec, linkMtu, command);
    }

    @ParameterizedTest(name = "{0}: {1} is refused")
    @CsvSource({
        "HW, bad-rkey-write", "SOFT, bad-rkey-write", "HW, bad-rkey-read", "SOFT, bad-rkey-read",
        "HW, bad-rkey-atomic", "SOFT, bad-rkey-atomic", "HW, noperm-write", "SOFT, noperm-write",
        "HW, read-beyond", "SOFT, read-beyond", "HW, write-beyond", "SOFT, write-beyond"
    })
    void refusesWhatIsNotAllowed(Provider provider, String test) throws Exception {
        LiveSpec spec = new LiveSpec(OURS, VM, 1024, 2048, 0, 0, 1);
        withPeer(
                Live.Program.VERBS_PEER,
                provider,
                spec,
                1500,
                List.of("live-verbsx.sh", WORK.toString(), Integer.toString(VM), Integer.toString(OURS), test));
    }

    @ParameterizedTest(name = "{0}: rping of {1} bytes, link MTU {2}, loss {3}")
    @CsvSource({
        "HW, 64, 1500, 0", "SOFT, 64, 1500, 0", "HW, 65000, 1500, 0", "SOFT, 65000, 1500, 0",
        "HW, 64, 9000, 0", "SOFT, 64, 9000, 0", "HW, 65000, 9000, 0", "SOFT, 65000, 9000, 0",
        "HW, 65000, 1500, 0.03", "SOFT, 65000, 1500, 0.03"
    })
    void servesRping(Provider provider, int size, int linkMtu, double loss) throws Exception {
        LiveSpec spec = new LiveSpec(OURS, VM, 1024, 2048, 0, loss, 1);
        withPeer(
                Live.Program.RPING_SERVER,
                provider,
                spec,
                linkMtu,
                List.of(
                        "live-rping.sh",
                        WORK.toString(),
                        Integer.toString(VM),
                        Integer.toString(OURS),
                        "3",
                        Integer.toString(size)));
    }

    @ParameterizedTest(name = "{0}: a kernel discovers, connects, writes and reads, link MTU {1}")
    @CsvSource({"HW, 1500", "SOFT, 1500", "HW, 9000", "SOFT, 9000"})
    void servesNvme(Provider provider, int linkMtu) throws Exception {
        LiveSpec spec = new LiveSpec(OURS, VM, 1024, 2048, 0, 0, 1);
        withPeer(
                Live.Program.NVMF_TARGET,
                provider,
                spec,
                linkMtu,
                List.of("live-nvme.sh", WORK.toString(), Integer.toString(VM), Integer.toString(OURS)));
    }

    private static void withPeer(
            Live.Program program, Provider provider, LiveSpec spec, int linkMtu, List<String> command)
            throws IOException, InterruptedException, ExecutionException {
        AtomicBoolean stop = new AtomicBoolean();
        CompletableFuture<Boolean> peer = CompletableFuture.supplyAsync(() -> {
            try {
                return Live.run(program, provider, Profiles.named(Profiles.DEFAULT), spec, line -> {}, stop::get, null);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        int exit = script(RUN_MINUTES, linkMtu, command);
        if (program == Live.Program.VERBS_PEER || exit != 0) {
            stop.set(true);
        }
        boolean closed = peer.get();
        assertEquals(program != Live.Program.VERBS_PEER, closed, "a program with fixed values closes nothing");
        assertEquals(0, exit, "the program in the machine failed");
    }
}
