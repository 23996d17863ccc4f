package dev.clockwire.nic.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The built-in profiles made anew, and what they have of each other. */
class BuiltInProfilesTest {
    private static final List<Supplier<Profile>> MAKERS = List.of(
            ArticleProfiles::first,
            ArticleProfiles::second,
            MeasuredProfiles::cx3,
            MeasuredProfiles::cx4,
            MeasuredProfiles::cx5,
            MeasuredProfiles::cx6,
            ConnectXProfiles::cx7,
            MeasuredProfiles::spark);

    @Test
    void eachIsWhatTheListHasUnderItsName() {
        TreeSet<String> names = new TreeSet<>();
        for (Supplier<Profile> maker : MAKERS) {
            Profile made = maker.get();
            Profile listed = Profiles.named(made.name());
            assertThat(made.settings()).isEqualTo(listed.settings());
            assertThat(made.title()).isEqualTo(listed.title()).isNotBlank();
            assertThat(made).hasToString(made.name());
            assertThat(made.settings().keySet())
                    .containsExactlyInAnyOrderElementsOf(
                            Parameters.all().stream().map(Param::path).toList());
            names.add(made.name());
        }
        assertThat(names)
                .containsExactlyInAnyOrderElementsOf(
                        Profiles.all().stream().map(Profile::name).toList())
                .contains(Profiles.DEFAULT);
    }

    /** The kind of link that each log was taken on. */
    @Test
    void linksAreThoseOfTheLogs() {
        for (Supplier<Profile> maker : MAKERS) {
            Profile p = maker.get();
            boolean infiniband = List.of("cx3-40g", "cx4-100g", "cx6-200g").contains(p.name());
            assertThat(p.text("link.framing")).as(p.name()).isEqualTo(infiniband ? "infiniband" : "ethernet");
        }
        assertThat(MeasuredProfiles.cx3().number("link.gbps"))
                .as("QDR: 40 Gb/s less 8b/10b")
                .isEqualTo(32);
        assertThat(MeasuredProfiles.cx4().number("link.gbps")).isEqualTo(100);
        assertThat(MeasuredProfiles.cx5().number("link.gbps")).isEqualTo(100);
        assertThat(MeasuredProfiles.cx6().number("link.gbps")).isEqualTo(200);
        assertThat(MeasuredProfiles.spark().number("link.gbps")).isEqualTo(200);
        assertThat(MeasuredProfiles.cx6().integer("nic.dma.payload_outstanding_reads"))
                .isEqualTo(96);
        assertThat(MeasuredProfiles.cx5().integer("nic.dma.payload_outstanding_reads"))
                .isEqualTo(64);
    }

    /** What a profile does not say it has from the one it starts from, with its source. */
    @Test
    void theSparkIsAConnectX7WithAnotherLinkAndSlot() {
        Profile seven = ConnectXProfiles.cx7();
        Profile spark = MeasuredProfiles.spark();
        List<String> other = Parameters.all().stream()
                .map(Param::path)
                .filter(p -> !seven.text(p).equals(spark.text(p)))
                .toList();
        assertThat(other).containsExactlyInAnyOrder("link.gbps", "link.mtu", "pcie.lanes", "host.mmio_ns");
        assertThat(Objects.requireNonNull(spark.settings().get("host.mmio_ns")).source())
                .isEqualTo("fitted: WRITE latency of 2 B");
        assertThat(Objects.requireNonNull(spark.settings().get("host.mmio_ns")).confidence())
                .isEqualTo('B');
        assertThat(spark.settings().get("nic.core_mhz"))
                .isEqualTo(seven.settings().get("nic.core_mhz"));
    }

    /** Nothing that has to be asked for is on in a built-in profile. */
    @Test
    void hostsHaveNothingThatIsBuiltOnRequest() {
        for (Supplier<Profile> maker : MAKERS) {
            Profile p = maker.get();
            assertThat(p.flag("host.iommu.enabled")).isFalse();
            assertThat(p.flag("host.ddio.modelled")).isFalse();
            assertThat(p.flag("pcie.ats")).isFalse();
            assertThat(p.number("host.stall.period_ns")).isZero();
            assertThat(p.number("host.jitter.median_ns")).isZero();
            assertThat(p.flag("host.isolcpus")).isTrue();
            assertThat(p.text("host.huge_pages")).isEqualTo("never");
            assertThat(p.integer("host.iommu.iotlb_entries")).isEqualTo(64);
            assertThat(p.picoseconds("host.iommu.walk_ns")).isEqualTo(330_000);
        }
    }

    @Test
    void aProfileThatLacksAParameterIsOurMistake() {
        ProfileBuilder b = new ProfileBuilder().source('A', "here").set("link.gbps", 25);
        assertThatThrownBy(() -> b.build("half", "a half")).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> b.set("link.gbps", 0)).isInstanceOf(ConfigurationException.class);
        Profile whole = ProfileBuilder.from(ConnectXProfiles.cx7())
                .source('A', "here")
                .set("link.gbps", 25)
                .build("mine", "my card");
        assertThat(whole.settings().get("link.gbps")).isEqualTo(new Setting("25", "here", 'A'));
        assertThat(whole.title()).isEqualTo("my card");
        assertThat(whole.number("link.gbps")).isEqualTo(25);
    }

    @Test
    void anOverrideIsSeenInTheName() {
        Profile p = Profiles.named("cx7-400g").with("link.gbps", " 100 ").with("link.cable_ns", "1.5");
        assertThat(p).hasToString("cx7-400g -P link.cable_ns=1.5 -P link.gbps=100");
        assertThat(p.name()).isEqualTo("cx7-400g");
        assertThat(p.picoseconds("link.cable_ns")).isEqualTo(1500);
        assertThat(p.wholeNumber("link.gbps")).isEqualTo(100);
        assertThat(p.flag("host.isolcpus")).isTrue();
        assertThat(p.with("host.isolcpus", "false").flag("host.isolcpus")).isFalse();
    }

    @Test
    void valuesThatDoNotGoTogetherAreNamedTogether() {
        Profile p = Profiles.named("cx7-400g");
        assertThat(p.together(() -> "made", "link.gbps")).isEqualTo("made");
        assertThatThrownBy(() -> p.together(
                        () -> {
                            throw new ConfigurationException("too few");
                        },
                        "link.mtu",
                        "pcie.lanes"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("link.mtu=4096 pcie.lanes=" + p.text("pcie.lanes") + ": too few")
                .hasCauseInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> p.text("link.speed"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("link.speed");
    }
}
