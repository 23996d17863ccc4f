package dev.clockwire.bench.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.driver.EthernetSpec;
import dev.clockwire.nic.driver.NicEthernet;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code ethtool -c} says about adaptive moderation is what the driver does. */
class AdaptiveTextTest {
    private final Lab lab = Lab.twoHosts(Profiles.named("cx7-400g").with("nic.eth.queues", "1"), LabSpec.of(1));

    private String adaptive(boolean second) {
        return new DeviceText(lab, second, List.of(), "mlx5_0", "test")
                .lines(DeviceFormat.ETHTOOL_C).stream()
                        .filter(line -> line.startsWith("Adaptive"))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void itIsWhatTheDriverDoes() {
        assertThat(adaptive(false)).isEqualTo("Adaptive RX: n/a  TX: n/a");
        NicEthernet queues = lab.await(lab.a().openEthernet(EthernetSpec.of(1), q -> {}));
        assertThat(adaptive(false)).isEqualTo("Adaptive RX: off  TX: n/a");
        lab.await(queues.adaptive(0, true));
        assertThat(adaptive(false)).isEqualTo("Adaptive RX: on  TX: n/a");
        lab.await(queues.adaptive(0, false));
        assertThat(adaptive(false)).isEqualTo("Adaptive RX: off  TX: n/a");
        assertThat(adaptive(true)).as("the other host").isEqualTo("Adaptive RX: n/a  TX: n/a");
    }
}
