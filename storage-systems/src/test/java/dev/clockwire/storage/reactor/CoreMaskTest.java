package dev.clockwire.storage.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.KernelMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoreMaskTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0x1|1", "F|f", "0xf0|f0", "[0]|1", "[0,2-4]|1d", "[ 1 , 3 ]|a", "[1023]|8" + "#", "0X10|10"})
    void masksAndLists(String text, String hex) {
        String expected = hex.endsWith("#") ? "8" + "0".repeat(255) : hex;
        assertThat(CoreMask.parse(text)).hasToString(expected);
        assertThat(CoreMask.parse(expected)).hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0x0|names no core",
                "xyz|is neither a mask such as 0x3 nor a list",
                "[1|lacks its closing bracket",
                "[]|has '', which is neither a core nor a range",
                "[3-1]|has the range 3-1, which ends before it begins",
                "[1024]|names core 1024: must be 0..1023",
                "[1,,2]|has '', which",
                "-1|is neither"
            })
    void mistakesAreNamed(String text, String why) {
        assertThatThrownBy(() -> CoreMask.parse(text)).hasMessageContaining("core mask '" + text + "' " + why);
    }

    /** Threads go to the cores in turn; one that may not run on the next goes to the first that it may run on. */
    @Test
    void threadsGoRound() {
        Bench b = new Bench(KernelMode.ACTIVITY, 3, Bench.SPEC);
        int[] cores = new int[7];
        for (int i = 0; i < 7; i++) {
            CoreMask allowed = CoreMask.parse(i == 3 ? "0x4" : "0xff");
            cores[i] = b.reactors.thread("t" + i, allowed).reactor().lcore();
        }
        assertThat(cores).containsExactly(0, 1, 2, 2, 0, 1, 2);
        b.sim.run(1_000_000);
        assertThat(b.reactors.reactor(2).threads()).hasSize(3);
        assertThat(b.reactors.threads()).extracting(StorageThread::id).containsExactly(1, 2, 3, 4, 5, 6, 7);
        assertThatThrownBy(() -> CoreMask.first(0)).hasMessageContaining("0 cores: must be 1..1024");
    }
}
