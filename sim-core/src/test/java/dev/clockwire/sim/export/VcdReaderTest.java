package dev.clockwire.sim.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VcdReaderTest {
    /** As another simulator writes it: blocks over several lines, ranges behind names, upper-case letters. */
    private static final String DUMP = """
        $date
          today
        $end
        $timescale 1s $end
        $scope module bench $end
        $var reg 1 ! clk $end
        $scope module dut $end
        $var wire 8 " bits [7:0] $end
        $upscope $end
        $upscope $end
        $enddefinitions $end
        #0
        $dumpvars
        bXXXX "
        x!
        $end
        #5
        b00000101 "
        1!
        #6
        b111 "
        b101 "
        #7
        0!
        1!
        """;

    @Test
    void changesOfEachSignal() {
        VcdReader vcd = VcdReader.parse(DUMP);
        assertThat(vcd.signals()).containsExactly("bench.clk", "bench.dut.bits");
        assertThat(vcd.changes("bench.clk")).containsExactly("0=x", "5=1");
        assertThat(vcd.changes("bench.dut.bits")).as("a glitch is no change").containsExactly("0=x", "5=101");
        assertThat(vcd.width("bench.dut.bits")).isEqualTo(8);
        assertThatThrownBy(() -> vcd.changes("bench.rst"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("bench.rst");
    }

    @ParameterizedTest
    @ValueSource(strings = {"$timescale 10ns $end", "$timescale\n\t10 ns\n$end", "$timescale 10\nns $end"})
    void theUnitOfTimesIsThatOfTheDump(String scale) {
        String dump = "$comment 1ps\n$end\n" + scale + "\n$version 1fs $end\n";
        assertThat(VcdReader.parse(dump).timescale()).isEqualTo("10ns");
        assertThat(VcdReader.parse("").timescale()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"$upscope $end", "$var wire 1", "$var wire x ! a $end", "1%", "b101", "hello"})
    void whatIsNoDumpIsRefusedWithItsLine(String bad) {
        assertThatThrownBy(() -> VcdReader.parse("$timescale 1ps $end\n" + bad))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("line 2");
    }
}
