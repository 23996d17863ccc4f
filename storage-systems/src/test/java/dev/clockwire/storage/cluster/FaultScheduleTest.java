package dev.clockwire.storage.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One line says everything about a schedule, and what it cannot mean is refused by name. */
class FaultScheduleTest {
    private static final long MS = 1_000_000_000L;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "node1:commit#1 crash restart=3ms",
                "node0:forward#2 link for=5ms on=client0",
                "node2:data#1 power restart=500us after=20ns; node0:written#3 exit",
                "node0:commit#1 partition for=30ms from=mgmt0; client1:submit#2 partition for=1ms on=node1 from=node2"
                        + " after=5us",
                "node1:lock#12 disk-slow for=2s; node1:answer#1 reset; mgmt0:lock#1 pause for=1ms"
            })
    void aLineIsReadAndWrittenTheSame(String line) {
        assertThat(FaultSchedule.parse(line).text()).isEqualTo(line);
    }

    @Test
    void aLineSaysWhatIsMeant() {
        FaultStrike s = FaultSchedule.parse(" node1:commit#4   crash restart=3ms after=7us ")
                .strikes()
                .get(0);
        assertThat(s)
                .isEqualTo(new FaultStrike(
                        "node1", "commit", 4, FaultStrike.What.CRASH, "node1", "", 3 * MS, MS / 1000 * 7));
        assertThat(FaultSchedule.parse("").strikes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "node1:commit crash|NODE:STEP#N",
                "node1:commit#0 crash|behind # comes a number from 1 on",
                "node1:commit#1 crsh|unknown action 'crsh'; did you mean crash?",
                "node1:commit#1 crash restrt=3ms|did you mean restart?",
                "node1:commit#1 link|needs a time",
                "node1:commit#1 crash restart=1ms restart=2ms|says restart= twice",
                "node1:commit#1 exit for=3ms|exit for=3ms: a process that ends is begun anew at once",
                "node1:commit#1 exit restart=0s|exit has no time",
                "node1:commit#1 exit from=node2|of exit; known are after, on",
                "node1:commit#1 partition for=1ms|says from whom else",
                "node1:commit#1 partition for=1ms from=node1|says from whom else",
                "node1:commit#1 link for=1ms from=node2|unknown option 'from=node2' of link",
                "node1:commit#1 link for=3m|'3m' is not a time such as 3ms"
            })
    void whatCannotBeReadIsRefused(String line, String words) {
        assertThatThrownBy(() -> FaultSchedule.parse(line))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(words);
    }

    @ParameterizedTest
    @CsvSource({
        "nod1:commit#1 crash, did you mean node1?",
        "node1:comit#1 crash, did you mean commit?",
        "node1:commit#1 partition for=1ms from=clint0, did you mean client0?",
        "node1:commit#1 crash on=client0, only storage nodes"
    })
    void whatThereIsNotIsRefused(String line, String words) {
        assertThatThrownBy(() -> FaultSchedule.parse(line).check(List.of("node1", "client0"), List.of("commit")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(words);
    }
}
