package dev.clockwire.pcie.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.config.BarSpec;
import dev.clockwire.pcie.endpoint.PcieEndpoint;
import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.pcie.host.HostSpec;
import dev.clockwire.pcie.host.RootPort;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import org.junit.jupiter.api.Test;

/** What firmware reads in the bridges of a switch: layout of type 1 headers, base specification, 7.5.1.3. */
class SwitchConfigTest {
    private static final PcieLinkSpec LINK = PcieLinkSpec.of(4, 8);
    private static final int UP = 0x100;
    private static final int FIRST = 0x200;
    private static final int SECOND = 0x208;
    private static final int THIRD = 0x210;

    private static final int NARROW = 0x20;
    private static final int WIDE = 0x24;
    private static final int WIDE_BASE = 0x28;
    private static final int WIDE_LIMIT = 0x2C;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final Host host = new Host(sim.root(), "host0", HostSpec.server(), CpuSpec.server(), PayloadMode.BYTES);
    private final PcieSwitch fabric =
            new PcieSwitch(sim.root(), "switch0", new PcieSwitchSpec(90_000, false), LINK, UP);
    private final RootPort port;

    SwitchConfigTest() {
        device(0x300, 4 << 20, true);
        device(0x400, 1 << 12, true);
        device(0x500, 1 << 12, false);
        port = host.attach(fabric, 0);
    }

    private void device(int id, int bytes, boolean wide) {
        PcieEndpoint device = new PcieEndpoint(sim.root(), "ep" + id, LINK, id);
        device.bar(new BarSpec(0, bytes, wide, wide));
        fabric.attach(device);
    }

    private long word(int id, int at) {
        port.config().read(id, at, 4);
        assertThat(sim.runUntil(() -> !port.config().busy(), sim.now() + 10_000_000))
                .isTrue();
        return port.config().value();
    }

    /** Windows are whole MiB: 4 MiB from 0x2000_0000_0000 on, then 4 KiB in the next MiB; the narrow one begins at 2 GiB. */
    @Test
    void theWindowsOfAPortAreThoseBehindIt() {
        assertThat(word(FIRST, WIDE)).isEqualTo(0x0031_0001L);
        assertThat(word(SECOND, WIDE)).isEqualTo(0x0041_0041L);
        assertThat(word(UP, WIDE)).isEqualTo(0x0041_0001L);
        assertThat(word(THIRD, NARROW)).isEqualTo(0x8000_8000L);
        assertThat(word(UP, NARROW)).isEqualTo(0x8000_8000L);
        for (int id : new int[] {FIRST, SECOND, UP}) {
            assertThat(word(id, WIDE_BASE)).isEqualTo(0x2000);
            assertThat(word(id, WIDE_LIMIT)).isEqualTo(0x2000);
        }
    }

    @Test
    void aWindowThatIsNotThereHasItsBaseAboveItsLimit() {
        assertThat(word(FIRST, NARROW)).isEqualTo(0xFFF0);
        assertThat(word(SECOND, NARROW)).isEqualTo(0xFFF0);
        assertThat(word(THIRD, WIDE)).isEqualTo(0x0001_FFF1L);
        assertThat(word(THIRD, WIDE_BASE)).isZero();
        assertThat(word(THIRD, WIDE_LIMIT)).isZero();
    }

    @Test
    void aWindowThatMovesTakesItsPortAlong() {
        host.assign(port, 1, 0x2000_1230_0000L);
        assertThat(word(SECOND, WIDE)).isEqualTo(0x1231_1231L);
        assertThat(word(UP, WIDE)).isEqualTo(0x1231_0001L);
        assertThat(word(FIRST, WIDE)).isEqualTo(0x0031_0001L);
    }
}
