package dev.clockwire.storage.ceph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.storage.ceph.osd.Mutant;
import dev.clockwire.storage.load.LoadSpec;
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

    /** One object, its group's primary is node0: most of these need somebody to write what is being written. */
    @ParameterizedTest
    @CsvSource({
        "NO_OBJECT_LOCK, 60, 1, 'node0:repop#1 link for=5ms on=node1; node0:repop#1 link for=5ms on=node2;"
                + " node0:read.answer#3 crash restart=60ms after=20us', one effect for each write",
        "ANY_INTERVAL, 2400, 1, 'node0:reply#1 crash restart=30ms;"
                + " node0:reply#1 partition for=8ms on=node1 from=node2 after=26ms', CE-2"
    })
    void aRuleThatIsLeftOutIsFoundOutWhereSeveralMeet(
            Mutant mutant, int ops, long seed, String schedule, String finder) {
        CephTrial whole = CephTrial.of(CephModel.CLASSIC)
                .with(new LoadSpec(LoadSpec.Op.MIX, CephTrial.SIZE, ops, 1, 1, 50))
                .seeded(seed)
                .with(schedule);
        assertThat(whole.run().wrong()).as("whole").isEmpty();
        assertThat(whole.changing(c -> c.making(mutant::osd)).run().wrong())
                .as(whole.line())
                .anyMatch(w -> w.contains(finder));
    }
}
