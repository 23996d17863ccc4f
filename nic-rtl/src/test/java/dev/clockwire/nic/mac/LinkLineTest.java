package dev.clockwire.nic.mac;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.ether.EthFrame;
import dev.clockwire.roce.fabric.Link;
import dev.clockwire.roce.fabric.LinkSpec;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A MAC's line is its end of the link: times and counts by the closed forms of an 80 Gb/s Ethernet, 100 ps a byte. */
class LinkLineTest {
    private static final long BYTE_PS = 100;
    private static final long FLIGHT_PS = 30_000 + 700;
    private static final int GAP_BYTES = 12;
    private static final int FRAMING_BYTES = 24;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final Link link = new Link(sim.root(), "link", LinkSpec.ethernet(80, 30_000, 700));
    private final LinkLine line = new LinkLine(link.a());
    private final List<Long> arrivals = new ArrayList<>();

    LinkLineTest() {
        link.b().attach(new EventPort(new SimNode(sim.root(), "far") {}, "in") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                arrivals.add(now());
            }
        });
        sim.elaborate();
    }

    private static EthFrame frame(int bytes) {
        EthFrame frame = new EthFrame();
        frame.resize(bytes);
        frame.seal();
        return frame;
    }

    @Test
    void aFrameStartsWhenItMayAndArrivesAfterItsBitsAndTheFlight() {
        long first = line.send(5_000, frame(200));
        assertThat(first).isEqualTo(5_000);
        long last = 5_000 + (200 + FRAMING_BYTES - GAP_BYTES) * BYTE_PS;
        assertThat(line.arrival()).isEqualTo(last + FLIGHT_PS);
        sim.run(1_000_000);
        assertThat(arrivals).containsExactly(line.arrival());
    }

    @Test
    void theNextOneWaitsForTheFrameAndItsGap() {
        line.send(5_000, frame(200));
        assertThat(line.send(5_001, frame(60))).isEqualTo(5_000 + (200 + FRAMING_BYTES) * BYTE_PS);
    }

    /** Addresses and type are no payload; the shortest frame counts its padding as line time. */
    @Test
    void theLinkCountsLineTimeAndPayload() {
        line.send(1, frame(200));
        assertThat(link.a().framesSent()).isEqualTo(1);
        assertThat(link.a().lineBytesSent()).isEqualTo(224);
        assertThat(link.a().payloadBytesSent()).isEqualTo(200 - 14);
        line.send(1, frame(10));
        assertThat(link.a().lineBytesSent()).isEqualTo(224 + 84);
        assertThat(link.a().payloadBytesSent()).isEqualTo(186 + 46);
    }

    @Test
    void aRocePacketToo() {
        RocePacket p = new RocePacket();
        p.opcode = Opcode.RC_SEND_ONLY.code();
        p.flow.setIpv4(1, 2);
        p.setPayloadLength(100);
        assertThat(line.send(7_000, p)).isEqualTo(7_000);
        assertThat(link.a().payloadBytesSent()).isEqualTo(100);
        assertThat(line.arrival()).isEqualTo(7_000 + (100 + 82 - GAP_BYTES) * BYTE_PS + FLIGHT_PS);
    }
}
