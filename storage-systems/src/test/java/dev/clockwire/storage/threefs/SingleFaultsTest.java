package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.server.ReadRule;
import java.util.List;
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
    /** Of all pairs only one cannot talk to each other: its client asks again, the others go on. */
    @Test
    void aPartitionIsOfOnePairOnly() {
        LoadSpec writes = new LoadSpec(LoadSpec.Op.WRITE, Trial.SIZE, 6, 3, 1, 0);
        Trial t = Trial.of(DataPath.PULL, ReadRule.REJECT)
                .with(writes)
                .with("client0:submit#2 partition for=6ms from=node0");
        var r = t.run();
        assertThat(r.wrong()).as(t.line()).isEmpty();
        assertThat(r.counts().get("client0:submit")).isGreaterThan(r.counts().get("client0:done"));
        assertThat(r.counts().get("client1:submit")).isEqualTo(r.counts().get("client1:done"));
        assertThat(r.counts().get("client2:submit")).isEqualTo(r.counts().get("client2:done"));
    }

    /** A link of a schedule is down without any rule of a fault plan, too: its client asks again. */
    @Test
    void aLinkOfAScheduleIsDown() {
        LoadSpec writes = new LoadSpec(LoadSpec.Op.WRITE, Trial.SIZE, 6, 3, 1, 0);
        Trial t = Trial.of(DataPath.PULL, ReadRule.REJECT).with(writes).with("client0:submit#2 link for=6ms");
        var r = t.run();
        assertThat(r.wrong()).as(t.line()).isEmpty();
        assertThat(r.counts().get("client0:submit")).isGreaterThan(r.counts().get("client0:done"));
        assertThat(r.counts().get("client1:submit")).isEqualTo(r.counts().get("client1:done"));
    }

    /** MEM-4: who cannot reach the manager stops before others take its place, for reads and for writes. */
    @Test
    void whoIsCutOffFromTheManagerStopsInTime() {
        Trial.assertSafe(List.of(Trial.of(DataPath.PULL, ReadRule.REJECT)
                .with(new LoadSpec(LoadSpec.Op.MIX, Trial.SIZE, 600, 1, 1, 50))
                .with("node0:read#5 partition from=mgmt0 for=30ms")));
    }

    /** RD-7 is about programs that run: one that has lost its lease ends after the load is over, and its buffers with it. */
    @ParameterizedTest
    @EnumSource(DataPath.class)
    void buffersOfAProgramThatEndsBehindTheLoadAreNotMissed(DataPath path) {
        LoadSpec few = new LoadSpec(LoadSpec.Op.MIX, Trial.SIZE, 8, 1, 1, 50);
        Trial.assertSafe(List.of(
                Trial.of(path, ReadRule.REJECT).with(few).with("node0:read.disk#1 pause for=5ms"),
                Trial.of(path, ReadRule.REJECT).with(few).with("node0:read#4 link for=5ms")));
    }

    @ParameterizedTest
    @EnumSource(DataPath.class)
    void sampledFaultsLoseNothing(DataPath path) {
        Trial.assertSafe(Trial.of(path, ReadRule.REJECT).sample(6, 1, 3));
    }

    /** What the rules that are not linearizable promise, too: LIN-4. */
    @ParameterizedTest
    @EnumSource(
            value = ReadRule.class,
            names = {"COMMITTED", "DIRTY"})
    void noReplicaGoesBack(ReadRule rule) {
        LoadSpec reads = new LoadSpec(LoadSpec.Op.MIX, Trial.SIZE, 40, 1, 1, 80);
        boolean full = Boolean.getBoolean("clockwire.full");
        for (Trial t : Trial.of(DataPath.PULL, rule).with(reads).sample(full ? 300 : 5, 1, 11)) {
            assertThat(t.run().wrong()).as(t.line()).noneMatch(w -> w.startsWith("LIN-4"));
        }
    }

    @Test
    void sampledPairsLoseNothing() {
        Trial.assertSafe(Trial.of(DataPath.PULL, ReadRule.TAIL_QUERY).sample(4, 2, 5));
    }

    @EnabledIfSystemProperty(named = "clockwire.full", matches = "true")
    @ParameterizedTest
    @CsvSource({"PULL,REJECT", "PULL,TAIL_QUERY", "PUSH,REJECT", "PUSH,TAIL_QUERY", "INLINE,REJECT", "INLINE,TAIL_QUERY"
    })
    void allSingleFaultsLoseNothing(DataPath path, ReadRule rule) {
        Trial mix = Trial.of(path, rule).with(new LoadSpec(LoadSpec.Op.MIX, Trial.SIZE, 8, 1, 1, 50));
        Trial write = mix.with(new LoadSpec(LoadSpec.Op.WRITE, Trial.SIZE, 3, 1, 1, 0));
        Trial.assertSafe(mix.singles());
        Trial.assertSafe(write.singles());
    }
}
