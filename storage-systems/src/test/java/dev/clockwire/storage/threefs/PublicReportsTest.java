package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.threefs.net.IbSocketSpec;
import dev.clockwire.storage.threefs.net.Probe;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.server.Mutant;
import dev.clockwire.storage.threefs.server.ReadRule;
import dev.clockwire.storage.threefs.server.SyncRule;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What users of 3FS and of systems like it have reported, tried on this one. */
class PublicReportsTest {
    private static final String BROUGHT_AND_LOST = "node2:lock#2 crash restart=3ms; node2:sync.done#1 exit";
    private static final long REST_PS = 1_000_000_000_000L;

    private static Trial trial(DataPath path, LoadSpec load) {
        return Trial.of(path, ReadRule.REJECT).with(load);
    }

    private static LoadSpec writes(int ops, int keys) {
        return new LoadSpec(LoadSpec.Op.WRITE, Trial.SIZE, ops, keys, 1, 0);
    }

    /**
     * 3FS issue 345: the tail dies between commit and answer, so it has committed what its predecessors hold as pending. All come into service again with the same
     * content, whether the tail's disk lost something or not.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "node2:commit#1 crash restart=3ms",
                "node2:commit#1 power restart=3ms",
                "node2:commit#1 exit",
                "node2:commit#1 crash restart=3ms; node1:successor#1 crash restart=3ms"
            })
    void aTailThatDiesBeforeItAnswersComesBack(String schedule) {
        Trial t = trial(DataPath.PULL, writes(1, 1)).with(schedule);
        assertThat(t.run().wrong()).as(t.line()).isEmpty();
    }

    /**
     * 3FS issue 229: a target was brought up to date under a later version of its chain than its predecessor has committed its chunks, and is lost again. By 3FS's rule its node is told to take
     * it offline, by the id of the target; with the sender's own id nobody is meant, and the target is syncing for ever.
     */
    @Test
    void anOfflineRequestNamesTheTargetOfWhoGetsIt() {
        Trial ours = trial(DataPath.PULL, writes(6, 4)).patient(REST_PS).with(BROUGHT_AND_LOST);
        assertThat(ours.run().wrong()).as(ours.line()).isEmpty();
        Trial theirs = ours.with(SyncRule.OFFLINE);
        var r = theirs.run();
        assertThat(r.wrong()).as(theirs.line()).isEmpty();
        assertThat(r.counts()).containsKey("node2:offline").containsKey("node2:online");
        assertThat(theirs.with(Mutant.OWN_TARGET).run().wrong()).anyMatch(w -> w.contains("SYNC-4"));
    }

    /** 3FS issue 320: by either probe connections are made, and made again behind faults. */
    @ParameterizedTest
    @EnumSource(names = {"EMPTY_SEND", "IMMEDIATE"})
    void connectionsAreMadeByProbes(Probe probe) {
        Trial usual = Trial.of(DataPath.PULL, ReadRule.REJECT);
        Trial t = usual.with(usual.service().withSocket(IbSocketSpec.threeFs().withProbe(probe)))
                .with("node1:lock#2 crash restart=3ms; node0:read#3 link for=9ms on=client0");
        assertThat(t.run().wrong()).as(t.line()).isEmpty();
    }

    /** 3FS issue 245: one write of a chunk at a time, so clients of one chunk wait for each other, and those of several do not. */
    @Test
    void writesOfOneChunkWaitForEachOther() {
        long one = elapsed(1);
        long many = elapsed(32); // three clients seldom meet
        assertThat(one).isGreaterThan(2 * many);
    }

    /** One write at a time of each of three clients: to the same chunk, or to any of several. */
    private static long elapsed(int keys) {
        var r = trial(DataPath.PULL, writes(60, keys)).run();
        assertThat(r.wrong()).isEmpty();
        return Objects.requireNonNull(r.load()).elapsedPs();
    }

    /** Pegaflow issue 403: a client that is too slow for a READ, which ends behind all waits, finds nobody's buffer in its place. */
    @ParameterizedTest
    @EnumSource(DataPath.class)
    void whatEndsBehindItsWaitTouchesNobodysBuffer(DataPath path) {
        Trial t = trial(path, writes(6, 1))
                .with("node0:lock#1 pause for=5ms on=client0; node1:lock#2 pause for=5ms on=node0");
        assertThat(t.run().wrong()).as(t.line()).isEmpty();
    }
}
