package dev.clockwire.bench.live;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class UdpFramesTest {
    private static int freePort() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            return socket.getLocalPort();
        }
    }

    @Test
    void carriesWholeFramesBothWays() throws IOException {
        int a = freePort();
        int b = freePort();
        try (UdpFrames left = UdpFrames.open(a, b);
                UdpFrames right = UdpFrames.open(b, a)) {
            ByteBuffer in = ByteBuffer.allocate(FramePort.MAX_FRAME);
            assertFalse(right.receive(in, 0), "nothing was sent");
            byte[] jumbo = new byte[9018];
            Arrays.fill(jumbo, (byte) 0x5A);
            left.send(ByteBuffer.wrap(jumbo));
            assertTrue(right.receive(in, 2000));
            byte[] got = new byte[in.limit()];
            in.get(0, got);
            assertArrayEquals(jumbo, got);
            right.send(ByteBuffer.wrap(new byte[60]));
            assertTrue(left.receive(in, 2000));
            assertEquals(60, in.limit());
        }
    }

    @Test
    void sendsIntoTheVoidInSilence() throws IOException {
        try (UdpFrames alone = UdpFrames.open(freePort(), freePort())) {
            ByteBuffer in = ByteBuffer.allocate(FramePort.MAX_FRAME);
            for (int i = 0; i < 100; i++) {
                alone.send(ByteBuffer.wrap(new byte[1000]));
                assertFalse(alone.receive(in, 0));
            }
        }
    }

    @Test
    void namesAPortThatIsTaken() throws IOException {
        try (DatagramSocket taken = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            int port = taken.getLocalPort();
            ConfigurationException e = assertThrows(
                    ConfigurationException.class, () -> UdpFrames.open(port, 1).close());
            assertTrue(String.valueOf(e.getMessage()).contains("--listen " + port), e::toString);
        }
    }
}
