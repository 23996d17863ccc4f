package dev.clockwire.bench.rpc;

import dev.clockwire.storage.rpc.JsonValue;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Asks a process with a socket. */
public final class RpcClient {
    private static final int READ_BYTES = 4096;

    private RpcClient() {}

    /**
     * Sends a request and waits for its answer.
     *
     * @throws IOException if there is no socket, or it is closed before it has answered
     * @throws JsonBroken if what comes back is no JSON
     */
    public static JsonValue call(Path socket, JsonValue request) throws IOException, JsonBroken {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            ByteBuffer out = ByteBuffer.wrap((request.text() + "\n").getBytes(StandardCharsets.UTF_8));
            while (out.hasRemaining()) {
                channel.write(out);
            }
            JsonStream stream = new JsonStream(JsonLimits.FILE);
            List<JsonValue> answers = new ArrayList<>();
            ByteBuffer in = ByteBuffer.allocate(READ_BYTES);
            while (answers.isEmpty()) {
                in.clear();
                if (channel.read(in) < 0) {
                    throw new IOException("socket " + socket + " was closed without an answer");
                }
                stream.feed(in.array(), in.position(), answers::add);
            }
            stream.close();
            return answers.get(0);
        } catch (java.net.SocketException e) {
            throw new IOException("socket " + socket + ": " + e.getMessage(), e);
        }
    }
}
