package dev.clockwire.storage.ceph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.storage.ceph.CephTrial.Parted;
import dev.clockwire.storage.ceph.osd.Watch;
import dev.clockwire.storage.cluster.FaultSchedule;
import dev.clockwire.storage.cluster.FaultStrike;
import dev.clockwire.storage.cluster.FaultStrike.What;
import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.load.FaultTrial.Step;
import dev.clockwire.storage.load.LoadSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every single fault at every step of Ceph's protocol, and pairs: nothing acknowledged is lost, what clients see is linearizable, invariants hold, and nobody touches memory that
 * is not his. What fails is printed as the line that repeats it. All of them run in the full suite, a sample in the fast one.
 */
class CephFaultsTest {
    private static final CephTrial MIX = CephTrial.of(CephModel.CLASSIC);
    private static final CephTrial WRITE = MIX.with(new LoadSpec(LoadSpec.Op.WRITE, CephTrial.SIZE, 3, 1, 1, 0));
    private static final int HOSTS = 7;

    /** Pairs of machines that are parted 1 ps behind each step of a node, both ways or one way, for shorter and for longer than the grace. */
    static List<CephTrial> partings(CephTrial quiet) {
        List<CephTrial> all = new ArrayList<>();
        for (Step s : quiet.run().steps()) {
            if (!s.machine().startsWith("node")) {
                continue;
            }
            int from = 1 + s.machine().charAt("node".length()) - '0';
            for (int to = 0; to < HOSTS; to++) {
                boolean oneWay = (s.nth() + to) % 2 == 0;
                long ms = (s.nth() + to) % 3 == 0 ? 4 : 30;
                if (to != from && to <= 3 + quiet.clients()) {
                    all.add(quiet.with(new Parted(s.ps() + 1, CephTrial.ms(ms), from, to, oneWay)));
                }
            }
        }
        return all;
    }

    private static List<CephTrial> sample(List<CephTrial> of, int n, long seed) {
        return new SplittableRandom(seed)
                .ints(n, 0, of.size())
                .mapToObj(of::get)
                .toList();
    }

    @Test
    void aRunWithARestartTakesAllStepsThatSchedulesName() {
        Set<String> taken = new TreeSet<>();
        // a primary that is away for longer than the grace is brought up to date by pulls, a replica by pushes
        for (String line : List.of("node0:read#1 crash restart=20ms", "node1:replicate#1 crash restart=20ms")) {
            for (Step s : MIX.with(line).run().steps()) {
                taken.add(s.event());
            }
        }
        Set<String> named = new TreeSet<>(Watch.STEPS);
        assertThat(named).containsAll(taken);
        named.removeAll(taken);
        assertThat(named).isEmpty();
    }

    /** A client whose connection only the other side knows to be gone must find that out, and one that loses an OSD while it connects must go on. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "node0:replicate#2 link for=900ms",
                "node0:activate#1 link for=900ms",
                "node1:activate#1 link for=900ms"
            })
    void whatWasFoundStaysRepaired(String schedule) {
        CephTrial.assertSafe(List.of(MIX.slow().with(schedule)));
    }

    /** A change of a queue pair that two want to end meets another. */
    @Test
    void aQueuePairThatTwoEndIsEnded() {
        CephTrial.assertSafe(List.of(MIX.with(new Parted(1_309_714_325L, CephTrial.ms(30), 3, 1, false))));
    }

    /**
     * An OSD ends while clients connect, at instants through the whole exchange: behind its banner and before its answer nothing is on its way any more that would break the client's
     * connection.
     */
    @ParameterizedTest
    @ValueSource(ints = {16, 22, 28, 34, 40, 44})
    void aConnectionThatIsNeverReadyIsGivenUp(int us) {
        CephRig rig = new CephRig(MIX.spec(), true, 1);
        Node node = rig.cluster.nodes().get(1);
        boolean[] ended = new boolean[1];
        rig.cluster.listen((host, step, ps) -> {
            if (step.equals("activate") && !ended[0]) {
                ended[0] = true;
                node.worker(0).after(us * CephRig.US, (a, b) -> node.boot(), 0, 0);
            }
        });
        rig.start();
        assertThat(node.incarnation()).isEqualTo(2);
        assertThat(rig.ceph.client(rig.client()).isConnected()).isTrue();
    }

    @Test
    void anOsdThatEndsWhileClientsConnectLosesNothing() {
        CephTrial.assertSafe(List.of(MIX.with("node1:transaction#3 crash restart=3ms; node1:execute#1 exit")));
    }

    @Test
    void sampledFaultsLoseNothing() {
        CephTrial.assertSafe(MIX.sample(6, 1, 3));
        CephTrial.assertSafe(sample(partings(MIX), 3, 4));
    }

    @Test
    void sampledPairsLoseNothing() {
        CephTrial.assertSafe(MIX.sample(3, 2, 5));
    }

    @EnabledIfSystemProperty(named = "clockwire.full", matches = "true")
    @ParameterizedTest
    @EnumSource(
            value = CephModel.class,
            names = {"CLASSIC", "CRIMSON_RDMA"})
    void allSingleFaultsLoseNothing(CephModel model) {
        CephTrial mix = CephTrial.of(model);
        CephTrial.assertSafe(mix.singles());
        CephTrial.assertSafe(mix.with(WRITE.load()).singles());
    }

    /** Out for longer than a connection lives, at every step: sessions go on over others. */
    @EnabledIfSystemProperty(named = "clockwire.full", matches = "true")
    @Test
    void cablesThatAreOutForLongLoseNothing() {
        CephTrial.assertSafe(MIX.strikes().stream()
                .filter(s -> s.what() == What.LINK)
                .map(s -> FaultStrike.of(s.node(), s.event(), s.nth(), What.LINK, CephTrial.ms(900)))
                .map(s -> MIX.slow().with(FaultSchedule.of(s)))
                .toList());
    }

    @EnabledIfSystemProperty(named = "clockwire.full", matches = "true")
    @Test
    void allPartingsLoseNothing() {
        CephTrial.assertSafe(partings(MIX));
        CephTrial.assertSafe(partings(WRITE));
    }

    @EnabledIfSystemProperty(named = "clockwire.full", matches = "true")
    @ParameterizedTest
    @ValueSource(longs = {77, 78})
    void manyPairsLoseNothing(long seed) {
        CephTrial.assertSafe(MIX.sample(150, 2, seed));
    }
}
