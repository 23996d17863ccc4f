package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.storage.load.LoadSpec;
import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.server.Mutant;
import dev.clockwire.storage.threefs.server.ReadRule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What readers see while a version is on its way along the chain: the middle node's disk is slow at that step. */
class ReadRulesTest {
    private static final int WRITES = 8;
    private static final String SLOW_COMMIT = "node1:committing#2 disk-slow for=5ms";
    private static final String SLOW_DATA = "node1:data#2 disk-slow for=5ms";

    private static Trial readers(ReadRule rule, String schedule) {
        return Trial.of(DataPath.PULL, rule)
                .seeded(1)
                .with(schedule)
                .with(new LoadSpec(LoadSpec.Op.MIX, Trial.SIZE, 120, 1, 1, 90));
    }

    @ParameterizedTest
    @CsvSource({"REJECT," + SLOW_COMMIT, "TAIL_QUERY," + SLOW_COMMIT, "REJECT," + SLOW_DATA, "TAIL_QUERY," + SLOW_DATA})
    void theRulesThatPromiseItAreLinearizable(ReadRule rule, String schedule) {
        assertThat(readers(rule, schedule).run().wrong()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"COMMITTED," + SLOW_COMMIT, "DIRTY," + SLOW_DATA})
    void theOthersShowNewBeforeOld(ReadRule rule, String schedule) {
        assertThat(readers(rule, schedule).run().wrong()).anyMatch(w -> w.contains("no read goes back"));
    }

    @Test
    void aReaderThatIsGivenWhatIsPendingIsFoundOut() {
        Trial mutant = readers(ReadRule.REJECT, SLOW_DATA).with(Mutant.NO_PENDING_CHECK);
        assertThat(mutant.run().wrong()).anyMatch(w -> w.contains("no read goes back"));
    }

    /**
     * AMO-2: all nodes die when the head has committed and before it answers, so nobody remembers who has written; the client asks again, behind newer writes of
     * others. As long as one node lives that has stood in the chain, it remembers.
     */
    @Test
    void aChainThatForgetsWhoHasWrittenWritesTwice() {
        int found = 0;
        for (int i = 0; i < 8 * WRITES; i++) { // where it shows depends on who writes next
            String step = "node0:commit#" + (i % WRITES + 2) + " crash restart=3ms";
            Trial kept = Trial.of(DataPath.INLINE, ReadRule.REJECT)
                    .seeded(1 + i / WRITES)
                    .with(step + "; " + step + " on=node1; " + step + " on=node2")
                    .with(new LoadSpec(LoadSpec.Op.MIX, Trial.SIZE, 24, 1, 1, 50));
            Trial forgets = kept.with(kept.service().withDurableChannels(false));
            if (forgets.run().wrong().stream().anyMatch(w -> w.contains("one effect for each write"))) {
                found++;
                assertThat(kept.run().wrong()).isEmpty();
            }
        }
        assertThat(found).isPositive();
    }

    /**
     * Who remembers in memory only, as 3FS does, must not come back as the head that it was: the others have seen the write, and one of them is to answer when it comes
     * again.
     */
    @Test
    void aHeadThatComesBackTooEarlyWritesTwice() {
        List<String> found = new ArrayList<>();
        for (int n = 1; n <= WRITES / 2; n++) {
            Trial whole = readers(ReadRule.REJECT, "node0:commit#" + n + " crash restart=3ms");
            Trial forgets = whole.with(whole.service().withDurableChannels(false));
            assertThat(forgets.run().wrong()).isEmpty();
            found.addAll(forgets.with(Mutant.EARLY_RETURN).run().wrong());
        }
        assertThat(found).anyMatch(w -> w.contains("one effect for each write"));
    }
}
