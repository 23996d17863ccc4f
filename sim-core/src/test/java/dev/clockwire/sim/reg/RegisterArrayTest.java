package dev.clockwire.sim.reg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Many registers of one kind, and writes of some bytes of a word. */
class RegisterArrayTest {
    private final RegisterBank bank = new RegisterBank(
            new SimNode(new Sim(SimSpec.of(1)).root(), "dev") {}, "regs", 0x100, "Registers of a test");

    private final RegisterArray rates = bank.array32(0x20, 0x10, 4, "RATE", "A rate of each");
    private final RegisterArray bursts = bank.array32(0x24, 0x10, 4, "BURST", "A burst of each");

    RegisterArrayTest() {
        rates.element().rw("value", 0, 16, 7, "Value");
        rates.element().ro("valid", 31, 1, 1, "Always one");
        bursts.element().rw("value", 0, 32, 0, "Value");
    }

    @Test
    void elementsAreApartAndKeepTheAccessRules() {
        List<Long> written = new ArrayList<>();
        rates.onWrite((i, x) -> written.add(i * 0x1_0000_0000L + x));
        assertThat(bank.read(0x30, 4)).isEqualTo(0x8000_0007L);
        bank.write(0x30, 0xFFFF_1234L, 4);
        assertThat(bank.read(0x30, 4)).isEqualTo(0x8000_1234L);
        assertThat(bank.read(0x40, 4)).isEqualTo(0x8000_0007L);
        assertThat(rates.get(1)).isEqualTo(0x8000_1234L);
        assertThat(written).containsExactly(0x1_8000_1234L);
        bank.write(0x50, 0xAAAA_BBBB_0000_0055L, 8);
        assertThat(rates.get(3)).isEqualTo(0x8000_0055L);
        assertThat(bursts.get(3)).isEqualTo(0xAAAA_BBBBL);
        assertThat(bank.read(0x50, 8)).isEqualTo(0xAAAA_BBBB_8000_0055L);
        assertThat(bank.holeAccesses()).isZero();
        bank.read(0x28, 4);
        bank.read(0x60, 4);
        assertThat(bank.holeAccesses()).isEqualTo(2);
        bank.reset();
        assertThat(bank.read(0x30, 4)).isEqualTo(0x8000_0007L);
    }

    @Test
    void someBytesOfAWord() {
        Register r = bank.reg32(0, "STATUS", "Two halves");
        r.rw("command", 0, 16, 0, "Command");
        Field events = r.rw1c("events", 16, 16, 0, "Events");
        events.raise(0xFFFF);
        bank.writeBytes(0, 0xFFFF_ABCDL, 0b0001);
        assertThat(bank.read(0, 4)).isEqualTo(0xFFFF_00CDL);
        bank.writeBytes(0, 0xFFFF_FFFFL, 0b1000);
        assertThat(bank.read(0, 4)).isEqualTo(0x00FF_00CDL);
        bank.writeBytes(0x24, 0x1122_3344L, 0b0110);
        assertThat(bursts.get(0)).isEqualTo(0x0022_3300L);
    }

    @Test
    void theTableHasOneRowForAll() {
        assertThat(bank.markdown())
                .contains("| 0x20 + 0x10 n, n < 4 | RATE | 31:0 |")
                .contains("| 15:0 | value | RW | 0x7 |");
    }

    @Test
    void aSnapshotHoldsThem() {
        rates.set(2, 99);
        Snapshot s = new Snapshot();
        bank.save(s);
        rates.set(2, 1);
        bursts.set(0, 5);
        bank.load(s);
        assertThat(rates.get(2)).isEqualTo(99);
        assertThat(bursts.get(0)).isZero();
    }

    @Test
    void overlapsAreRefused() {
        assertThatThrownBy(() -> bank.reg32(0x44, "X", "x")).hasMessageContaining("overlaps BURST");
        assertThatThrownBy(() -> bank.array32(0x30, 4, 2, "X", "x")).hasMessageContaining("overlap RATE");
        assertThatThrownBy(() -> bank.array32(0xF0, 4, 5, "X", "x")).hasMessageContaining("below 0x100");
        assertThatThrownBy(() -> bank.array32(0x80, 2, 2, "X", "x")).hasMessageContaining("every 2 bytes");
        assertThatThrownBy(() -> bank.reg32(0, "RATE", "x")).hasMessageContaining("two registers RATE");
    }
}
