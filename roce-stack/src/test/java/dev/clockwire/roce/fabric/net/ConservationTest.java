package dev.clockwire.roce.fabric.net;

import static dev.clockwire.roce.fabric.net.Fabrics.KBPS;
import static dev.clockwire.roce.fabric.net.Fabrics.MS;
import static dev.clockwire.roce.fabric.net.Fabrics.US;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.congestion.RateRules;
import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.bridge.BufferSpec;
import dev.clockwire.roce.fabric.bridge.FabricSwitch;
import dev.clockwire.roce.fabric.bridge.MarkSpec;
import dev.clockwire.roce.fabric.bridge.PauseSpec;
import dev.clockwire.roce.fabric.bridge.PortCounters;
import dev.clockwire.roce.fabric.bridge.PortSpec;
import dev.clockwire.roce.fabric.bridge.WatchdogSpec;
import dev.clockwire.roce.fabric.host.FlowSpec;
import dev.clockwire.roce.fabric.host.LightFrame;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.roce.fabric.host.SendFlow;
import dev.clockwire.roce.wire.DcbSettings;
import dev.clockwire.roce.wire.PfcSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random fabrics: topology, buffers, classes with and without pauses, marks, rates, losses, lengths of packets, watchdogs, DCBX. At any time each
 * frame is somewhere: on a cable, lost and counted there, in a queue, dropped and counted at the port it came in by, or with a host; and what is
 * saved then and loaded elsewhere goes on as if nothing had been.
 */
class ConservationTest {
    private static final int CLASSES = 8;

    private static Topology topology(Random r) {
        long up = r.nextBoolean() ? KBPS : KBPS / 2;
        long delay = US / 4 * (1 + r.nextInt(8));
        Topology plain = switch (r.nextInt(5)) {
            case 0 -> Topology.star(3 + r.nextInt(6), KBPS, delay);
            case 1 -> Topology.dumbbell(2 + r.nextInt(3), 2 + r.nextInt(3), KBPS, up, delay);
            case 2 -> Topology.parkingLot(2 + r.nextInt(3), 2, KBPS, delay);
            case 3 -> Topology.ring(3 + r.nextInt(3), 2, KBPS, delay);
            default -> Topology.leafSpine(2 + r.nextInt(2), 1 + r.nextInt(3), 2 + r.nextInt(2), KBPS, up, delay);
        };
        double loss = r.nextInt(3) == 0 ? 0.002 : 0;
        List<CableSpec> cables = new ArrayList<>();
        for (CableSpec c : plain.cables()) {
            cables.add(new CableSpec(c.a(), c.b(), c.kbps(), c.delayPs(), r.nextBoolean() ? loss : 0));
        }
        return new Topology(plain.hosts(), plain.switches(), cables);
    }

    private static LightSpec light(Random r, int payload) {
        RateRules rules = switch (r.nextInt(4)) {
            case 0 -> null;
            case 1 -> RateRules.paper(KBPS * 1000);
            case 2 -> RateRules.nvidia(KBPS * 1000);
            default -> RateRules.hpcc(KBPS * 1000);
        };
        LightSpec.Repeat repeat = r.nextBoolean() ? LightSpec.Repeat.GO_BACK_N : LightSpec.Repeat.SELECTIVE;
        return LightSpec.roce(KBPS * 1000)
                .withRules(rules)
                .withPayload(payload)
                .withNotifications(r.nextBoolean(), 10 * US, r.nextBoolean(), r.nextInt(2) * US)
                .withRepeat(repeat, r.nextBoolean() ? 0 : 20 * US, 100 * US, 7);
    }

    private static NetworkSpec spec(long seed) {
        Random r = new Random(seed);
        Topology topology = topology(r);
        BridgeSpec bridge = BridgeSpec.of(BufferSpec.of(220_000L + r.nextInt(3) * 100_000L))
                .withQuanta(
                        r.nextBoolean()
                                ? List.of(1600, 1600, 0, 3200, 1600, 1600, 0, 0)
                                : List.of(0, 0, 0, 0, 0, 0, 0, 0));
        if (r.nextInt(4) != 0) {
            bridge = bridge.withPause(new PauseSpec(1 << 3, 65_535, r.nextBoolean(), r.nextInt(5) == 0));
        }
        if (r.nextInt(2) == 0) {
            bridge = bridge.withWatchdog(new WatchdogSpec(2 * US, 5 * US, r.nextBoolean()));
        }
        int headroom = r.nextBoolean() ? 12_000 : 1_000;
        MarkSpec marks = r.nextBoolean() ? MarkSpec.NONE : MarkSpec.of(20_000, 80_000, 0.05);
        PortSpec port = PortSpec.of(headroom, -r.nextInt(5)).withMarks(3, marks);
        int hosts = topology.hosts().size();
        List<FlowSpec> flows = new ArrayList<>(Traffic.permutation("p", hosts, 40_000, 0, -1, seed));
        int to = r.nextInt(hosts);
        for (int i = 0; i < hosts; i++) {
            if (i != to) {
                flows.add(new FlowSpec(
                        "i" + i, i, to, 1 + r.nextInt(400_000), r.nextInt(20) * US, r.nextBoolean() ? -1 : 8));
            }
        }
        List<Integer> payloads = List.of(256, 1024, 4096, 9000);
        TreeMap<String, LightSpec> others = new TreeMap<>();
        LightSpec all = light(r, payloads.get(r.nextInt(4)));
        topology.hosts().forEach(h -> others.put(h, all.withPayload(payloads.get(r.nextInt(4)))));
        NetworkSpec spec = new NetworkSpec(topology, Framing.ETHERNET, bridge, cable -> port, all, flows)
                .withNodes(new NodeRules(new TreeMap<>(), new TreeMap<>(), others));
        if (r.nextInt(3) == 0) {
            spec = spec.withDcbx(new DcbxPlan(
                    LldpSpec.STANDARD,
                    (node, cable) -> new DcbSettings(
                            null,
                            null,
                            new PfcSettings(node.startsWith("host"), false, 8, node.startsWith("host") ? 0 : 8),
                            List.of())));
        }
        return spec;
    }

    /** What the taps of an end saw: light frames and others, and when each was over there. */
    private static final class Seen {
        final LinkEnd end;
        long light;
        long others;
        final List<Long> lightThere = new ArrayList<>();
        final List<Long> dataThere = new ArrayList<>();
        final List<Long> othersThere = new ArrayList<>();

        Seen(LinkEnd end) {
            this.end = end;
            end.tap((ps, from, frame) -> {
                light += frame instanceof LightFrame ? 1 : 0;
                others += frame instanceof LightFrame ? 0 : 1;
            });
            end.tapArrivals((ps, from, frame) -> {
                (frame instanceof LightFrame ? lightThere : othersThere).add(ps);
                if (frame instanceof LightFrame data && data.kind() == LightFrame.DATA) {
                    dataThere.add(ps);
                }
            });
        }

        static long until(List<Long> times, long now) {
            return times.stream().filter(t -> t <= now).count();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24})
    void everyFrameIsSomewhere(long seed) {
        Fabrics.Run run = new Fabrics.Run(spec(seed), seed);
        Wiring wiring = run.network.wiring();
        List<Seen> ends = new ArrayList<>();
        wiring.links().forEach(l -> {
            ends.add(new Seen(l.a()));
            ends.add(new Seen(l.b()));
        });
        Random r = new Random(seed);
        for (int look = 0; look < 6; look++) {
            run.sim.run(run.sim.now() + 1 + r.nextInt((int) (40 * US)));
            check(run, ends);
        }
        run.until(20 * MS);
        run.sim.run(run.sim.now() + 100 * US); // what is still under way arrives
        check(run, ends);
        boolean stuck = run.network.flows().stream().anyMatch(f -> !f.done());
        for (FabricSwitch sw : wiring.switches()) {
            for (int p = 0; p < sw.ports() && !stuck; p++) {
                for (int c = 0; c < CLASSES; c++) {
                    assertThat(sw.held(p, c)).as("buffer given back").isZero();
                    assertThat(sw.waiting(p, c)).isZero();
                }
            }
        }
    }

    private static void check(Fabrics.Run run, List<Seen> ends) {
        long now = run.sim.now();
        Wiring wiring = run.network.wiring();
        for (Seen seen : ends) {
            assertThat(seen.end.framesSent()).isEqualTo(seen.light + seen.others);
            assertThat(seen.end.framesSent() - seen.end.framesLost())
                    .as("%s: what is not lost arrives", seen.end.path())
                    .isEqualTo(seen.lightThere.size() + (long) seen.othersThere.size());
        }
        long[] in = new long[wiring.switches().size()];
        long[] out = new long[in.length];
        long dataAtHosts = 0;
        for (int cable = 0; cable < wiring.links().size(); cable++) {
            CableSpec c = wiring.plan().topology().cables().get(cable);
            for (int side = 0; side < 2; side++) {
                Seen sent = ends.get(2 * cable + side);
                int from = wiring.plan().topology().switches().indexOf(side == 0 ? c.a() : c.b());
                int to = wiring.plan().topology().switches().indexOf(side == 0 ? c.b() : c.a());
                if (to >= 0) {
                    in[to] += Seen.until(sent.lightThere, now);
                } else {
                    dataAtHosts += Seen.until(sent.dataThere, now);
                }
                if (from >= 0) {
                    out[from] += sent.light;
                }
            }
        }
        for (int i = 0; i < in.length; i++) {
            FabricSwitch sw = wiring.switches().get(i);
            long rx = 0;
            long tx = 0;
            long gone = 0;
            long queued = 0;
            for (int p = 0; p < sw.ports(); p++) {
                PortCounters count = sw.counters(p);
                for (int k = 0; k < CLASSES; k++) {
                    rx += count.rxFrames(k);
                    tx += count.txFrames(k);
                    gone += count.dropped(k);
                    queued += sw.waiting(p, k);
                }
            }
            assertThat(rx + sw.unknown()).as("in").isEqualTo(in[i]);
            assertThat(tx).as("out").isEqualTo(out[i]);
            assertThat(rx).as("in = out, dropped or waiting").isEqualTo(tx + gone + queued);
        }
        long sent = run.network.hosts().stream().mapToLong(h -> h.dataSent()).sum();
        assertThat(sent)
                .isEqualTo(run.network.flows().stream()
                        .mapToLong(SendFlow::packetsSent)
                        .sum());
        assertThat(dataAtHosts).isLessThanOrEqualTo(sent);
    }

    /** The fabrics above are rough enough: all that can happen to a frame happens. */
    @Test
    void everythingHappensInThem() {
        long[] seen = new long[7];
        for (long seed = 1; seed <= 24; seed++) {
            Fabrics.Run run = new Fabrics.Run(spec(seed), seed).until(20 * MS);
            seen[0] += run.network.wiring().framesLost();
            for (FabricSwitch sw : run.network.wiring().switches()) {
                for (int p = 0; p < sw.ports(); p++) {
                    seen[1] += sw.counters(p).dropped(3);
                    seen[2] += sw.counters(p).dropped(1);
                    seen[3] += sw.counters(p).xoffFrames();
                    seen[4] += sw.counters(p).marked(3);
                }
                seen[5] += sw.storms();
            }
            seen[6] += run.network.flows().stream()
                    .mapToLong(SendFlow::retransmissions)
                    .sum();
        }
        assertThat(seen).doesNotContain(0);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void whatIsSavedInTheMiddleGoesOn(long seed) {
        NetworkSpec spec = spec(seed);
        Random r = new Random(seed);
        long at = 1L + r.nextInt((int) (150 * US));
        Fabrics.Run whole = new Fabrics.Run(spec, seed);
        whole.sim.run(at);
        var snapshot = whole.sim.save();
        whole.sim.run(2 * MS);
        Fabrics.Run half = new Fabrics.Run(spec, seed);
        half.sim.restore(snapshot);
        half.sim.run(2 * MS);
        assertThat(half.sim.traceHash()).isEqualTo(whole.sim.traceHash());
        assertThat(half.sim.events()).isEqualTo(whole.sim.events());
        for (int i = 0; i < spec.flows().size(); i++) {
            SendFlow a = half.network.flows().get(i);
            SendFlow b = whole.network.flows().get(i);
            assertThat(a.acknowledgedBytes()).isEqualTo(b.acknowledgedBytes());
            assertThat(a.done() ? a.completionPs() : -1).isEqualTo(b.done() ? b.completionPs() : -1);
            assertThat(a.retransmissions()).isEqualTo(b.retransmissions());
        }
    }
}
