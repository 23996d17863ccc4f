package dev.clockwire.roce.fabric.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.Link;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.fabric.LinkSpec;
import dev.clockwire.roce.wire.Frame;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One switch with two stations that send what the test says, when it says so. */
class FabricSwitchTest {
    private static final long KBPS = 100_000_000;
    private static final long US = 1_000_000;
    private static final long MS = 1_000_000_000;
    private static final long FLIGHT = 1000;

    /** A station: frames leave at given times; what comes is noted. */
    private static final class Station extends SimNode {
        final EventPort later;
        final List<Token> came = new ArrayList<>();
        final List<Long> at = new ArrayList<>();

        Station(Sim sim, String name, LinkEnd end) {
            super(sim.root(), name);
            end.attach(new EventPort(this, "line") {
                @Override
                protected void event(int kind, long first, long last, @Nullable Token token) {
                    came.add(token);
                    Station.this.at.add(last);
                }
            });
            later = new EventPort(this, "later") {
                @Override
                protected void event(int kind, long bytes, long b, @Nullable Token token) {
                    if (token instanceof Frame frame) {
                        end.transmit(now(), frame, end.spec().framing().lineBytes(frame.wireBytes()), 0);
                    }
                }
            };
        }

        void send(long at, Frame frame) {
            later.send(at, 0, 0, 0, frame);
        }

        long frames() {
            return came.stream().filter(t -> t instanceof RocePacket).count();
        }

        List<PauseFrame> pauses() {
            return came.stream()
                    .filter(t -> t instanceof PauseFrame)
                    .map(t -> (PauseFrame) t)
                    .toList();
        }
    }

    private final Sim sim = new Sim(SimSpec.of(1).withWatchdogPs(0));

    @SuppressWarnings("NullAway.Init") // by build
    private Station a;

    @SuppressWarnings("NullAway.Init")
    private Station b;

    @SuppressWarnings("NullAway.Init")
    private FabricSwitch sw;

    private void build(BridgeSpec spec, long kbpsA, long kbpsB, PortSpec port) {
        sw = new FabricSwitch(
                sim.root(),
                "switch",
                spec,
                (mac, hash) -> mac == 1 ? 0 : mac == 2 ? 1 : -1,
                new Pool<>(PauseFrame::new));
        LinkSpec lineA = new LinkSpec(kbpsA, FLIGHT, 0, Framing.ETHERNET, false);
        LinkSpec lineB = new LinkSpec(kbpsB, FLIGHT, 0, Framing.ETHERNET, false);
        Link linkA = new Link(sim.root(), "a", lineA.withAtFirstBit(spec.cutThrough()), lineA, FaultPlan.NONE);
        Link linkB = new Link(sim.root(), "b", lineB.withAtFirstBit(spec.cutThrough()), lineB, FaultPlan.NONE);
        a = new Station(sim, "stationA", linkA.a());
        b = new Station(sim, "stationB", linkB.a());
        sw.attach(linkA.b(), port);
        sw.attach(linkB.b(), port);
        sw.close();
        sim.elaborate();
    }

    private static RocePacket packet(long to, int priority, int payload) {
        RocePacket p = new RocePacket();
        p.flow.dstMac = to;
        p.flow.dscp = priority << 3;
        p.flow.ecn = 2;
        p.payloadLength = payload;
        p.opcode = 0x0A; // RDMA WRITE ONLY
        return p;
    }

    private static PauseFrame pause(int priority, int quanta) {
        PauseFrame f = new PauseFrame();
        f.set(priority, quanta);
        return f;
    }

    private static BridgeSpec spec() {
        return BridgeSpec.of(BufferSpec.of(1 << 20));
    }

    @ParameterizedTest
    @CsvSource({"false, 0", "false, 300", "true, 0", "true, 300"})
    void aFrameTakesTheTimeOfItsHops(boolean through, long latencyNs) {
        build(spec().withLatency(latencyNs * 1000, through), KBPS, KBPS, PortSpec.of(0, 0));
        a.send(US, packet(2, 0, 1024));
        sim.run(MS);
        long line = 8L * 80 * (8 + 1024 + 14 + 20 + 8 + 12 + 16 + 4 + 4) / 8; // 80 ps a byte, gap left out
        long expected = US + 2 * FLIGHT + line + latencyNs * 1000 + (through ? 0 : line);
        assertThat(b.at).containsExactly(expected);
    }

    @Test
    void aSlowerLineInFrontOfAFasterIsNeverCutThrough() {
        build(spec().withLatency(0, true), KBPS / 10, KBPS, PortSpec.of(0, 0));
        a.send(US, packet(2, 0, 1024));
        sim.run(MS);
        long bytes = 8 + 1024 + 14 + 20 + 8 + 12 + 16 + 4 + 4;
        assertThat(b.at).containsExactly(US + 2 * FLIGHT + bytes * 800 + bytes * 80);
    }

    @Test
    void aPauseEndsByItselfOrEarly() {
        build(spec(), KBPS, KBPS, PortSpec.of(0, 0));
        b.send(US, pause(3, 1000)); // 5.12 us
        a.send(2 * US, packet(2, 3, 100));
        a.send(2 * US, packet(2, 4, 100));
        sim.run(6 * US);
        assertThat(b.frames()).as("the other class goes on").isEqualTo(1);
        sim.run(8 * US);
        assertThat(b.frames()).as("over by itself").isEqualTo(2);
        b.send(10 * US, pause(3, 65_535));
        a.send(11 * US, packet(2, 3, 100));
        b.send(20 * US, pause(3, 0));
        sim.run(20 * US);
        assertThat(b.frames()).isEqualTo(2);
        sim.run(21 * US);
        assertThat(b.frames()).as("let go").isEqualTo(3);
        assertThat(sw.counters(1).xoffTaken(3)).isEqualTo(2);
        assertThat(sw.counters(1).xonTaken(3)).isEqualTo(1);
        assertThat(sw.pausedPs(1, 3)).isBetween(15_000_000L, 15_300_000L);
    }

    /** Public fault: sonic-mgmt 14123. A lossy class drops and never pauses. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void onlyALosslessClassPauses(int priority) {
        build(spec().withPause(PauseSpec.ofClass(3)), KBPS, KBPS / 100, PortSpec.of(30_000, -3));
        for (int i = 0; i < 4000; i++) {
            a.send(US + i * 100_000L, packet(2, priority, 1024));
        }
        sim.run(MS);
        assertThat(a.pauses().isEmpty()).isEqualTo(priority != 3);
        assertThat(sw.counters(0).dropped(priority)).isPositive(); // the station does not obey
    }

    @Test
    void aLastingPauseIsSaidAgainBeforeItIsOver() {
        BridgeSpec spec = spec().withPause(new PauseSpec(1 << 3, 1000, true, false));
        build(spec, KBPS, KBPS, PortSpec.of(30_000, -3));
        b.send(1000, pause(3, 65_535));
        for (int i = 0; i < 150; i++) {
            a.send(US + i * 100_000L, packet(2, 3, 1024));
        }
        sim.run(50 * US);
        List<PauseFrame> said = a.pauses();
        assertThat(said).hasSizeGreaterThan(8).allMatch(f -> f.of(3) == 1000 && f.classes == 8);
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < a.came.size(); i++) {
            if (a.came.get(i) instanceof PauseFrame) {
                times.add(a.at.get(i));
            }
        }
        assertThat(times.get(2) - times.get(1))
                .as("half of 1000 quanta at 100 Gb/s")
                .isEqualTo(2_560_000);
        sim.run(500 * US); // b's pause is over, the queue drains
        assertThat(a.pauses().get(a.pauses().size() - 1).of(3)).isZero();
        int end = a.pauses().size();
        sim.run(MS);
        assertThat(a.pauses()).as("nothing more to say").hasSize(end);
        assertThat(sw.held(0, 3)).isZero();
    }

    @Test
    void theWholeLinkPausesForAClassToo() {
        BridgeSpec spec = spec().withPause(new PauseSpec(1 << 3, 1000, true, true));
        build(spec, KBPS, KBPS / 100, PortSpec.of(30_000, -3));
        for (int i = 0; i < 300; i++) {
            a.send(US + i * 100_000L, packet(2, 3, 1024));
        }
        sim.run(100 * US);
        assertThat(a.pauses()).isNotEmpty().allMatch(f -> f.wholeLink && f.quanta[0] == 1000);
    }

    /** Public fault: sonic-swss 4581. A storm that turns into XON frames must end; nothing flaps. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true"})
    void aStormIsDetectedAndEnds(boolean drop, boolean turnsIntoXon) {
        build(spec().withWatchdog(new WatchdogSpec(2 * MS, 2 * MS, drop)), KBPS, KBPS, PortSpec.of(0, 0));
        for (int i = 0; i < 100; i++) {
            b.send(1000 + i * 100L * US, pause(3, 65_535)); // 10 ms
            if (turnsIntoXon) {
                b.send(10 * MS + 1000 + i * 100L * US, pause(3, 0));
            }
        }
        for (int i = 0; i < 300; i++) {
            a.send(US + i * 100L * US, packet(2, 3, 1024));
        }
        sim.run(3 * MS);
        assertThat(sw.storms()).isEqualTo(1);
        sim.run(9 * MS);
        long during = b.frames();
        assertThat(sw.counters(0).dropped(3) > 0).isEqualTo(drop);
        assertThat(during == 0).isEqualTo(drop);
        sim.run(40 * MS);
        assertThat(sw.storms()).as("it does not flap").isEqualTo(1);
        assertThat(sw.stormsEnded()).isEqualTo(1);
        assertThat(b.frames()).isGreaterThan(during + 150);
        assertThat(b.frames() + sw.counters(0).dropped(3) + sw.counters(1).dropped(3))
                .isEqualTo(300);
    }

    /** Public fault: sonic-swss 4581, its second half. With all lossless classes stormed the watchdog went on and off 170 times in 20 minutes. */
    @Test
    void stormsOfAllClassesAreDetectedOnceEach() {
        BridgeSpec both = spec().withPause(new PauseSpec(1 << 3 | 1 << 4, 65_535, true, false));
        build(both.withWatchdog(new WatchdogSpec(2 * MS, 2 * MS, true)), KBPS, KBPS, PortSpec.of(0, 0));
        for (int i = 0; i < 300; i++) {
            b.send(1000 + i * 100L * US, pause(3, 65_535)); // 30 ms
            b.send(50_000 + i * 100L * US, pause(4, 65_535));
        }
        for (int i = 0; i < 500; i++) {
            a.send(US + i * 100L * US, packet(2, 3, 1024));
            a.send(2 * US + i * 100L * US, packet(2, 4, 1024));
        }
        sim.run(29 * MS);
        assertThat(sw.storms()).isEqualTo(2);
        assertThat(sw.stormsEnded()).isZero();
        assertThat(b.frames()).isZero();
        sim.run(60 * MS);
        assertThat(sw.storms()).isEqualTo(2);
        assertThat(sw.stormsEnded()).isEqualTo(2);
        assertThat(b.frames() + sw.counters(0).dropped(3) + sw.counters(0).dropped(4))
                .isEqualTo(1000 - sw.counters(1).dropped(3) - sw.counters(1).dropped(4));
    }

    @Test
    void strangersAreCounted() {
        build(spec(), KBPS, KBPS, PortSpec.of(0, 0));
        a.send(US, packet(7, 0, 100));
        sim.run(MS);
        assertThat(sw.unknown()).isEqualTo(1);
        assertThat(b.came).isEmpty();
    }

    /** At enqueue the mark tells of the queue that the frame found; at dequeue of the one that it leaves behind. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void marksTellOfTheQueueThen(boolean atEnqueue) {
        MarkSpec rule = new MarkSpec(5000, 5000, 1, 0, atEnqueue);
        build(spec(), KBPS, KBPS / 10, PortSpec.of(0, 3).withMarks(0, rule));
        for (int i = 0; i < 20; i++) {
            a.send(US + i, packet(2, 0, 954)); // occupies 1032
        }
        RocePacket incapable = packet(2, 0, 954);
        incapable.flow.ecn = 0;
        a.send(US + 21, incapable);
        sim.run(MS);
        List<Boolean> marked =
                b.came.stream().map(t -> ((RocePacket) t).flow.ecn == 3).toList();
        assertThat(marked).hasSize(21);
        int first = marked.indexOf(true);
        int last = marked.lastIndexOf(true);
        if (atEnqueue) {
            assertThat(first).as("five wait behind the one that leaves").isBetween(6, 7);
            assertThat(last).isEqualTo(19);
        } else {
            assertThat(first).as("five are behind it").isLessThanOrEqualTo(7);
            assertThat(last).as("five are still behind it").isEqualTo(15);
        }
        assertThat(marked.get(20)).as("not capable").isFalse();
    }
}
