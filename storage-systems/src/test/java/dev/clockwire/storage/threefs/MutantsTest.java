package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.threefs.client.LeavesOpen;
import dev.clockwire.storage.threefs.client.StorageClient;
import dev.clockwire.storage.threefs.mgmtd.ThreeFsTimes;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.server.Mutant;
import dev.clockwire.storage.threefs.server.ReadRule;
import dev.clockwire.storage.threefs.server.ServiceSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule that is left out is found out by somebody who looks on, by name, in a load or schedule of one line in which the whole store is safe. */
class MutantsTest {
    /** By then the whole store is at rest in all of these schedules. */
    private static final long REST_PS = 1_000_000_000_000L;

    private static Trial trial(DataPath path, LoadSpec load, String schedule) {
        return Trial.of(path, ReadRule.REJECT).with(load).patient(REST_PS).with(schedule);
    }

    private static LoadSpec mix(int ops) {
        return new LoadSpec(LoadSpec.Op.MIX, Trial.SIZE, ops, 1, 1, 50);
    }

    private static LoadSpec writes(int ops) {
        return new LoadSpec(LoadSpec.Op.WRITE, Trial.SIZE, ops, 1, 1, 0);
    }

    private static void isFoundOut(Trial whole, Trial broken, String by) {
        assertThat(whole.run().wrong()).as("whole, %s", whole.line()).isEmpty();
        assertThat(broken.run().wrong()).as(whole.line()).anyMatch(w -> w.contains(by));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // two writes of a chunk at a time: the store itself refuses to commit what is not written
                "NO_LOCK          | 16 | ''                                                | commit of version 1",
                "EARLY_ACK        | 16 | ''                                                | no stale read",
                "ACK_BEFORE_COMMIT| 16 | node0:successor#3 disk-slow for=5ms               | DUR-3",
                "NO_CHAIN_VERSION | 16 | node0:successor#1 link for=20ms                   | MEM-3",
                "NO_LEASE         | 600| node0:read#5 partition from=mgmt0 for=30ms        | MEM-4",
                "NO_DONE_CHECK    | 16 | node1:data#4 pause for=5ms                        | VER-2",
                "PARTIAL_SYNC     | 600| node1:lock#2 crash restart=3ms                    | VER-1",
                "ROLL_BACK        | 16 | node1:forward#5 exit                                 | AGR-1",
            })
    void aRuleThatIsLeftOutIsFoundOut(Mutant mutant, int ops, String schedule, String by) {
        Trial whole = trial(DataPath.PULL, mix(ops), schedule);
        isFoundOut(whole, whole.with(mutant), by);
    }

    /** 3FS issue 345: a replica that holds a version as pending that others have committed is not up to date. */
    @Test
    void aTargetThatIsComparedByVersionAloneIsFoundOut() {
        Trial whole = trial(DataPath.PULL, writes(1), "node0:committing#1 power restart=3ms");
        isFoundOut(whole, whole.with(Mutant.VERSION_ONLY), "SYNC-1");
    }

    /**
     * A disk takes 10 ms for a read and little for the writes behind it, so the block is another version's when the bytes come; there are two blocks, so it is the same chunk's again. The first schedule
     * shows that the check bites, in the others a check of the block alone did not do.
     */
    @ParameterizedTest
    @ValueSource(ints = {4, 2, 6, 8})
    void aBlockThatIsUsedAgainIsReadAgain(int read) {
        Trial whole = trial(DataPath.PULL, new LoadSpec(LoadSpec.Op.MIX, Trial.SIZE, 120, 1, 1, 30), "")
                .seeded(1)
                .patient(100 * REST_PS)
                .with("node2:read#" + read + " disk-slow for=15us");
        Trial scarce =
                whole.with(whole.service().withTimes(ThreeFsTimes.threeFs()).withRoom(2, 16));
        isFoundOut(scarce, scarce.with(Mutant.NO_BLOCK_CHECK), "content of the version");
    }

    /** The client does not answer the READ for a while: it lands in a buffer that is the pool's again. */
    @Test
    void aBufferThatIsFreeTooEarlyIsFoundOut() {
        Trial whole = trial(DataPath.PULL, writes(6), "node0:read.posted#1 pause for=5ms on=client0");
        isFoundOut(whole, whole.with(Mutant.EARLY_FREE), "the program frees 4096 bytes");
    }

    /** A client gives up while its write waits for the chunk: the bytes that the write will take lie in a slot that is the pool's again. */
    @Test
    void aSlotThatIsFreeTooEarlyIsFoundOut() {
        Trial whole = trial(DataPath.PUSH, writes(6), "node1:data#1 disk-slow for=30ms");
        isFoundOut(whole, whole.with(Mutant.EARLY_SLOT), "which belong to pool of buffers");
    }

    /**
     * Who forgets what a channel has asked for is safe for as long as chunks keep who has written them, under the chunk's lock: such a write finds itself done. Without
     * that, it is done twice.
     */
    @Test
    void requestsThatNobodyRemembersAreFoundOut() {
        Trial kept = trial(DataPath.PULL, mix(16), "node0:commit#2 disk-slow for=5ms");
        assertThat(kept.with(Mutant.NO_CHANNELS).run().wrong()).isEmpty();
        Trial whole = kept.with(kept.service().withDurableChannels(false));
        isFoundOut(whole, whole.with(Mutant.NO_CHANNELS), "AMO-1");
    }

    /** RD-7: each read takes a buffer for ever. */
    @Test
    void aBufferThatIsKeptIsFoundOut() {
        Trial whole = trial(DataPath.PUSH, mix(16), "");
        isFoundOut(whole, whole.with(Mutant.KEEPS_BUFFER), "RD-7");
    }

    /** LIN-4, under a rule that promises nothing else: a reader sees what is pending, the next one of the same replica does not. */
    @Test
    void aReplicaThatGoesBackIsFoundOut() {
        LoadSpec reads = new LoadSpec(LoadSpec.Op.MIX, Trial.SIZE, 120, 1, 1, 90);
        Trial whole = Trial.of(DataPath.PULL, ReadRule.DIRTY).with(reads).with("node1:committing#2 disk-slow for=5ms");
        assertThat(whole.run().wrong()).noneMatch(w -> w.contains("LIN-4"));
        assertThat(whole.with(Mutant.OLD_IN_TURN).run().wrong()).anyMatch(w -> w.contains("LIN-4"));
    }

    /** LIN-4: while a read waits for a buffer its block becomes another version's. */
    @Test
    void aBlockThatIsNotLookedAtAgainIsFoundOut() {
        LoadSpec mix = new LoadSpec(LoadSpec.Op.MIX, Trial.SIZE, 120, 1, 1, 50);
        Trial few = Trial.of(DataPath.PULL, ReadRule.COMMITTED).with(mix).of(6, 1);
        Trial whole = few.with(few.service().withRoom(64, 2));
        assertThat(whole.run().wrong()).noneMatch(w -> w.contains("LIN-4"));
        assertThat(whole.with(Mutant.NO_BLOCK_CHECK).run().wrong()).anyMatch(w -> w.contains("LIN-4"));
    }

    /** A client that asks again over a connection that is still open: the WRITE of the first answer comes when the memory is used for something else. */
    @Test
    void aConnectionThatIsLeftOpenIsFoundOut() {
        LoadSpec reads = new LoadSpec(LoadSpec.Op.MIX, Trial.SIZE, 12, 1, 1, 80);
        Trial whole = trial(DataPath.PULL, reads, "node1:read#2 disk-slow for=1ms");
        Trial broken = whole.with(new ThreeFs.Making() {
            @Override
            public StorageClient client(
                    dev.clockwire.storage.cluster.Node node, ServiceSpec spec, StorageClient.Cast cast) {
                return LeavesOpen.client(node, spec, cast);
            }
        });
        isFoundOut(whole, broken, "the peer of");
    }
}
