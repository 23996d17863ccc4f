package dev.clockwire.storage.software;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Param;
import dev.clockwire.nic.profile.Parameters;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.app.AppCosts;
import dev.clockwire.storage.nvmf.initiator.InitiatorSpec;
import dev.clockwire.storage.nvmf.lab.NvmfLabSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SpdkCostsTest {
    private static final String HOST = "nqn.2016-06.io.spdk:h";

    static List<String> profiles() {
        return Profiles.all().stream().map(Profile::name).toList();
    }

    static List<String> paths() {
        return Parameters.all().stream()
                .map(Param::path)
                .filter(p -> p.startsWith("host.spdk."))
                .toList();
    }

    /** What a program without a profile has. */
    @ParameterizedTest
    @MethodSource("profiles")
    void profilesSayWhatTheCodeSays(String name) {
        Profile p = Profiles.named(name);
        assertThat(AppCosts.of(p)).isEqualTo(AppCosts.server());
        assertThat(SpdkCosts.initiator(p, HOST)).isEqualTo(InitiatorSpec.spdk(HOST));
    }

    /** Each parameter reaches the programs: another value makes other costs. */
    @ParameterizedTest
    @MethodSource("paths")
    void eachParameterReachesSomething(String path) {
        Profile usual = Profiles.named(Profiles.DEFAULT);
        Profile other = usual.with(path, path.endsWith("_pool") ? "3000" : "200");
        boolean moved = !AppCosts.of(other).equals(AppCosts.of(usual))
                || !SpdkCosts.initiator(other, HOST).equals(SpdkCosts.initiator(usual, HOST));
        assertThat(moved).isTrue();
        assertThat(usual.settings())
                .hasEntrySatisfying(path, x -> assertThat(x.source()).isNotEmpty());
    }

    @Test
    void systemsHaveThem() {
        Profile p = Profiles.named(Profiles.DEFAULT)
                .with("host.spdk.call_ns", "8")
                .with("host.spdk.bdev_submit_ns", "41")
                .with("host.spdk.target_parse_ns", "81")
                .with("host.spdk.host_build_ns", "26");
        NvmfLabSpec s = NvmfLabSpec.spdk(p, LabSpec.of(1), List.of(NvmeSpec.of("null")));
        assertThat(s.reactors().callPs()).isEqualTo(8_000);
        assertThat(s.layer().submitPs()).isEqualTo(41_000);
        assertThat(s.target().parsePs()).isEqualTo(81_000);
        assertThat(s.initiator().buildPs()).isEqualTo(26_000);
    }

    @Test
    void valuesThatDoNotFitAreNamed() {
        Profile p = Profiles.named(Profiles.DEFAULT).with("host.spdk.message_pool", "10");
        assertThatThrownBy(() -> SpdkCosts.of(p))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("host.spdk.message_pool");
    }
}
