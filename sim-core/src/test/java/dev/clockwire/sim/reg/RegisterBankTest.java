package dev.clockwire.sim.reg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.trace.Signals;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegisterBankTest {
    private static final class Mac extends SimNode {
        final RegisterBank csr = state(new RegisterBank(this, "csr", 0x40, "MAC registers"));
        final List<String> effects = new ArrayList<>();
        final Register ctrl = csr.reg32(0x00, "CTRL", "control");
        final Field enable = ctrl.rw("enable", 0, 1, 0, "frames pass");
        final Field mtu = ctrl.rw("mtu", 16, 14, 1500, "largest frame | in bytes");
        final Field link = ctrl.ro("link", 1, 1, 1, "link is up");
        final Register irq = csr.reg32(0x08, "IRQ", "events");
        final Field error = irq.rw1c("error", 0, 4, 0, "receive errors");
        final Register frames = csr.reg64(0x10, "FRAMES", "frames received");
        long received = 0x1_0000_0005L;
        final Register bell = csr.reg64(0x18, "BELL", "doorbell");
        final Field index = bell.wo("index", 0, 64, "producer index");
        final Register scratch = csr.reg64(0x20, "SCRATCH", "free");
        final Field low = scratch.rw("low", 0, 32, 0xFFFF_FFFFL, "low half");
        final Field high = scratch.rw("high", 32, 32, 0, "high half");
        final Register next = csr.reg32(0x04, "STATUS", "declared out of order");

        Mac(Sim sim) {
            super(sim.root(), "mac");
            frames.ro("count", 0, 64, () -> received, "since reset");
            frames.onRead(() -> effects.add("frames read"));
            bell.onWrite(x -> effects.add("bell 0x" + Long.toHexString(x)));
            irq.onWrite(x -> effects.add("irq " + x));
            next.rw("all", 0, 32, 7, "");
        }
    }

    private final Sim sim = new Sim(SimSpec.of(1));
    private final Mac mac = new Mac(sim);
    private final RegisterBank csr = mac.csr;

    @Test
    void resetValuesAndReservedBits() {
        assertThat(csr.read(0, 4)).isEqualTo(1500L << 16 | 2);
        csr.write(0, -1, 4);
        assertThat(csr.read(0, 4)).isEqualTo(0x3FFF_0003L);
        assertThat(mac.enable.isSet()).isTrue();
        assertThat(mac.mtu.get()).isEqualTo(0x3FFF);
        csr.write(0, 0, 4);
        assertThat(csr.read(0, 4)).as("read-only bit stays").isEqualTo(2);
        mac.link.set(0);
        assertThat(csr.read(0, 4)).isZero();
        csr.reset();
        assertThat(csr.read(0, 4)).isEqualTo(1500L << 16 | 2);
    }

    @Test
    void eventsAreClearedByWritingOnes() {
        mac.error.raise(0b0101);
        mac.error.raise(0b0010);
        assertThat(csr.read(8, 4)).isEqualTo(0b0111);
        csr.write(8, 0b1101, 4);
        assertThat(csr.read(8, 4)).isEqualTo(0b0010);
        assertThat(mac.effects).containsExactly("irq 13");
    }

    @Test
    void writeOnlyFieldsReadZeroButHardwareSeesThem() {
        csr.write(0x18, 0x1122334455667788L, 8);
        assertThat(csr.read(0x18, 8)).isZero();
        assertThat(mac.index.get()).isEqualTo(0x1122334455667788L);
        csr.write(0x1C, 0x99L, 4);
        assertThat(mac.index.get()).isEqualTo(0x0000009955667788L);
        assertThat(mac.effects).containsExactly("bell 0x1122334455667788", "bell 0x9900000000");
    }

    @Test
    void readsFromTheModelAndHalves() {
        assertThat(csr.read(0x10, 8)).isEqualTo(0x1_0000_0005L);
        assertThat(csr.read(0x10, 4)).isEqualTo(5);
        assertThat(csr.read(0x14, 4)).isEqualTo(1);
        csr.write(0x10, 99, 8);
        assertThat(csr.read(0x10, 8)).isEqualTo(0x1_0000_0005L);
        assertThat(mac.effects).hasSize(4).containsOnly("frames read");
        csr.write(0x24, 0xFFFF_FFFF_1234_5678L, 4);
        assertThat(csr.read(0x20, 8)).isEqualTo(0x1234_5678_FFFF_FFFFL);
        assertThat(mac.low.get()).isEqualTo(0xFFFF_FFFFL);
        assertThat(mac.high.get()).isEqualTo(0x1234_5678L);
    }

    @Test
    void eightBytesOverTwoRegisters() {
        assertThat(csr.read(0, 8)).isEqualTo(7L << 32 | 1500L << 16 | 2);
        csr.write(0, 0x55L << 32 | 1, 8);
        assertThat(csr.read(4, 4)).isEqualTo(0x55);
        assertThat(csr.read(0, 4)).isEqualTo(3);
        assertThat(csr.holeAccesses()).isZero();
    }

    @Test
    void holesReadZeroAndAreCounted() {
        assertThat(csr.read(0x30, 8)).isZero();
        csr.write(0x30, 5, 4);
        assertThat(csr.read(8, 8)).isZero();
        assertThat(csr.holeAccesses()).isEqualTo(4);
        for (long[] wrong : new long[][] {{2, 4}, {4, 8}, {0x40, 4}, {-4, 4}, {0, 2}, {0, 1}}) {
            assertThatThrownBy(() -> csr.read(wrong[0], (int) wrong[1]))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("below 0x40");
        }
    }

    @Test
    void declarationsAreCheckedBeforeTimeZero() {
        assertThatThrownBy(() -> csr.reg32(0x24, "X", ""))
                .hasMessage("mac.csr: register X at 0x24 overlaps SCRATCH at 0x20");
        assertThatThrownBy(() -> csr.reg64(0x28 + 4, "X", "")).hasMessageContaining("multiple of 8 below 0x40");
        assertThatThrownBy(() -> csr.reg32(0x40, "X", "")).hasMessageContaining("below 0x40");
        assertThatThrownBy(() -> csr.reg32(0x3C, "CTRL", "")).hasMessageContaining("two registers CTRL");
        Register r = csr.reg32(0x38, "R", "");
        r.rw("a", 4, 4, 0, "");
        assertThatThrownBy(() -> r.rw("b", 7, 2, 0, "")).hasMessage("mac.csr.R: field b: its bits overlap those of a");
        assertThatThrownBy(() -> r.rw("b", 30, 3, 0, "")).hasMessageContaining("do not lie in 0 to 31");
        assertThatThrownBy(() -> r.rw("a", 8, 2, 0, "")).hasMessageContaining("one of that name");
        assertThatThrownBy(() -> r.rw("b", 8, 2, 4, "")).hasMessageContaining("more than 2 bits");
        assertThatThrownBy(() -> csr.register("CTLR")).hasMessageContaining("did you mean CTRL?");
        assertThat(csr.register("IRQ")).isSameAs(mac.irq);
        assertThatThrownBy(() -> new RegisterBank(mac, "bad", 6, "")).hasMessageContaining("size 6");
        assertThatThrownBy(() -> mac.mtu.set(1 << 14)).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> mac.frames.fields().get(0).set(0)).hasMessageContaining("read from the model");
    }

    @Test
    void theTableListsRegistersAndFieldsInOrder() {
        assertThat(csr.markdown())
                .startsWith("""
                        ### MAC registers

                        | offset | register | bits | field | access | reset | meaning |
                        |---|---|---|---|---|---|---|
                        | 0x000 | CTRL | 31:0 | | | | control |
                        | | | 0 | enable | RW | 0x0 | frames pass |
                        | | | 1 | link | RO | 0x1 | link is up |
                        | | | 29:16 | mtu | RW | 0x5dc | largest frame \\| in bytes |
                        | 0x004 | STATUS | 31:0 | | | | declared out of order |
                        """)
                .contains("| | | 63:0 | index | WO | - | producer index |")
                .contains("| | | 63:0 | count | RO | - | since reset |");
    }

    @Test
    void wavesShowChangesOnly() {
        Signals signals = new Signals();
        List<String> seen = new ArrayList<>();
        signals.vector("other", 1);
        csr.trace(signals, (s, ps, v) -> seen.add(signals.path(s) + "=" + v), 0);
        assertThat(seen).hasSize(6).contains("mac.csr.CTRL=98304002");
        seen.clear();
        csr.write(4, 7, 4);
        csr.write(4, 8, 4);
        mac.error.raise(1);
        assertThat(seen).containsExactly("mac.csr.STATUS=8", "mac.csr.IRQ=1");
        assertThat(signals.width(3)).isEqualTo(32);
        assertThatThrownBy(() -> csr.trace(signals, (s, ps, v) -> {}, 0)).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void aSnapshotHoldsAllRegisters() {
        csr.write(0x20, 42, 8);
        csr.read(0x30, 4);
        Snapshot s = sim.save();
        csr.write(0x20, 43, 8);
        csr.reset();
        csr.read(0x30, 4);
        sim.restore(s);
        assertThat(csr.read(0x20, 8)).isEqualTo(42);
        assertThat(csr.holeAccesses()).isEqualTo(1);
    }
}
