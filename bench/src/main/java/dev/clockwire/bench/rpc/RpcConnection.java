package dev.clockwire.bench.rpc;

import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcDispatcher;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One connection: nothing more is read while its answers do not get away. */
final class RpcConnection {
    private static final int READ_BYTES = 4096;

    private final SelectionKey key;
    private final SocketChannel channel;
    private final Function<JsonValue, @Nullable JsonValue> handler;
    private final JsonStream stream;
    private final ByteBuffer in = ByteBuffer.allocate(READ_BYTES);
    private final ArrayDeque<ByteBuffer> out = new ArrayDeque<>();
    private boolean ending;

    RpcConnection(SelectionKey key, SocketChannel channel, Function<JsonValue, @Nullable JsonValue> handler)
            throws IOException {
        this.key = key;
        this.channel = channel;
        this.handler = handler;
        stream = new JsonStream(JsonLimits.REQUEST);
    }

    /** Goes on reading or writing; a peer that has gone away ends the connection. */
    void ready(BooleanSupplier stopped) throws IOException {
        try {
            if (key.isReadable()) {
                read(stopped);
            }
            write();
        } catch (IOException gone) {
            close();
        }
    }

    private void read(BooleanSupplier stopped) throws IOException {
        in.clear();
        if (channel.read(in) < 0) {
            ending = true;
            return;
        }
        try {
            stream.feed(in.array(), in.position(), request -> {
                if (!stopped.getAsBoolean()) {
                    send(handler.apply(request));
                }
            });
        } catch (JsonBroken e) {
            send(RpcDispatcher.parseError(e.why()));
            ending = true;
        }
    }

    private void send(@Nullable JsonValue answer) {
        if (answer != null) {
            out.add(ByteBuffer.wrap((answer.text() + "\n").getBytes(StandardCharsets.UTF_8)));
        }
    }

    private void write() throws IOException {
        while (!out.isEmpty()) {
            ByteBuffer first = out.element();
            channel.write(first);
            if (first.hasRemaining()) {
                key.interestOps(SelectionKey.OP_WRITE);
                return;
            }
            out.remove();
        }
        if (ending) {
            close();
        } else {
            key.interestOps(SelectionKey.OP_READ);
        }
    }

    private void close() throws IOException {
        key.cancel();
        channel.close();
        stream.close();
    }
}
