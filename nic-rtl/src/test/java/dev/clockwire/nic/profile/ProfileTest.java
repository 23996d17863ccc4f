package dev.clockwire.nic.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ProfileTest {
    @Test
    void everyProfileSetsEveryParameterWithASource() {
        for (Profile p : Profiles.all()) {
            for (Param param : Parameters.all()) {
                Setting s = Objects.requireNonNull(p.settings().get(param.path()), p.name() + " " + param.path());

                assertThat(s.source()).as(p.name() + " " + param.path()).isNotBlank();
                assertThat(s.confidence()).isBetween('A', 'C');
            }
            assertThat(p.settings()).hasSize(Parameters.all().size());
        }
    }

    @Test
    void pathsAreUnique() {
        TreeSet<String> seen = new TreeSet<>();
        for (Param p : Parameters.all()) {
            assertThat(seen.add(p.path())).as(p.path()).isTrue();
        }
    }

    @Test
    void unknownNamesBringTheNearestOne() {
        assertThatThrownBy(() -> Profiles.named("cx6-220g"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("cx6-220g")
                .hasMessageContaining("cx6-200g");
        assertThatThrownBy(() -> Profiles.named(null))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("null");
        assertThatThrownBy(() -> Profiles.named("cx7-400g").with("nic.dma.payload_outstanding_read", "4"))
                .hasMessageContaining("nic.dma.payload_outstanding_reads");
    }

    @Test
    void badValuesBringTheRange() {
        Profile p = Profiles.named("cx7-400g");
        assertThatThrownBy(() -> p.with("pcie.lanes", "3"))
                .hasMessageContaining("lanes=3")
                .hasMessageContaining("16");
        assertThatThrownBy(() -> p.with("nic.core_mhz", "0")).hasMessageContaining("1 to 4000 MHz");
        assertThatThrownBy(() -> p.with("nic.core_mhz", "2.5")).hasMessageContaining("whole number");
        assertThatThrownBy(() -> p.with("link.gbps", "fast")).hasMessageContaining("link.gbps=fast");
        assertThatThrownBy(() -> p.with("link.gbps", "NaN")).hasMessageContaining("NaN");
        assertThatThrownBy(() -> p.with("nic.blueflame", "yes")).hasMessageContaining("true, false");
    }

    @Test
    void anOverrideChangesOneValueOfACopy() {
        Profile p = Profiles.named("article-1");
        Profile q = p.with("nic.dma.payload_outstanding_reads", "16");
        assertThat(p.integer("nic.dma.payload_outstanding_reads")).isEqualTo(1);
        assertThat(q.integer("nic.dma.payload_outstanding_reads")).isEqualTo(16);
        assertThat(q.with("nic.dma.payload_outstanding_reads", "1").settings().keySet())
                .isEqualTo(p.settings().keySet());
    }

    @Test
    void theHashIsThatOfTheValues() {
        Profile own = Profiles.named("cx7-400g");
        Profile eight = own.with("pcie.lanes", "8");
        assertThat(own.hash())
                .matches("[0-9a-f]{16}")
                .isEqualTo(own.titled("other").hash());
        assertThat(eight.hash()).isNotEqualTo(own.hash());
        assertThat(eight.with("pcie.lanes", own.text("pcie.lanes"), "file", 'A').hash())
                .isEqualTo(own.hash());
        assertThat(own.with("host.queue_read_ns", "150.0").hash())
                .isEqualTo(own.with("host.queue_read_ns", "1.5e2").hash());
        assertThat(eight.differs(own, "pcie.lanes")).isTrue();
        assertThat(own.with("host.queue_read_ns", "150.0")
                        .differs(own.with("host.queue_read_ns", "150"), "host.queue_read_ns"))
                .isFalse();
    }
}
