package dev.clockwire.bench.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.storage.app.AppSpec;
import dev.clockwire.storage.app.StorageApp;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcDispatcher;
import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RpcSocketTest {
    @TempDir
    Path folder = Path.of("");

    /** What somebody does with a socket that is served meanwhile. */
    private interface Client {
        void use(Path socket) throws Exception;
    }

    private void serving(Client client) throws Exception {
        StorageApp app = new StorageApp(
                new TargetMachine(Profiles.named(Profiles.DEFAULT), 1, List.of(), "p5800x", "", 0)
                        .build(ConfigFile.none()),
                AppSpec.on(CoreMask.first(1)).waiting());
        SimTarget target = new SimTarget(app, ConfigFile.none(), false);
        Path path = folder.resolve("rpc.sock");
        AtomicBoolean over = new AtomicBoolean();
        var executor = Executors.newSingleThreadExecutor();
        try (RpcSocket server = new RpcSocket(path, target::handle)) {
            var served = executor.submit(() -> {
                server.serve(() -> over.get() || target.isStopped());
                return true;
            });
            try {
                client.use(path);
            } finally {
                over.set(true);
                assertThat(served.get(20, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(path).doesNotExist();
    }

    /** Sends a text, ends sending, and returns everything that comes until the other side closes. */
    private static String talk(Path socket, byte[]... parts) throws IOException {
        try (SocketChannel c = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            for (byte[] part : parts) {
                ByteBuffer out = ByteBuffer.wrap(part);
                while (out.hasRemaining()) {
                    c.write(out);
                }
            }
            c.shutdownOutput();
            StringBuilder all = new StringBuilder();
            ByteBuffer in = ByteBuffer.allocate(4096);
            while (c.read(in) >= 0) {
                all.append(StandardCharsets.UTF_8.decode(in.flip()));
                in.clear();
            }
            return all.toString();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void requestsComeOneBehindTheOtherInAnyPieces() throws Exception {
        serving(socket -> {
            String one = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"spdk_get_version\"}";
            String two = "[{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"bdev_get_bdevs\",\"params\":{}}]";
            String answers = talk(socket, bytes(one + two.substring(0, 20)), bytes(two.substring(20)));
            assertThat(answers.lines()).hasSize(2);
            assertThat(answers)
                    .contains("\"id\":1,\"result\":{\"version\"")
                    .contains("[{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"result\":[]}]");
        });
    }

    @Test
    void aConnectionThatSendsNoJsonIsClosedAndOthersLiveOn() throws Exception {
        serving(socket -> {
            try (SocketChannel idle = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
                assertThat(talk(socket, bytes("{]{\"jsonrpc\"")))
                        .contains("\"id\":null", "-32700")
                        .hasLineCount(1);
                assertThat(talk(socket, new byte[] {'"', (byte) 0xff, '"'})).contains("-32700", "UTF-8");
                assertThat(talk(socket, bytes("7 "))).contains("-32600");
                assertThat(talk(socket, bytes("{\"jsonrpc\""))).isEmpty();
                assertThat(idle.isConnected()).isTrue();
            }
            JsonValue answer = RpcClient.call(
                    socket,
                    RpcDispatcher.request(
                            3, "bdev_nvme_creat", JsonValue.object().done()));
            assertThat(answer.text()).contains("\"id\":3", "-32601");
        });
    }

    @Test
    void endlessValuesEndTheConnection() throws Exception {
        serving(socket -> {
            byte[] piece = bytes("x".repeat(4096));
            try (SocketChannel c = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
                c.write(ByteBuffer.wrap(bytes("\"")));
                assertThatThrownBy(() -> {
                            for (int i = 0; i < 2000; i++) {
                                c.write(ByteBuffer.wrap(piece));
                            }
                        })
                        .isInstanceOf(IOException.class);
            }
        });
    }

    @Test
    void aSocketThatIsServedIsNotTaken() throws Exception {
        serving(socket -> assertThatThrownBy(() -> new RpcSocket(socket, r -> null).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("somebody serves it"));
        Path file = Files.writeString(folder.resolve("file"), "x");
        assertThatThrownBy(() -> new RpcSocket(file, r -> null).close()).isInstanceOf(IOException.class);
        assertThat(file).hasContent("x");
        assertThatThrownBy(() -> RpcClient.call(folder.resolve("none"), JsonValue.Null.VALUE))
                .isInstanceOf(IOException.class);
    }

    /** A script with Python's standard library only, which talks as SPDK's rpc.py does. */
    @Test
    void aScriptForSpdkWorks() throws Exception {
        Path script = folder.resolve("spdk_client.py");
        try (InputStream in = RpcSocketTest.class.getResourceAsStream("spdk_client.py")) {
            Files.copy(Objects.requireNonNull(in), script);
        }
        serving(socket -> {
            Process p;
            try {
                p = new ProcessBuilder("python3", script.toString(), socket.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("printed").toFile())
                        .start();
            } catch (IOException e) {
                Assumptions.assumeTrue("true".equals(System.getenv("CI")), "python3 is not installed");
                throw new AssertionError("python3 must be installed when CI=true", e);
            }
            if (!p.waitFor(60, TimeUnit.SECONDS)) {
                p.destroyForcibly();
                Assertions.fail("the script does not end");
            }
            assertThat(p.exitValue())
                    .as(Files.readString(folder.resolve("printed")))
                    .isZero();
        });
    }
}
