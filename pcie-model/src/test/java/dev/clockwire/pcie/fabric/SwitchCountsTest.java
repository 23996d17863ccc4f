package dev.clockwire.pcie.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.link.FlowCredits;
import dev.clockwire.pcie.link.LinkDirection;
import dev.clockwire.pcie.link.LinkEnd;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a switch says of its work: packets passed on, refused and waiting. */
class SwitchCountsTest {
    private static final PcieLinkSpec LINK = PcieLinkSpec.of(4, 8);
    /** A switch whose buffers are counted, those for completions too. */
    private static final PcieLinkSpec COUNTED =
            LINK.withCredits(FlowCredits.INFINITE, new FlowCredits(8, 64, 8, 64, 8, 64));

    private static final PcieSwitchSpec STORE = new PcieSwitchSpec(90_000, false);
    private static final SimSpec SPEC = SimSpec.of(1);

    @Test
    void everyPacketIsCountedOnceAndPeersBesides() {
        FabricRig rig = new FabricRig(SPEC, STORE, LINK, LINK, LINK);
        rig.devices.get(0).write(1_000, rig.window(1), new byte[64]);
        DmaRead peer = rig.devices.get(0).read(2_000, rig.window(1), 8); // a request and its answer
        rig.devices.get(0).write(3_000, rig.memory.address(), new byte[600]); // three packets
        rig.sim.run(5_000_000);
        assertThat(peer.status).isEqualTo(CompletionStatus.SC);
        assertThat(rig.sim.stats().value("switch0.forwarded")).isEqualTo(6);
        assertThat(rig.sim.stats().value("switch0.peer")).isEqualTo(3);
        assertThat(rig.sim.stats().value("switch0.unsupported_requests")).isZero();
        assertThat(rig.sim.stats().value("switch0.unexpected_completions")).isZero();
    }

    /** Two devices fill one link: each packet passed on has left, is with the link, or waits for its turn. */
    @Test
    void whatHasNotLeftWaits() {
        FabricRig rig = new FabricRig(SPEC, STORE, LINK, LINK, LINK);
        for (int d = 0; d < 2; d++) {
            rig.devices.get(d).write(1, rig.memory.address() + 16_384L * d, new byte[16_384]);
        }
        long most = 0;
        for (long at = 200_000; at < 1_500_000; at += 50_000) {
            rig.sim.run(at);
            long left = rig.fabric.transmitter().packets();
            long inside = rig.fabric.forwarded() - left;
            assertThat((long) rig.fabric.waiting(0)).isEqualTo(Math.max(0, inside - 1));
            assertThat(rig.fabric.waiting(1) + rig.fabric.waiting(2)).isZero();
            most = Math.max(most, inside);
        }
        assertThat(most).isGreaterThan(10);
        rig.sim.run(20_000_000);
        assertThat(rig.fabric.forwarded()).isEqualTo(128);
        assertThat(rig.fabric.waiting(0)).isZero();
    }

    @Test
    void aCompletionForNoDeviceIsDroppedAndItsCreditsComeBack() {
        Sim sim = new Sim(SPEC);
        PcieSwitch fabric = new PcieSwitch(sim.root(), "switch0", STORE, COUNTED, 0x100);
        fabric.attach(new FabricRig.Device(sim, 0, LINK).endpoint);
        Root root = new Root(sim.root());
        LinkEnd.join(root, fabric);
        fabric.connected(root.down);
        TlpTrain lost = new TlpTrain().completions(0, 64, 256, 0, 0x900, 3);
        lost.data.appendZeros(64);
        root.orders.send(1, 0, 0, 0, lost);
        sim.run(100_000);
        assertThat(root.down.headersInUse(FlowClass.COMPLETION)).isEqualTo(1);
        assertThat(root.down.dataInUse(FlowClass.COMPLETION)).isEqualTo(4);
        sim.run(1_000_000);
        assertThat(fabric.unexpectedCompletions()).isEqualTo(1);
        assertThat(sim.stats().value("switch0.unexpected_completions")).isEqualTo(1);
        assertThat(fabric.forwarded() + fabric.unsupportedRequests()).isZero();
        assertThat(root.down.packets()).isEqualTo(1);
        assertThat(root.down.headersInUse(FlowClass.COMPLETION)).isZero();
        assertThat(root.down.dataInUse(FlowClass.COMPLETION)).isZero();
    }

    @Test
    void theLatencyHasARange() {
        assertThat(new PcieSwitchSpec(1, false).forwardPs()).isEqualTo(1);
        assertThat(new PcieSwitchSpec(1_000_000_000, false).forwardPs()).isEqualTo(1_000_000_000);
        for (long wrong : new long[] {-1, 0, 1_000_000_001}) {
            assertThatThrownBy(() -> new PcieSwitchSpec(wrong, false))
                    .hasMessageContaining("forwarding latency " + wrong + " ps is not in 1..1000000000");
        }
    }

    /** A root port that only sends what it is told. */
    private static final class Root extends SimNode implements LinkEnd {
        final LinkDirection down = new LinkDirection(this, "down", COUNTED, false);
        final EventPort orders = new EventPort(this, "orders") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (token instanceof TlpTrain t) {
                    down.submit(t);
                }
            }
        };
        private final EventPort arrivals = new EventPort(this, "arrivals") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {}
        };

        Root(Scope parent) {
            super(parent, "root");
        }

        @Override
        public EventPort arrivals() {
            return arrivals;
        }

        @Override
        public LinkDirection transmitter() {
            return down;
        }
    }
}
