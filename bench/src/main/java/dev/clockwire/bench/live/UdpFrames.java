package dev.clockwire.bench.live;

import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/**
 * One Ethernet frame per UDP datagram, on the loopback interface only. The peer's socket buffer is small (QEMU takes some 90 frames of
 * 1 KiB at once), and what does not fit is lost without notice: after each burst the sender waits for the peer to take it.
 */
final class UdpFrames implements FramePort {
    private static final int BURST_BYTES = 32 << 10;
    private static final long BURST_PAUSE_MILLIS = 2;
    private static final int RECEIVE_BUFFER = 4 << 20;

    private final DatagramChannel channel;
    private final Selector selector;
    private final InetSocketAddress peer;
    private int burst;

    private UdpFrames(DatagramChannel channel, Selector selector, InetSocketAddress peer) {
        this.channel = channel;
        this.selector = selector;
        this.peer = peer;
    }

    /**
     * Opens the socket.
     *
     * @param listen local port, 1 to 65535
     * @param peer the other side's port
     * @throws ConfigurationException if the port cannot be had
     */
    static UdpFrames open(int listen, int peer) {
        InetAddress local = InetAddress.getLoopbackAddress();
        try {
            DatagramChannel channel = DatagramChannel.open();
            channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER);
            channel.bind(new InetSocketAddress(local, listen));
            channel.configureBlocking(false);
            Selector selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
            return new UdpFrames(channel, selector, new InetSocketAddress(local, peer));
        } catch (IOException e) {
            throw new ConfigurationException("--listen " + listen + ": the port is not free (" + e.getMessage() + ")");
        }
    }

    @Override
    public boolean receive(ByteBuffer into, long millis) throws IOException {
        into.clear();
        if (take(into)) {
            return true;
        }
        burst = 0;
        if (millis > 0 && selector.select(millis) > 0) {
            selector.selectedKeys().clear();
            return take(into);
        }
        return false;
    }

    private boolean take(ByteBuffer into) throws IOException {
        try {
            if (channel.receive(into) == null) {
                return false;
            }
        } catch (PortUnreachableException e) {
            return false; // the peer is not there yet, or no longer
        }
        into.flip();
        return true;
    }

    @Override
    public void send(ByteBuffer frame) throws IOException {
        burst += frame.remaining();
        if (burst > BURST_BYTES) {
            burst = 0;
            pause();
        }
        try {
            channel.send(frame, peer);
        } catch (PortUnreachableException e) {
            return; // as on a cable that nobody holds
        }
    }

    private static void pause() {
        try {
            Thread.sleep(BURST_PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }
}
