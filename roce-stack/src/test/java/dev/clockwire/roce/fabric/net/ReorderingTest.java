package dev.clockwire.roce.fabric.net;

import static dev.clockwire.roce.fabric.net.Fabrics.KBPS;
import static dev.clockwire.roce.fabric.net.Fabrics.MS;
import static dev.clockwire.roce.fabric.net.Fabrics.US;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.Link;
import dev.clockwire.roce.fabric.LinkSpec;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.bridge.BufferSpec;
import dev.clockwire.roce.fabric.bridge.FabricSwitch;
import dev.clockwire.roce.fabric.bridge.PauseSpec;
import dev.clockwire.roce.fabric.bridge.PortSpec;
import dev.clockwire.roce.fabric.bridge.Routes;
import dev.clockwire.roce.fabric.host.FlowSpec;
import dev.clockwire.roce.fabric.host.LightFrame;
import dev.clockwire.roce.fabric.host.LightHost;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.roce.fabric.host.SendFlow;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Pool;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Packets of one flow that go two ways of different length and come in another order: nothing is lost, much comes too early. */
class ReorderingTest {
    private static final long BYTES = 4_000_000;

    /** Two switches with two cables between them; who goes which way is drawn, or everybody goes the first. */
    private static final class Detour {
        final Sim sim = new Sim(SimSpec.of(1).withWatchdogPs(0));
        final SendFlow flow;
        final FabricSwitch left;

        Detour(LightSpec light, long detourPs, double share) {
            Random random = new Random(5);
            Pool<LightFrame> frames = new Pool<>(LightFrame::new);
            Pool<PauseFrame> pauses = new Pool<>(PauseFrame::new);
            left = bridge(
                    "left", pauses, (mac, hash) -> mac == LightFrame.mac(0) ? 0 : random.nextDouble() < share ? 2 : 1);
            FabricSwitch right = bridge("right", pauses, (mac, hash) -> mac == LightFrame.mac(1) ? 0 : 1);
            Link a = cable("a", US);
            Link b = cable("b", US);
            LightHost from = new LightHost(sim.root(), "from", 0, light, a.a(), true, frames, pauses);
            LightHost to = new LightHost(sim.root(), "to", 1, light, b.a(), true, frames, pauses);
            left.attach(a.b(), PortSpec.of(100_000, 0));
            right.attach(b.b(), PortSpec.of(100_000, 0));
            for (long delay : new long[] {US, US + detourPs}) {
                Link way = cable("way" + delay, delay);
                left.attach(way.a(), PortSpec.of(100_000, 0));
                right.attach(way.b(), PortSpec.of(100_000, 0));
            }
            left.close();
            right.close();
            flow = LightHost.join(new FlowSpec("f", 0, 1, BYTES, 0, -1), from, to);
            sim.elaborate();
            from.schedule();
            sim.run(100 * MS);
        }

        private FabricSwitch bridge(String name, Pool<PauseFrame> pauses, Routes routes) {
            BridgeSpec spec = BridgeSpec.of(BufferSpec.of(8 << 20)).withPause(PauseSpec.ofClass(3));
            return new FabricSwitch(sim.root(), name, spec, routes, pauses);
        }

        private Link cable(String name, long delay) {
            return new Link(sim.root(), name, new LinkSpec(KBPS, delay, 0, Framing.ETHERNET, false));
        }
    }

    private static LightSpec light(LightSpec.Repeat repeat) {
        return LightSpec.roce(KBPS * 1000).withRules(null).withRepeat(repeat, 0, 500 * US, 7);
    }

    /**
     * Selective repeat asks for what is only late, gets it twice, and goes on; its receiver keeps what came early, so the flow takes little more than
     * the time of its bits. Go-back-N throws away whatever came early.
     */
    @ParameterizedTest
    @CsvSource({"0.3, 1", "0.5, 2", "0.5, 4", "0.05, 2"})
    void selectiveRepeatBearsReorderingAndGoBackNDoesNot(double share, long detourUs) {
        Detour straight = new Detour(light(LightSpec.Repeat.SELECTIVE), detourUs * US, 0);
        assertThat(straight.flow.naks()).isZero();
        Detour selective = new Detour(light(LightSpec.Repeat.SELECTIVE), detourUs * US, share);
        Detour back = new Detour(light(LightSpec.Repeat.GO_BACK_N), detourUs * US, share);
        assertThat(selective.flow.done()).isTrue();
        assertThat(selective.flow.acknowledgedBytes()).isEqualTo(BYTES);
        assertThat(selective.flow.naks()).as("gaps are told").isPositive();
        assertThat(selective.flow.timeouts()).isZero();
        assertThat(selective.flow.packetsSent() - selective.flow.retransmissions())
                .as("each packet once, and some again")
                .isEqualTo((BYTES + 1023) / 1024);
        double slower = (double) selective.flow.completionPs() / straight.flow.completionPs();
        double muchSlower =
                (double) (back.flow.done() ? back.flow.completionPs() : 100 * MS) / straight.flow.completionPs();
        assertThat(slower).isLessThan(2.1); // at most each packet twice
        assertThat(muchSlower).isGreaterThan(slower);
        assertThat(back.flow.retransmissions()).isGreaterThan(selective.flow.retransmissions());
    }
}
