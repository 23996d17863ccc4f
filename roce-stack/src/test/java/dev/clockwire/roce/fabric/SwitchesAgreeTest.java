package dev.clockwire.roce.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.bridge.BufferSpec;
import dev.clockwire.roce.fabric.bridge.FabricSwitch;
import dev.clockwire.roce.fabric.bridge.PortSpec;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * The switch of a lab and the switch of a fabric give the same frames the same times wherever both can: one class, a buffer that is never full,
 * frames that are stored, or that cut through and meet an idle port.
 */
class SwitchesAgreeTest {
    private static final int HOSTS = 4;

    /** What is sent: {from, to, payload, time in ps}. */
    private record Sent(int from, int to, int payload, long ps) {}

    /** A set-up: rates of the lines in kbit/s, latency of the switch. */
    private record Case(boolean cutThrough, long latency, List<Long> kbps, List<Sent> frames) {}

    private static Case random(Random r, boolean cutThrough) {
        List<Long> kbps = new ArrayList<>();
        for (int i = 0; i < HOSTS; i++) {
            kbps.add(List.of(25_000_000L, 100_000_000L, 200_000_000L, 400_000_000L)
                    .get(r.nextInt(4)));
        }
        List<Sent> frames = new ArrayList<>();
        long ps = 1;
        for (int i = 0; i < 300; i++) {
            // frames 4 KiB long take 1.4 us at 25 Gb/s: those that shall cut through never meet
            ps += cutThrough ? 5_000_000 + r.nextInt(1000) : r.nextInt(r.nextInt(4) == 0 ? 2_000_000 : 200_000);
            int from = r.nextInt(HOSTS);
            int to = r.nextInt(HOSTS + 1); // the last is nowhere
            frames.add(new Sent(from, to, r.nextInt(4097), ps));
        }
        return new Case(cutThrough, 1 + r.nextInt(600_000), kbps, frames);
    }

    /** A host: sends at given times, and writes down what comes. */
    private static final class Host extends SimNode {
        final EventPort command;

        Host(Sim sim, int number, LinkEnd end, List<String> seen) {
            super(sim.root(), "host" + number);
            end.attach(new EventPort(this, "line") {
                @Override
                protected void event(int kind, long first, long last, @Nullable Token token) {
                    if (token instanceof RocePacket packet) {
                        seen.add(packet.psn + " at " + number + ": " + first + " to " + last);
                    }
                }
            });
            command = new EventPort(this, "command") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    if (token instanceof RocePacket packet) {
                        end.transmit(now(), packet);
                    }
                }
            };
        }
    }

    private static List<String> run(Case c, boolean fabric) {
        Sim sim = new Sim(SimSpec.of(1).withWatchdogPs(0));
        List<String> seen = new ArrayList<>();
        Switch lab = fabric ? null : new Switch(sim.root(), "switch", new SwitchSpec(c.latency, c.cutThrough));
        BridgeSpec spec = BridgeSpec.of(BufferSpec.of(1L << 30)).withLatency(c.latency, c.cutThrough);
        FabricSwitch bridge = new FabricSwitch(
                sim.root(), "bridge", spec, (mac, hash) -> mac < HOSTS ? (int) mac : -1, new Pool<>(PauseFrame::new));
        List<Host> hosts = new ArrayList<>();
        for (int i = 0; i < HOSTS; i++) {
            LinkSpec line = new LinkSpec(c.kbps.get(i), 50_000, 0, Framing.ETHERNET, false);
            Link link = new Link(sim.root(), "l" + i, line.withAtFirstBit(c.cutThrough), line, FaultPlan.NONE);
            hosts.add(new Host(sim, i, link.a(), seen));
            if (lab != null) {
                lab.attach(link.b(), i);
            } else {
                bridge.attach(link.b(), PortSpec.of(0, 0));
            }
        }
        bridge.close();
        sim.elaborate();
        int psn = 0;
        for (Sent sent : c.frames) {
            RocePacket packet = new RocePacket();
            packet.opcode = Opcode.RC_RDMA_WRITE_MIDDLE.code();
            packet.psn = psn++;
            packet.flow.dstMac = sent.to;
            packet.setPayloadLength(sent.payload);
            hosts.get(sent.from).command.send(sent.ps, 0, 0, 0, packet);
        }
        sim.run(10_000_000_000_000L);
        if (lab == null) {
            seen.add("unknown " + bridge.unknown());
        } else {
            seen.add("unknown " + c.frames.stream().filter(f -> f.to == HOSTS).count());
        }
        return seen;
    }

    @RepeatedTest(20)
    void storedFramesHaveTheSameTimes(RepetitionInfo nth) {
        Case c = random(new Random(nth.getCurrentRepetition()), false);
        List<String> fabric = run(c, true);
        assertThat(fabric).hasSizeGreaterThan(200).isEqualTo(run(c, false));
    }

    @RepeatedTest(10)
    void framesThatCutThroughIdlePortsToo(RepetitionInfo nth) {
        Case c = random(new Random(100 + nth.getCurrentRepetition()), true);
        List<String> fabric = run(c, true);
        assertThat(fabric).hasSizeGreaterThan(200).isEqualTo(run(c, false));
    }
}
