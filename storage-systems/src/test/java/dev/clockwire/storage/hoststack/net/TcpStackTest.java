package dev.clockwire.storage.hoststack.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.driver.EthernetSpec;
import dev.clockwire.nic.driver.NicEthernet;
import dev.clockwire.nic.ether.FlowRule;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.hoststack.kernel.KernelCore;
import dev.clockwire.storage.hoststack.kernel.KernelCosts;
import dev.clockwire.storage.hoststack.kernel.KernelTask;
import dev.clockwire.storage.hoststack.tcp.TcpConnection;
import dev.clockwire.storage.hoststack.tcp.TcpFlow;
import dev.clockwire.storage.hoststack.tcp.TcpSegment;
import dev.clockwire.storage.hoststack.tcp.TcpSpec;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that nobody can use, connections that nobody wants, and more frames than the ring has room for. */
class TcpStackTest {
    private static final int PORT = 4420;
    private static final long MS = 1_000_000_000L;
    private static final Profile PROFILE = Profiles.named("cx7-400g")
            .with("nic.eth.queues", "2")
            .with("nic.eth.checksums", "true")
            .with("host.cpu.interrupt_ns", "0");

    private final Lab lab = Lab.twoHosts(PROFILE, LabSpec.of(1), (sim, a, b) -> {});

    /** A kernel with its network, and what it has been told. */
    private final class End implements TcpStack.Accepted {
        final LabHost host;
        final KernelCore kernel;
        final NicEthernet nic;
        final TcpStack net;
        final ByteArrayOutputStream got = new ByteArrayOutputStream();
        private @Nullable TcpConnection connection;
        private byte[] toSend = {};
        private int written;
        boolean connected;
        String failure = "";

        End(LabHost host, int logSends, int mtu, boolean offload) {
            this.host = host;
            kernel = new KernelCore(host.host(), host.core(), KernelCosts.of(PROFILE));
            TcpStack[] heard = new TcpStack[1];
            nic = lab.await(host.openEthernet(new EthernetSpec(2, logSends, 10, mtu), q -> {
                if (heard[0] != null && q == TcpStack.RECEIVE) {
                    heard[0].interrupted();
                }
            }));
            nic.checksums(offload, offload);
            lab.await(nic.addRule(FlowRule.parse("flow-type tcp4 action " + TcpStack.RECEIVE + " loc 0")));
            TcpSpec tcp = TcpSpec.linux().withMtu(mtu);
            net = new TcpStack(kernel, nic, tcp, 1 << logSends, offload, host.mac(), host.ipv4());
            heard[0] = net;
            kernel.start();
            nic.arm(TcpStack.RECEIVE);
        }

        void does(Runnable what) {
            kernel.launch(new KernelTask("test") {
                @Override
                protected boolean run() {
                    what.run();
                    return false;
                }
            });
        }

        /** Sends a frame that is none of the stack's. */
        void sends(byte[] frame, int length) {
            long at = host.host()
                    .memory()
                    .allocate("raw", length, Allocation.Kind.REAL, 64)
                    .address();
            host.host().memory().putBytes(at, frame, 0, length);
            does(() -> {
                nic.send(TcpStack.SEND, at, length);
                nic.ring(TcpStack.SEND);
            });
        }

        void connect(End to, byte[] stream) {
            toSend = stream;
            does(() -> connection = net.connect(to.host.mac(), to.host.ipv4(), PORT, this));
        }

        @Override
        public void accepted(TcpConnection taken) {
            connection = taken;
        }

        @Override
        public void connected() {
            connected = true;
            writable();
        }

        @Override
        public void writable() {
            TcpConnection c = connection;
            if (c != null && connected && written < toSend.length) {
                int n = Math.min(c.space(), toSend.length - written);
                c.write(toSend, written, n);
                written += n;
                c.push(kernel.now());
            }
        }

        @Override
        public void readable() {
            TcpConnection c = connection;
            while (c != null && c.readable() > 0) {
                byte[] b = new byte[c.readable()];
                c.read(b, 0, b.length);
                got.writeBytes(b);
            }
        }

        @Override
        public void failed(String why) {
            failure = why;
        }
    }

    private End usual(LabHost host) {
        return new End(host, 10, 1500, true);
    }

    private void runFor(long ps) {
        lab.sim().run(lab.sim().now() + ps);
    }

    /** Two and four frames of room, while a window is dozens: what waits goes out in its order as the ring gets empty, and nothing is sent twice. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10})
    void whatTheRingHasNoRoomForWaits(int logSends) {
        End a = new End(lab.a(), logSends, 1500, true);
        End b = usual(lab.b());
        b.net.listen(PORT, flow -> b);
        byte[] stream = new byte[300_000];
        for (int i = 0; i < stream.length; i++) {
            stream[i] = (byte) (i * 31 + (i >> 8));
        }
        a.connect(b, stream);
        lab.sim().runUntil(() -> b.got.size() >= stream.length, lab.sim().now() + 100 * MS);
        assertThat(b.got.size()).isEqualTo(stream.length);
        assertThat(Arrays.equals(b.got.toByteArray(), stream)).isTrue();
        assertThat(a.net.connections())
                .singleElement()
                .extracting(TcpConnection::resent)
                .isEqualTo(0L);
    }

    @Test
    void whoListensMayRefuse() {
        End a = usual(lab.a());
        End b = usual(lab.b());
        TcpFlow[] asked = new TcpFlow[1];
        b.net.listen(PORT, flow -> {
            asked[0] = flow;
            return null;
        });
        a.connect(b, new byte[0]);
        runFor(MS);
        assertThat(asked[0].peerIp()).isEqualTo(lab.a().ipv4());
        assertThat(a.failure).isEqualTo("connection refused");
        assertThat(b.net.unwanted()).isEqualTo(1);
        assertThat(b.net.connections()).isEmpty();
    }

    /** The reset of nobody's connection is not answered, or two hosts would answer each other for ever (RFC 9293, 3.10.7.1); nor is what is for another host. */
    @ParameterizedTest
    @CsvSource({"RST, 0, 0", "ACK, 0, 1", "SYN, 1, 0"})
    void whatBelongsToNobodyIsAnsweredOnlyIfItIsForThisHostAndNoReset(String what, int otherIp, int answers) {
        End a = usual(lab.a());
        End b = usual(lab.b());
        b.net.listen(PORT, flow -> b);
        TcpSegment s = new TcpSegment()
                .flow(new TcpFlow(
                        lab.a().mac(), lab.b().mac(), lab.a().ipv4(), lab.b().ipv4() + otherIp, 40_000, PORT));
        s.flags = what.equals("RST") ? TcpSegment.RST : what.equals("ACK") ? TcpSegment.ACK : TcpSegment.SYN;
        byte[] frame = new byte[TcpSegment.HEADER_BYTES];
        a.sends(frame, s.write(frame, 0, false));
        runFor(MS);
        assertThat(b.net.unwanted()).isEqualTo(1);
        assertThat(b.net.connections()).isEmpty();
        assertThat(a.net.unwanted()).as("answers").isEqualTo(answers);
    }

    /** Frames whose checksums are wrong, seen by the device or by software: they are dropped, and counted, and nobody answers. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFrameWithWrongChecksumsIsDropped(boolean offload) {
        End a = usual(lab.a());
        a.nic.checksums(false, true); // the stack leaves them blank, and the device does not make them
        End b = new End(lab.b(), 10, 1500, offload);
        b.net.listen(PORT, flow -> b);
        a.connect(b, new byte[0]);
        runFor(MS);
        assertThat(b.net.bad()).isEqualTo(1);
        assertThat(b.net.unwanted()).isZero();
        assertThat(b.net.connections()).isEmpty();
        assertThat(a.connected).isFalse();
        assertThat(a.failure).isEmpty();
    }
}
