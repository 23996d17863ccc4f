package dev.clockwire.storage.threefs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.server.Mutant;
import dev.clockwire.storage.threefs.server.ReadRule;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each rule that is left out is found out by somebody who looks on, in a schedule in which the whole store is safe. */
class MutantsTest {
    private static Trial trial(DataPath path, long seed, String schedule) {
        return Trial.of(path, ReadRule.REJECT).seeded(seed).with(schedule);
    }

    @ParameterizedTest
    @CsvSource({
        "NO_LOCK, PULL, 7, ''",
        "EARLY_ACK, PULL, 7, ''",
        "PARTIAL_SYNC, PULL, 7, node1:lock#1 crash restart=3ms"
    })
    void aRuleThatIsLeftOutIsFoundOut(Mutant flaw, DataPath path, long seed, String schedule) {
        Trial whole = trial(path, seed, schedule);
        assertThat(whole.run().wrong()).as("whole").isEmpty();
        assertThat(whole.with(flaw).run().wrong()).as(whole.line()).isNotEmpty();
    }
}
