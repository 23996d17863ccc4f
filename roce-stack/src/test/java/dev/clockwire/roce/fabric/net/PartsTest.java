package dev.clockwire.roce.fabric.net;

import static dev.clockwire.roce.fabric.net.Fabrics.KBPS;
import static dev.clockwire.roce.fabric.net.Fabrics.MS;
import static dev.clockwire.roce.fabric.net.Fabrics.US;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.roce.congestion.RateRules;
import dev.clockwire.roce.fabric.host.FlowSpec;
import dev.clockwire.roce.fabric.host.SendFlow;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.parallel.Mailbox;
import dev.clockwire.sim.parallel.Parts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One fabric over several threads is one fabric. */
class PartsTest {
    /** What a run left: its trace, its events, and when each flow ended. */
    private record Outcome(long hash, long events, List<Long> ends, long frames) {}

    private static NetworkSpec spec(String kind, long seed) {
        RateRules rules = seed % 2 == 0 ? null : RateRules.hpcc(100_000_000_000L);
        Topology topology = switch (kind) {
            case "leaf-spine" -> Topology.leafSpine(4, 3, 3, KBPS, KBPS, US / 2);
            case "ring" -> Topology.ring(5, 2, KBPS, US);
            case "star" -> Topology.star(7, KBPS, US);
            default -> Topology.dumbbell(4, 3, KBPS, KBPS / 2, US / 4);
        };
        int hosts = topology.hosts().size();
        List<FlowSpec> flows = new ArrayList<>(Traffic.permutation("p", hosts, 150_000, 0, -1, seed));
        flows.addAll(Traffic.poisson("r", hosts, 0.5, KBPS, SizeDistribution.of(30_000), 0, 50 * US, -1, seed));
        flows.addAll(Traffic.incast("i", List.of(1, 2, 3, 4), 0, 200_000, 7, -1));
        return Fabrics.of(topology, 1, rules).withFlows(flows);
    }

    private static Outcome run(NetworkSpec spec, int threads, long seed) {
        List<Sim> sims = new ArrayList<>();
        List<Scope> roots = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            sims.add(new Sim(SimSpec.of(seed).withWatchdogPs(0)));
            roots.add(sims.get(i).root());
        }
        Network network = new Network(roots, spec);
        sims.forEach(Sim::elaborate);
        network.start();
        try (Parts parts =
                new Parts(sims, network.wiring().inboxes(), network.wiring().lookaheadPs())) {
            for (long t = 100 * US; t <= 2 * MS; t += 100 * US) {
                parts.run(t);
            }
        }
        List<Long> ends = new ArrayList<>();
        for (SendFlow flow : network.flows()) {
            ends.add(flow.done() ? flow.completionPs() : -1);
        }
        long events = sims.stream().mapToLong(Sim::events).sum();
        return new Outcome(Sim.traceHash(sims), events, ends, network.wiring().framesSent());
    }

    @ParameterizedTest
    @CsvSource({"leaf-spine, 1", "leaf-spine, 2", "ring, 1", "ring, 2", "star, 1", "star, 2", "dumbbell, 1"})
    void theNumberOfThreadsIsInvisible(String kind, long seed) {
        NetworkSpec spec = spec(kind, seed);
        Outcome one = run(spec, 1, seed);
        assertThat(one.ends()).anyMatch(end -> end > 0);
        for (int threads = 2; threads <= 4; threads++) {
            assertThat(run(spec, threads, seed)).as("%d threads", threads).isEqualTo(one);
        }
        Fabrics.Run plain = new Fabrics.Run(spec, seed);
        plain.sim.run(2 * MS);
        assertThat(plain.sim.traceHash()).isEqualTo(one.hash());
    }

    @Test
    void whatFailsInOnePartFailsTheRun() {
        NetworkSpec spec = spec("leaf-spine", 1);
        List<Sim> sims = List.of(new Sim(SimSpec.of(1)), new Sim(SimSpec.of(1)));
        Network network = new Network(List.of(sims.get(0).root(), sims.get(1).root()), spec);
        sims.forEach(Sim::elaborate);
        network.start();
        sims.get(1).limit(20 * US);
        try (Parts parts =
                new Parts(sims, network.wiring().inboxes(), network.wiring().lookaheadPs())) {
            assertThatThrownBy(() -> parts.run(MS)).hasMessageContaining("the limit of this simulation is reached");
            assertThatThrownBy(() -> parts.run(MS)).hasMessageContaining("the limit of this simulation is reached");
        }
    }

    @Test
    void partsNeedTimeBetweenThem() {
        List<List<Mailbox>> none = List.of(List.of());
        assertThatThrownBy(() -> new Parts(List.of(new Sim(SimSpec.of(1))), none, 1))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("1 ps");
    }
}
