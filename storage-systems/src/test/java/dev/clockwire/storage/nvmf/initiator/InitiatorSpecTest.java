package dev.clockwire.storage.nvmf.initiator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InitiatorSpecTest {
    private static final InitiatorSpec SPDK = InitiatorSpec.spdk("nqn.2016-06.io.spdk:host");

    @Test
    void theDefaultsAreThoseOfSpdk() {
        assertThat(SPDK.adminEntries()).isEqualTo(32);
        assertThat(SPDK.ioEntries()).isEqualTo(256);
        assertThat(SPDK.keepAliveMs()).isEqualTo(10_000);
        assertThat(SPDK.retryCount()).isEqualTo(4);
        assertThat(SPDK.adminPollPs()).isEqualTo(10_000_000_000L);
        assertThat(SPDK.lossTimeoutPs()).isZero();
    }

    @Test
    void rangesAreChecked() {
        assertThat(SPDK.withQueues(65_535, 65_535).ioEntries()).isEqualTo(65_535);
        assertThatThrownBy(() -> SPDK.withQueues(65_536, 2)).hasMessage("nvmf.host.ioQueues 65536 is not in 0..65535");
        assertThatThrownBy(() -> SPDK.withQueues(1, 1)).hasMessage("nvmf.host.ioEntries 1 is not in 2..65535");
        assertThatThrownBy(() -> SPDK.withKeepAlive(-1)).hasMessageContaining("nvmf.host.keepAliveMs -1");
        assertThatThrownBy(() -> SPDK.withAdminPoll(0)).hasMessageContaining("nvmf.host.adminPollPs 0");
        assertThatThrownBy(() -> SPDK.withCommandTimeout(-1)).hasMessageContaining("nvmf.host.commandTimeoutPs -1");
    }

    /** As SPDK's bdev_nvme has it: delay and loss timeout together, the early failure between them. */
    @ParameterizedTest
    @CsvSource({
        "0,0,0,true",
        "5,50,0,true",
        "5,50,5,true",
        "5,50,50,true",
        "5,0,0,false",
        "0,50,0,false",
        "5,50,4,false",
        "5,50,51,false"
    })
    void timesFitTogether(long delay, long loss, long fast, boolean good) {
        if (good) {
            assertThat(SPDK.withReconnect(delay, loss, fast).fastFailPs()).isEqualTo(fast);
        } else {
            assertThatThrownBy(() -> SPDK.withReconnect(delay, loss, fast)).isInstanceOf(ConfigurationException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0", "10.0.0.256", "10.0.0.x", "", "10.0.0.0.1", "fd00::1"})
    void addressesAreChecked(String text) {
        assertThatThrownBy(() -> new SubsystemAddress(text, 4420, "nqn"))
                .hasMessage("traddr '" + text + "': must be four numbers of 0..255 with dots");
    }

    @Test
    void portsAreChecked() {
        assertThat(new SubsystemAddress("10.0.0.2", 65_535, "n").gid().ipv4()).isEqualTo(10 << 24 | 2);
        assertThatThrownBy(() -> new SubsystemAddress("10.0.0.2", 0, "n")).hasMessage("trsvcid 0 is not in 1..65535");
        assertThatThrownBy(() -> new SubsystemAddress("10.0.0.2", 65_536, "n"))
                .hasMessage("trsvcid 65536 is not in 1..65535");
    }
}
