package dev.clockwire.bench.rpc;

import dev.clockwire.storage.rpc.JsonValue;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Iterator;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A Unix socket that answers requests one after the other, in the order they come. A connection that sends what is no JSON gets a parse
 * error and is closed: there is no place in such a stream at which a request could begin again.
 */
public final class RpcSocket implements AutoCloseable {
    /** Connections at a time, as SPDK has them. */
    private static final int MOST_CONNECTIONS = 64;

    private static final long LOOK_MS = 100;

    private final Path path;
    private final ServerSocketChannel server;
    private final Selector selector;
    private final Function<JsonValue, @Nullable JsonValue> handler;

    /**
     * Binds a socket.
     *
     * @param path of a file that is not there yet; at most about 100 bytes
     * @param handler answers a request or batch, null if none is due
     * @throws IOException if the path is taken, too long or not to be written
     */
    public RpcSocket(Path path, Function<JsonValue, @Nullable JsonValue> handler) throws IOException {
        this.path = path;
        this.handler = handler;
        selector = Selector.open();
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            sweep(path);
            server.bind(UnixDomainSocketAddress.of(path));
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            server.close();
            selector.close();
            throw new IOException("socket " + path + ": " + e.getMessage(), e);
        }
    }

    /** Takes away the socket of a process that has died; one that somebody serves stays, and binding fails. */
    private static void sweep(Path path) throws IOException {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                && Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                        .isOther()) {
            try (SocketChannel other = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
                throw new IOException("somebody serves it" + (other.isOpen() ? "" : " no more"));
            } catch (ConnectException nobody) {
                Files.delete(path);
            }
        } else if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("exists and is no socket");
        }
    }

    /** Serves until told to stop, which it asks ten times a second and behind each request. */
    public void serve(BooleanSupplier stopped) throws IOException {
        while (!stopped.getAsBoolean()) {
            selector.select(LOOK_MS);
            Iterator<SelectionKey> ready = selector.selectedKeys().iterator();
            while (ready.hasNext()) {
                SelectionKey key = ready.next();
                ready.remove();
                if (key.isValid() && key.isAcceptable()) {
                    accept();
                } else if (key.isValid() && key.attachment() instanceof RpcConnection c) {
                    c.ready(stopped);
                }
            }
        }
    }

    private void accept() throws IOException {
        SocketChannel channel = server.accept();
        if (channel == null) {
            return;
        }
        if (selector.keys().size() > MOST_CONNECTIONS) {
            channel.close();
            return;
        }
        channel.configureBlocking(false);
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        key.attach(new RpcConnection(key, channel, handler));
    }

    @Override
    public void close() throws IOException {
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
        Files.deleteIfExists(path);
    }
}
