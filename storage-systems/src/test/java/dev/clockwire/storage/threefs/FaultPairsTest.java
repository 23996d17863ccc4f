package dev.clockwire.storage.threefs;

import dev.clockwire.storage.threefs.rpc.DataPath;
import dev.clockwire.storage.threefs.rpc.Transfer;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two and three faults in one run, drawn from all steps, machines and times: also while a chain recovers from the first. A few of them in every build, thousands in the full
 * suite; {@code -Dclockwire.faults.seed} draws others.
 */
class FaultPairsTest {
    private static final long SEED = Long.getLong("clockwire.faults.seed", 1);

    private static void judge(DataPath path, int n, int faults) {
        Trial.assertSafe(new Schedules(path, Transfer.usual(), SEED).sample(n, faults));
    }

    @ParameterizedTest
    @CsvSource({"PULL, 2", "PUSH, 3", "INLINE, 2"})
    void aFewLoseNothing(DataPath path, int faults) {
        judge(path, 5, faults);
    }

    @EnabledIfSystemProperty(named = "clockwire.full", matches = "true")
    @ParameterizedTest
    @EnumSource(DataPath.class)
    void pairsLoseNothing(DataPath path) {
        judge(path, 3000, 2);
    }

    @EnabledIfSystemProperty(named = "clockwire.full", matches = "true")
    @ParameterizedTest
    @EnumSource(DataPath.class)
    void triplesLoseNothing(DataPath path) {
        judge(path, 500, 3);
    }
}
