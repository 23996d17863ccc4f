package dev.clockwire.roce.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SwitchTest {
    private static final LinkSpec G100 = LinkSpec.ethernet(100, 5_000, 1);
    private static final LinkSpec G400 = LinkSpec.ethernet(400, 5_000, 1);
    private static final long FLIGHT = 5_001;
    private static final long LATENCY = 300_000;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final List<String> seen = new ArrayList<>();
    private final List<Host> hosts = new ArrayList<>();

    /** A host that sends on command and notes which PSN came when. */
    private final class Host extends SimNode {
        final EventPort command;

        Host(int number, LinkSpec toSwitch, LinkSpec line, Switch hop) {
            super(sim.root(), "h" + number);
            Link link = new Link(sim.root(), "l" + number, toSwitch, line, FaultPlan.NONE);
            hop.attach(link.b(), number);
            link.a().attach(new EventPort(this, "in") {
                @Override
                protected void event(int kind, long first, long last, @Nullable Token token) {
                    assertThat(now()).isEqualTo(last);
                    seen.add("h" + number + " " + ((RocePacket) Objects.requireNonNull(token)).psn + " at " + last);
                }
            });
            command = new EventPort(this, "command") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    link.a().transmit(now(), (RocePacket) Objects.requireNonNull(token));
                }
            };
        }

        void send(long ps, int to, int psn, int payload) {
            RocePacket packet = new RocePacket();
            packet.opcode = Opcode.RC_RDMA_WRITE_MIDDLE.code();
            packet.psn = psn;
            packet.flow.dstMac = to;
            packet.setPayloadLength(payload);
            command.send(ps, 0, 0, 0, packet);
        }
    }

    private Switch build(boolean cutThrough, LinkSpec... lines) {
        Switch hop = new Switch(sim.root(), "switch", new SwitchSpec(LATENCY, cutThrough));
        for (int i = 0; i < lines.length; i++) {
            hosts.add(new Host(i + 1, lines[i].withAtFirstBit(cutThrough), lines[i], hop));
        }
        sim.elaborate();
        return hop;
    }

    private static long line(LinkSpec spec, int payload) {
        RocePacket packet = new RocePacket();
        packet.opcode = Opcode.RC_RDMA_WRITE_MIDDLE.code();
        packet.setPayloadLength(payload);
        // the gap between frames is behind the last bit
        return spec.linePs(spec.framing().lineBytes(packet) - 12);
    }

    @Test
    void aStoredFramePaysItsLineTimeOnBothLines() {
        build(false, G100, G400);
        hosts.get(0).send(1000, 2, 7, 1024);
        sim.run(10_000_000);
        long there = 1000 + line(G100, 1024) + FLIGHT + LATENCY + line(G400, 1024) + FLIGHT;
        assertThat(seen).containsExactly("h2 7 at " + there);
    }

    @Test
    void aFrameThatIsCutThroughPaysItOnce() {
        build(true, G100, G100);
        hosts.get(0).send(1000, 2, 7, 1024);
        sim.run(10_000_000);
        long there = 1000 + FLIGHT + LATENCY + line(G100, 1024) + FLIGHT;
        assertThat(seen).containsExactly("h2 7 at " + there);
    }

    @Test
    void ontoAFasterLineAFrameIsStoredAlthoughTheSwitchCutsThrough() {
        build(true, G100, G400);
        hosts.get(0).send(1000, 2, 7, 1024);
        sim.run(10_000_000);
        long there = 1000 + line(G100, 1024) + FLIGHT + LATENCY + line(G400, 1024) + FLIGHT;
        assertThat(seen).containsExactly("h2 7 at " + there);
    }

    @Test
    void framesOfTwoHostsForOneQueueBehindEachOtherInTheOrderOfTheirArrival() {
        Switch hop = build(false, G100, G100, G100);
        hosts.get(0).send(1000, 3, 1, 1024);
        hosts.get(1).send(1001, 3, 2, 64);
        hosts.get(1).send(1002, 1, 3, 64);
        hosts.get(1).send(1003, 9, 4, 64);
        sim.run(10_000_000);
        long small = 1001 + line(G100, 64) + 2 * FLIGHT + LATENCY + line(G100, 64);
        long large = 1000 + line(G100, 1024) + 2 * FLIGHT + LATENCY + line(G100, 1024);
        assertThat(seen).hasSize(3).contains("h3 2 at " + small, "h3 1 at " + large);
        assertThat(seen).anyMatch(s -> s.startsWith("h1 3"));
        assertThat(hop.forwarded()).isEqualTo(3);
    }

    @Test
    void anAddressIsAtOnePortOnlyAndALatencyIsPositive() {
        assertThatThrownBy(() -> new SwitchSpec(0, false))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("1..");
        Switch hop = new Switch(sim.root(), "switch", new SwitchSpec(1, false));
        hop.attach(new Link(sim.root(), "x", G100).a(), 5);
        assertThatThrownBy(() -> hop.attach(new Link(sim.root(), "y", G100).a(), 5))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("5 is at another port");
    }
}
