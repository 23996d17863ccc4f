package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Allocation;
import org.junit.jupiter.api.Test;

/** A lab can be recorded until its program has queue pairs; then it says which part cannot. */
class LabSnapshotTest {
    private final Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), LabSpec.of(1));

    @Test
    void aFreshLabIsRecordedAndRestored() {
        var snapshot = lab.sim().save();
        lab.sim().run(1_000_000);
        lab.sim().restore(snapshot);
        assertThat(lab.sim().now()).isZero();
    }

    @Test
    void aControlVerbOnItsWayIsNamed() {
        var verb = lab.a().context().allocPd();
        assertThatThrownBy(lab.sim()::save)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("host0.nic.driver")
                .hasMessageContaining("control verbs");
        assertThat(lab.await(verb)).isNotNull();
    }

    @Test
    void ringsOfQueuePairsAreNamed() {
        new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        assertThatThrownBy(lab.sim()::save)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("host0.nic.driver")
                .hasMessageContaining("rings of 1 queue pairs");
    }
}
