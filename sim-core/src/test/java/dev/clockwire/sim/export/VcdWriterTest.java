package dev.clockwire.sim.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.trace.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VcdWriterTest {
    private final Signals signals = new Signals();
    private final StringBuilder out = new StringBuilder();

    @Test
    void theFileIsAsTheStandardWantsIt() {
        int valid = signals.vector("host0.nic.tx.valid", 1);
        int state = signals.states("host0.nic.fsm", List.of("IDLE", "RUN"));
        int top = signals.vector("top", 8);
        VcdWriter w = new VcdWriter(signals, out);
        w.change(state, 0, 0);
        w.change(valid, 3103, 1);
        w.change(top, 3103, 0x1A5);
        w.change(valid, 6206, 1);
        w.change(state, 6206, 1);
        w.finish(9309);
        assertThat(out).hasToString("""
                        $version Clockwire $end
                        $timescale 1ps $end
                        $var wire 8 # top [7:0] $end
                        $scope module host0 $end
                        $scope module nic $end
                        $var wire 32 " fsm [31:0] $end
                        $scope module tx $end
                        $var wire 1 ! valid $end
                        $upscope $end
                        $upscope $end
                        $upscope $end
                        $enddefinitions $end
                        #0
                        $dumpvars
                        x!
                        b01001001010001000100110001000101 "
                        bx #
                        $end
                        #3103
                        1!
                        b10100101 #
                        #6206
                        b01010010010101010100111000000000 "
                        #9309
                        """);
    }

    @Test
    void glitchesWithinAnInstantDoNotShow() {
        int s = signals.vector("s", 4);
        VcdWriter w = new VcdWriter(signals, out);
        w.change(s, 10, 1);
        w.change(s, 20, 2);
        w.change(s, 20, 1);
        w.change(s, 30, 2);
        w.finish(30);
        assertThat(VcdReader.parse(out.toString()).changes("s")).containsExactly("0=x", "10=1", "30=10");
        assertThat(out.toString()).doesNotContain("#20");
    }

    @Test
    void aWindowStartsWithTheValuesThen() {
        int a = signals.vector("a", 4);
        int b = signals.vector("b", 4);
        VcdWriter w = new VcdWriter(signals, out, 100, 200);
        w.change(a, 10, 1);
        w.change(a, 90, 2);
        w.change(a, 150, 3);
        w.change(b, 199, 4);
        w.change(a, 200, 5);
        w.finish(1000);
        VcdReader vcd = VcdReader.parse(out.toString());
        assertThat(vcd.changes("a")).containsExactly("100=10", "150=11");
        assertThat(vcd.changes("b")).containsExactly("100=x", "199=100");
        assertThat(out.toString()).endsWith("#200\n");
    }

    @Test
    void aChangeAtTheStartOfTheWindowIsItsFirstValue() {
        int a = signals.vector("a", 4);
        VcdWriter w = new VcdWriter(signals, out, 100, 200);
        w.change(a, 10, 1);
        w.change(a, 100, 2);
        w.finish(150);
        assertThat(VcdReader.parse(out.toString()).changes("a")).containsExactly("100=10");
        assertThat(out.toString()).endsWith("#150\n");
    }

    @Test
    void aWindowWithoutChangesShowsTheValuesHeld() {
        int a = signals.vector("a", 4);
        VcdWriter w = new VcdWriter(signals, out, 100, 200);
        w.change(a, 10, 1);
        w.finish(1000);
        assertThat(VcdReader.parse(out.toString()).changes("a")).containsExactly("100=1");
        assertThat(out.toString()).endsWith("#200\n");
    }

    @Test
    void wrongUseIsRefused() {
        int a = signals.vector("a", 64);
        assertThatThrownBy(() -> signals.vector("a", 1)).hasMessageContaining("declared twice");
        assertThatThrownBy(() -> signals.vector("b", 65)).hasMessageContaining("must be 1 to 64");
        assertThatThrownBy(() -> signals.vector("b c", 1)).isInstanceOf(ConfigurationException.class);
        VcdWriter w = new VcdWriter(signals, out);
        w.change(a, 10, -1);
        assertThatThrownBy(() -> w.change(a, 9, 0)).isInstanceOf(InvariantViolation.class);
    }

    @Test
    void gtkwavesConverterReadsIt(@TempDir Path dir) throws IOException, InterruptedException {
        for (int i = 0; i < 200; i++) {
            signals.vector("host" + i % 3 + ".unit" + i % 7 + "[" + i + "].data", 1 + i % 64);
        }
        int state = signals.states("host0.fsm", List.of("FAST_RECOVERY", "ADDITIVE", "HYPER"));
        VcdWriter w = new VcdWriter(signals, out);
        long x = 1;
        for (int i = 1; i < 5000; i++) {
            x = x * 6364136223846793005L + 1442695040888963407L;
            w.change((int) (x >>> 33) % 200, i * 17L, x);
            w.change(state, i * 17L, i % 3);
        }
        w.finish(5000 * 17L);
        Path vcd = dir.resolve("waves.vcd");
        Files.writeString(vcd, out);
        Judge.run(dir, vcd, "vcd2fst", "waves.vcd", "waves.fst");
        String back = Judge.run(dir, vcd, "fst2vcd", "waves.fst");

        VcdReader ours = VcdReader.parse(out.toString());
        VcdReader theirs = VcdReader.parse(back);
        assertThat(theirs.signals()).isEqualTo(ours.signals());
        for (String name : ours.signals()) {
            assertThat(theirs.width(name)).isEqualTo(ours.width(name));
            assertThat(theirs.changes(name)).isEqualTo(ours.changes(name));
        }
    }
}
