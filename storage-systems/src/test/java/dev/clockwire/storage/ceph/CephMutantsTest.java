package dev.clockwire.storage.ceph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.storage.ceph.osd.Mutant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each rule that is left out is found out by the one who watches it, in a schedule in which the whole Ceph is safe. */
class CephMutantsTest {
    private static final String CUT = "node1:replicate#2 link for=900ms";

    @ParameterizedTest
    @CsvSource({
        "EARLY_ACK, false, '', CE-1",
        "NO_LOG_ENTRY, false, node1:replicate#1 crash restart=3ms, one effect for each write",
        "NO_REQUESTS, false, node0:reply#1 power restart=3ms, AMO-4",
        "NO_PATIENCE, false, node0:reply#1 power restart=3ms, CE-1",
        "DUPLICATES, true, " + CUT + ", CE-3",
        "FORGETFUL, true, " + CUT + ", CE-3",
        "OWN_LOG, false, node1:activate#1 link for=15ms, DUR-1"
    })
    void aRuleThatIsLeftOutIsFoundOut(Mutant mutant, boolean slow, String schedule, String finder) {
        CephTrial mix = CephTrial.of(CephModel.CLASSIC);
        CephTrial whole = (slow ? mix.slow() : mix).with(schedule);
        assertThat(whole.run().wrong()).as("whole").isEmpty();
        assertThat(whole.changing(c -> c.making(mutant::osd)).run().wrong())
                .as(whole.line())
                .anyMatch(w -> w.contains(finder));
    }
}
