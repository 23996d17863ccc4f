package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.storage.cluster.FaultSchedule;
import dev.clockwire.storage.cluster.FaultStrike;
import dev.clockwire.storage.cluster.FaultStrike.What;
import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.server.ReadRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every single fault at every step of the protocol, and a few pairs (more are in {@link FaultPairsTest}): nothing acknowledged is lost, what clients see is linearizable, invariants hold, and nobody touches memory that
 * is not his. What fails is printed as the line that repeats it. All of them run in the full suite, a sample in the fast one.
 */
class SingleFaultsTest {
    private static final long MS = 1_000_000_000L;
    private static final List<What> ALL = What.alone();

    private static FaultStrike strike(String step, int nth, What what) {
        int colon = step.indexOf(':');
        long ps = switch (what) {
            case CRASH, POWER, RESET -> 3 * MS;
            case EXIT -> 0;
            default -> 5 * MS;
        };
        return FaultStrike.of(step.substring(0, colon), step.substring(colon + 1), nth, what, ps);
    }

    /** All faults of the nodes at all steps that a quiet run takes, each time. */
    static List<FaultStrike> strikes(Trial quiet) {
        List<FaultStrike> all = new ArrayList<>();
        for (Map.Entry<String, Integer> e : quiet.run().steps().entrySet()) {
            for (int nth = 1; nth <= e.getValue() && e.getKey().startsWith("node"); nth++) {
                for (What what : ALL) {
                    all.add(strike(e.getKey(), nth, what));
                }
            }
        }
        return all;
    }

    static void judge(List<Trial> trials) {
        List<String> wrong = new ArrayList<>();
        for (Trial t : trials) {
            String how = t.judge();
            if (!how.isEmpty()) {
                wrong.add(how);
            }
        }
        assertThat(wrong).as(trials.size() + " schedules").isEmpty();
    }

    static List<Trial> sample(Trial of, int n, long seed) {
        List<FaultStrike> all = strikes(of);
        SplittableRandom random = new SplittableRandom(seed);
        List<Trial> some = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            some.add(of.with(FaultSchedule.of(all.get(random.nextInt(all.size())))));
        }
        return some;
    }

    private static List<Trial> pairs(Trial of, int n, long seed) {
        List<FaultStrike> all = strikes(of);
        SplittableRandom random = new SplittableRandom(seed);
        List<Trial> some = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            some.add(of.with(
                    FaultSchedule.of(all.get(random.nextInt(all.size())), all.get(random.nextInt(all.size())))));
        }
        return some;
    }

    /** Of all pairs only one cannot talk to each other: its client asks again, the others go on. */
    @Test
    void aPartitionIsOfOnePairOnly() {
        LoadSpec writes = new LoadSpec(LoadSpec.Op.WRITE, Trial.SIZE, 6, 3, 1, 0);
        Trial t = Trial.of(DataPath.PULL, ReadRule.REJECT)
                .with(writes)
                .with("client0:submit#2 partition for=6ms from=node0");
        Trial.Result r = t.run();
        assertThat(r.wrong()).as(t.line()).isEmpty();
        assertThat(r.steps().get("client0:submit")).isGreaterThan(r.steps().get("client0:done"));
        assertThat(r.steps().get("client1:submit")).isEqualTo(r.steps().get("client1:done"));
        assertThat(r.steps().get("client2:submit")).isEqualTo(r.steps().get("client2:done"));
    }

    /** A link of a schedule is down without any rule of a fault plan, too: its client asks again. */
    @Test
    void aLinkOfAScheduleIsDown() {
        LoadSpec writes = new LoadSpec(LoadSpec.Op.WRITE, Trial.SIZE, 6, 3, 1, 0);
        Trial t = Trial.of(DataPath.PULL, ReadRule.REJECT).with(writes).with("client0:submit#2 link for=6ms");
        Trial.Result r = t.run();
        assertThat(r.wrong()).as(t.line()).isEmpty();
        assertThat(r.steps().get("client0:submit")).isGreaterThan(r.steps().get("client0:done"));
        assertThat(r.steps().get("client1:submit")).isEqualTo(r.steps().get("client1:done"));
    }

    /** MEM-4: who cannot reach the manager stops before others take its place, for reads and for writes. */
    @Test
    void whoIsCutOffFromTheManagerStopsInTime() {
        judge(List.of(Trial.of(DataPath.PULL, ReadRule.REJECT)
                .with(new LoadSpec(LoadSpec.Op.MIX, Trial.SIZE, 600, 1, 1, 50))
                .with("node0:read#5 partition from=mgmt0 for=30ms")));
    }

    @ParameterizedTest
    @EnumSource(DataPath.class)
    void sampledFaultsLoseNothing(DataPath path) {
        judge(sample(Trial.of(path, ReadRule.REJECT), 6, 3));
    }

    @Test
    void sampledPairsLoseNothing() {
        judge(pairs(Trial.of(DataPath.PULL, ReadRule.TAIL_QUERY), 4, 5));
    }

    @EnabledIfSystemProperty(named = "clockwire.full", matches = "true")
    @ParameterizedTest
    @CsvSource({"PULL,REJECT", "PULL,TAIL_QUERY", "PUSH,REJECT", "PUSH,TAIL_QUERY", "INLINE,REJECT", "INLINE,TAIL_QUERY"
    })
    void allSingleFaultsLoseNothing(DataPath path, ReadRule rule) {
        Trial mix = Trial.of(path, rule).with(new LoadSpec(LoadSpec.Op.MIX, Trial.SIZE, 8, 1, 1, 50));
        Trial write = mix.with(new LoadSpec(LoadSpec.Op.WRITE, Trial.SIZE, 3, 1, 1, 0));
        List<Trial> all = new ArrayList<>();
        strikes(mix).forEach(s -> all.add(mix.with(FaultSchedule.of(s))));
        strikes(write).forEach(s -> all.add(write.with(FaultSchedule.of(s))));
        judge(all);
    }
}
