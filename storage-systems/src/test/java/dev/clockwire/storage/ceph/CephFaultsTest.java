package dev.clockwire.storage.ceph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.storage.ceph.CephTrial.Parted;
import dev.clockwire.storage.ceph.CephTrial.Step;
import dev.clockwire.storage.ceph.osd.Watch;
import dev.clockwire.storage.cluster.FaultSchedule;
import dev.clockwire.storage.cluster.FaultStrike;
import dev.clockwire.storage.cluster.FaultStrike.What;
import dev.clockwire.storage.cluster.Node;
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

    private static long lasts(What what) {
        return switch (what) {
            case EXIT -> 0;
            case CRASH, POWER, RESET -> CephTrial.ms(3);
            default -> CephTrial.ms(15); // longer than the grace
        };
    }

    private static FaultStrike strike(Step step, What what) {
        int colon = step.name().indexOf(':');
        String node = step.name().substring(0, colon);
        return FaultStrike.of(node, step.name().substring(colon + 1), step.nth(), what, lasts(what));
    }

    /** All faults of the nodes at the steps that a quiet run takes, each at its first and its middle time. */
    static List<CephTrial> singles(CephTrial quiet) {
        List<Step> steps = quiet.run().steps();
        List<CephTrial> all = new ArrayList<>();
        for (Step s : steps) {
            int most = steps.stream()
                    .filter(o -> o.name().equals(s.name()))
                    .mapToInt(Step::nth)
                    .max()
                    .orElse(0);
            if (!s.name().startsWith("node") || (s.nth() != 1 && s.nth() != (most + 1) / 2)) {
                continue;
            }
            for (What what : What.alone()) {
                all.add(quiet.with(FaultSchedule.of(strike(s, what))));
            }
        }
        return all;
    }

    /** Pairs of machines that are parted 1 ps behind each step of a node, both ways or one way, for shorter and for longer than the grace. */
    static List<CephTrial> partings(CephTrial quiet) {
        List<CephTrial> all = new ArrayList<>();
        for (Step s : quiet.run().steps()) {
            if (!s.name().startsWith("node")) {
                continue;
            }
            int from = 1 + s.name().charAt("node".length()) - '0';
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

    private static void judge(List<CephTrial> trials) {
        List<String> wrong = new ArrayList<>();
        for (CephTrial t : trials) {
            String how = t.judge();
            if (!how.isEmpty()) {
                wrong.add(how);
            }
        }
        assertThat(wrong).as(trials.size() + " schedules").isEmpty();
    }

    private static List<CephTrial> sample(List<CephTrial> of, int n, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<CephTrial> some = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            some.add(of.get(random.nextInt(of.size())));
        }
        return some;
    }

    static List<CephTrial> pairs(CephTrial of, int n, long seed) {
        List<CephTrial> all = singles(of);
        SplittableRandom random = new SplittableRandom(seed);
        List<CephTrial> some = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            FaultStrike one =
                    all.get(random.nextInt(all.size())).schedule().strikes().get(0);
            FaultStrike two =
                    all.get(random.nextInt(all.size())).schedule().strikes().get(0);
            some.add(of.with(FaultSchedule.of(one, two)));
        }
        return some;
    }

    @Test
    void aRunWithARestartTakesAllStepsThatSchedulesName() {
        Set<String> taken = new TreeSet<>();
        // a primary that is away for longer than the grace is brought up to date by pulls, a replica by pushes
        for (String line : List.of("node0:read#1 crash restart=20ms", "node1:replicate#1 crash restart=20ms")) {
            for (Step s : MIX.with(line).run().steps()) {
                taken.add(s.name().substring(s.name().indexOf(':') + 1));
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
        judge(List.of(MIX.slow().with(schedule)));
    }

    /** A change of a queue pair that two want to end meets another. */
    @Test
    void aQueuePairThatTwoEndIsEnded() {
        judge(List.of(MIX.with(new Parted(1_309_714_325L, CephTrial.ms(30), 3, 1, false))));
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
        judge(List.of(MIX.with("node1:transaction#3 crash restart=3ms; node1:execute#1 exit")));
    }

    @Test
    void sampledFaultsLoseNothing() {
        judge(sample(singles(MIX), 6, 3));
        judge(sample(partings(MIX), 3, 4));
    }

    @Test
    void sampledPairsLoseNothing() {
        judge(pairs(MIX, 3, 5));
    }

    @EnabledIfSystemProperty(named = "clockwire.full", matches = "true")
    @ParameterizedTest
    @EnumSource(
            value = CephModel.class,
            names = {"CLASSIC", "CRIMSON_RDMA"})
    void allSingleFaultsLoseNothing(CephModel model) {
        CephTrial mix = CephTrial.of(model);
        judge(singles(mix));
        judge(singles(mix.with(WRITE.load())));
    }

    /** Out for longer than a connection lives, at every step: sessions go on over others. */
    @EnabledIfSystemProperty(named = "clockwire.full", matches = "true")
    @Test
    void cablesThatAreOutForLongLoseNothing() {
        List<CephTrial> all = new ArrayList<>();
        for (CephTrial t : singles(MIX)) {
            FaultStrike s = t.schedule().strikes().get(0);
            if (s.what() == What.LINK) {
                all.add(MIX.slow()
                        .with(FaultSchedule.of(
                                FaultStrike.of(s.node(), s.event(), s.nth(), What.LINK, CephTrial.ms(900)))));
            }
        }
        judge(all);
    }

    @EnabledIfSystemProperty(named = "clockwire.full", matches = "true")
    @Test
    void allPartingsLoseNothing() {
        judge(partings(MIX));
        judge(partings(WRITE));
    }

    @EnabledIfSystemProperty(named = "clockwire.full", matches = "true")
    @ParameterizedTest
    @ValueSource(longs = {77, 78})
    void manyPairsLoseNothing(long seed) {
        judge(pairs(MIX, 150, seed));
    }
}
