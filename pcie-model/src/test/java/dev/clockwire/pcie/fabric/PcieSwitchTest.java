package dev.clockwire.pcie.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.pcie.config.BarSpec;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.PcieEndpoint;
import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.pcie.host.HostSpec;
import dev.clockwire.pcie.link.FlowCredits;
import dev.clockwire.pcie.link.LinkRate;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PcieSwitchTest {
    private static final PcieLinkSpec LINK = PcieLinkSpec.of(4, 8);
    private static final PcieSwitchSpec STORE = new PcieSwitchSpec(90_000, false);
    private static final PcieSwitchSpec CUT = new PcieSwitchSpec(90_000, true);
    private static final long DELAY = 50_000;
    private static final SimSpec SPEC = SimSpec.of(1);

    private static byte[] bytes(int n, int seed) {
        byte[] data = new byte[n];
        for (int i = 0; i < n; i++) {
            data[i] = (byte) (seed + 7 * i);
        }
        return data;
    }

    private static double linePs(PcieLinkSpec link, int bytes) {
        LinkRate rate = LinkRate.of(link);
        return (double) rate.num() * bytes / rate.den();
    }

    @Test
    void aWriteTakesTwoLinesTwoDelaysAndTheHop() {
        PcieLinkSpec slow = PcieLinkSpec.of(3, 4);
        for (boolean cut : new boolean[] {false, true}) {
            FabricRig rig = new FabricRig(SPEC, cut ? CUT : STORE, LINK, slow);
            List<Long> left = new ArrayList<>();
            rig.fabric.transmitter().tap((ps, up, h, data, off, n) -> left.add(ps));
            rig.devices.get(0).write(1_000, rig.memory.address(), bytes(64, 1));
            rig.sim.run(2_000_000);
            int wire = slow.wireBytes(rig.memory.address() >>> 32 != 0, 16);
            int wireUp = LINK.wireBytes(rig.memory.address() >>> 32 != 0, 16);
            double there = 1_000 + linePs(slow, wire) + DELAY;
            // the fast link may only start when it will not run dry
            double gain = cut ? Math.min(linePs(slow, 64), linePs(LINK, wireUp)) : 0;
            assertThat(left.get(0).doubleValue()).isEqualTo(there - gain + 90_000 + linePs(LINK, wireUp), within(3.0));
        }
    }

    @Test
    void aReadTakesTheSameWayTwice() {
        FabricRig rig = new FabricRig(SPEC, STORE, LINK, LINK);
        DmaRead far = rig.devices.get(0).read(1_000, rig.memory.address(), 256);
        rig.sim.run(3_000_000);

        Sim sim = new Sim(SPEC);
        Host host = new Host(sim.root(), "host0", HostSpec.server(), CpuSpec.server(), PayloadMode.BYTES);
        FabricRig.Device device = new FabricRig.Device(sim, 0, LINK);
        host.attach(device.endpoint, 0);
        Allocation memory = host.memory().allocate("real", 1 << 18, Allocation.Kind.REAL, 4096);
        DmaRead near = device.read(1_000, memory.address(), 256);
        sim.run(3_000_000);

        double request = linePs(LINK, LINK.wireBytes(memory.address() >>> 32 != 0, 0));
        double answer = linePs(LINK, LINK.wireBytes(false, 64));
        assertThat(far.status).isEqualTo(CompletionStatus.SC);
        assertThat((double) (far.donePs - near.donePs))
                .isEqualTo(request + answer + 2 * DELAY + 2 * 90_000, within(4.0));
    }

    @Test
    void twoDevicesShareTheLinkToTheHostInHalves() {
        FabricRig rig = new FabricRig(SPEC, PcieSwitchSpec.GEN5, LINK, LINK, LINK);
        long[] sent = new long[2];
        long from = 10_000_000;
        long to = 30_000_000;
        rig.fabric.transmitter().tap((ps, up, h, data, off, n) -> {
            if (ps >= from && ps < to) {
                sent[(h.requesterId >> 8) - 3] += n;
            }
        });
        for (int i = 0; i < 40; i++) {
            for (int d = 0; d < 2; d++) {
                rig.devices.get(d).write(1 + i, rig.memory.address() + 16_384L * d, bytes(16_384, i));
            }
        }
        rig.sim.run(to);
        double line = linePs(LINK, LINK.wireBytes(rig.memory.address() >>> 32 != 0, 64));
        double whole = 256 * (to - from) / line;
        assertThat((double) sent[0]).isEqualTo(whole / 2, within(whole / 100));
        assertThat((double) sent[1]).isEqualTo(whole / 2, within(whole / 100));
    }

    @Test
    void oneDeviceTalksToAnotherBehindTheHostsBack() {
        FabricRig rig = new FabricRig(SPEC, PcieSwitchSpec.ON_CHIP, LINK, LINK, PcieLinkSpec.of(3, 4));
        byte[] data = bytes(64, 9);
        rig.devices.get(0).write(1_000, rig.window(1) + 128, data);
        DmaRead back = rig.devices.get(0).read(2_000, rig.window(1) + 136, 8);
        rig.sim.run(5_000_000);
        assertThat(Arrays.copyOfRange(rig.devices.get(1).memory, 128, 192)).isEqualTo(data);
        assertThat(FabricRig.content(back)).isEqualTo(Arrays.copyOfRange(data, 8, 16));
        assertThat(rig.fabric.transmitter().packets()).isZero();
        assertThat(rig.port.transmitter().packets()).isZero();
        assertThat(rig.fabric.peerToPeer()).isEqualTo(3);
    }

    @Test
    void whatBelongsToNobodyIsRefused() {
        FabricRig rig = new FabricRig(SPEC, STORE, LINK, LINK, LINK);
        FabricRig.Device first = rig.devices.get(0);
        DmaRead own = first.read(1_000, rig.window(0), 8); // a request does not leave by the port it came from
        rig.host.assign(rig.port, 1, rig.window(1) + 16 * FabricRig.WINDOW);
        DmaRead hole = first.read(2_000, rig.window(0) + 4 * FabricRig.WINDOW, 8);
        first.write(3_000, rig.window(0) + 4 * FabricRig.WINDOW, bytes(8, 1));
        DmaRead moved = first.read(4_000, rig.window(1), 8);
        rig.sim.run(5_000_000);
        assertThat(own.status).isEqualTo(CompletionStatus.UR);
        assertThat(hole.status).isEqualTo(CompletionStatus.UR);
        assertThat(moved.status).isEqualTo(CompletionStatus.SC);
        assertThat(rig.fabric.unsupportedRequests()).isEqualTo(3);
        assertThat(rig.port.transmitter().packets()).isZero();
    }

    @Test
    void theLeastCreditsOfEveryPortAreEnough() {
        FlowCredits least = new FlowCredits(1, 16, 1, 2, 1, 16);
        PcieLinkSpec link = LINK.withCredits(least, least);
        FabricRig rig = new FabricRig(SPEC, STORE, link, link, link);
        List<DmaRead> reads = new ArrayList<>();
        for (int d = 0; d < 2; d++) {
            for (int i = 0; i < 20; i++) {
                reads.add(rig.devices.get(d).read(1 + i, rig.memory.address() + 512L * i, 512));
                reads.add(rig.devices.get(d).read(1 + i, rig.window(1 - d) + 8L * i, 8));
            }
            rig.devices.get(d).write(100, rig.memory.address() + 100_000 + 1_000L * d, bytes(700, d));
            for (int i = 0; i < 20; i++) {
                rig.devices.get(d).write(101 + i, rig.window(1 - d) + 64L * i, bytes(64, i));
            }
        }
        rig.sim.run(4_000_000); // writes have passed the reads that wait for credits
        byte[] seen = new byte[700];
        rig.host.memory().getBytes(rig.memory.address() + 100_000, seen, 0, 700);
        assertThat(seen).isEqualTo(bytes(700, 0));
        assertThat(reads.stream().filter(r -> r.donePs == 0).count()).isPositive();
        assertThat(rig.fabric.transmitter().headersInUse(FlowClass.NON_POSTED)).isLessThanOrEqualTo(1);
        rig.sim.run(200_000_000);
        assertThat(reads).allMatch(r -> r.status == CompletionStatus.SC && r.donePs > 0);
        assertThat(rig.devices).allMatch(d -> d.stores == 20 && d.endpoint.readsOutstanding() == 0);
    }

    @Test
    void switchesMayStandBehindSwitches() {
        Sim sim = new Sim(SPEC);
        Host host = new Host(sim.root(), "host0", HostSpec.server(), CpuSpec.server(), PayloadMode.BYTES);
        PcieSwitch near = new PcieSwitch(sim.root(), "near", STORE, LINK, 0x100);
        PcieSwitch far = new PcieSwitch(sim.root(), "far", CUT, LINK, 0x300);
        FabricRig.Device one = new FabricRig.Device(sim, 2, LINK); // bus 5, behind bus 4 in the second switch
        FabricRig.Device two = new FabricRig.Device(sim, 3, LINK);
        far.attach(one.endpoint);
        near.attach(far);
        near.attach(two.endpoint);
        host.attach(near, 0);
        Allocation memory = host.memory().allocate("real", 1 << 18, Allocation.Kind.REAL, 4096);
        byte[] data = bytes(3_000, 4);
        one.write(1_000, memory.address() + 5, data);
        DmaRead read = one.read(2_000, memory.address() + 5, 3_000);
        two.write(1_000, one.endpoint.barAddress(0), bytes(64, 3));
        DmaRead peer = two.read(2_000, one.endpoint.barAddress(0), 8);
        sim.run(20_000_000);
        assertThat(FabricRig.content(read)).isEqualTo(data);
        assertThat(FabricRig.content(peer)).isEqualTo(bytes(8, 3));
        assertThat(far.unexpectedCompletions() + near.unexpectedCompletions()).isZero();
    }

    private static long config(FabricRig rig, int id, int at, int size) {
        rig.port.config().read(id, at, size);
        assertThat(rig.sim.runUntil(() -> !rig.port.config().busy(), rig.sim.now() + 10_000_000))
                .isTrue();
        return rig.port.config().value();
    }

    /** Layout of type 1 headers: base specification, 7.5.1.3; port types 5 and 6. */
    @Test
    void everyPortAnswersConfigurationRequestsAsABridge() {
        FabricRig rig = new FabricRig(SPEC, STORE, LINK, LINK, PcieLinkSpec.of(3, 4));
        int[] ids = {0x100, 0x200, 0x208};
        for (int i = 0; i < ids.length; i++) {
            assertThat(rig.fabric.portId(i)).isEqualTo(ids[i]);
            assertThat(config(rig, ids[i], 0x0E, 1)).isEqualTo(1);
            assertThat(config(rig, ids[i], 0x0A, 2)).isEqualTo(0x0604);
            assertThat(config(rig, ids[i], 0x62, 2)).isEqualTo(i == 0 ? 0x52 : 0x62);
            assertThat(config(rig, ids[i], 0x72, 2)).isEqualTo(i == 0 ? 0x0084 : i == 1 ? 0x2084 : 0x2043);
        }
        assertThat(config(rig, 0x100, 0x18, 4)).isEqualTo(0x00040201);
        assertThat(config(rig, 0x200, 0x18, 4)).isEqualTo(0x00030302);
        assertThat(config(rig, 0x208, 0x18, 4)).isEqualTo(0x00040402);
        assertThat(config(rig, 0x210, 0x18, 4)).isEqualTo(0xFFFF_FFFFL); // there is no third port
        assertThat(rig.port.config().status()).isEqualTo(CompletionStatus.UR);
        assertThat(rig.fabric.unsupportedRequests()).isEqualTo(1);
    }

    @Test
    void aBridgePassesWhatItsCommandAllows() {
        FabricRig rig = new FabricRig(SPEC, STORE, LINK, LINK, LINK);
        for (int id : new int[] {0x100, 0x200, 0x208}) {
            assertThat(config(rig, id, 4, 2)).isEqualTo(0x0106);
        }
        rig.port.config().write(0x200, 4, 2, 0x0102); // no requests from the first device
        rig.sim.run(rig.sim.now() + 2_000_000);
        DmaRead stopped = rig.devices.get(0).read(rig.sim.now() + 1, rig.memory.address(), 64);
        DmaRead free = rig.devices.get(1).read(rig.sim.now() + 1, rig.memory.address(), 64);
        DmaRead into = rig.devices.get(1).read(rig.sim.now() + 1, rig.window(0), 8);
        rig.sim.run(rig.sim.now() + 5_000_000);
        assertThat(stopped.status).isEqualTo(CompletionStatus.UR);
        assertThat(free.status).isEqualTo(CompletionStatus.SC);
        assertThat(into.status).isEqualTo(CompletionStatus.SC);

        rig.port.config().write(0x200, 4, 2, 0x0104); // its window is closed
        rig.sim.run(rig.sim.now() + 2_000_000);
        DmaRead closed = rig.devices.get(1).read(rig.sim.now() + 1, rig.window(0), 8);
        DmaRead again = rig.devices.get(0).read(rig.sim.now() + 1, rig.memory.address(), 64);
        rig.sim.run(rig.sim.now() + 5_000_000);
        assertThat(closed.status).isEqualTo(CompletionStatus.UR);
        assertThat(again.status).isEqualTo(CompletionStatus.SC);

        rig.port.config().write(0x100, 4, 2, 0x0102); // nothing goes up, but from device to device it does
        rig.sim.run(rig.sim.now() + 2_000_000);
        DmaRead up = rig.devices.get(1).read(rig.sim.now() + 1, rig.memory.address(), 64);
        DmaRead across = rig.devices.get(0).read(rig.sim.now() + 1, rig.window(1), 8);
        rig.sim.run(rig.sim.now() + 5_000_000);
        assertThat(up.status).isEqualTo(CompletionStatus.UR);
        assertThat(across.status).isEqualTo(CompletionStatus.SC);
    }

    @Test
    void wrongFabricsAreRefused() {
        assertThatThrownBy(() -> new PcieSwitchSpec(0, false))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("0 ps is not in 1..");
        assertThatThrownBy(() -> new FabricRig(SPEC, CUT, LINK, PcieLinkSpec.of(1, 1)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("longest packet on the link of down1");
        assertThatThrownBy(() -> new FabricRig(SPEC, STORE, LINK, LINK.withSizes(128, 512)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("MPS of 128 bytes, its switch 256");
        FabricRig rig = new FabricRig(SPEC, STORE, LINK, LINK);
        PcieEndpoint late = new PcieEndpoint(rig.sim.root(), "late", LINK, 0x900);
        late.bar(new BarSpec(0, 4096, true));
        assertThatThrownBy(() -> rig.fabric.attach(late)).hasMessageContaining("after the switch was attached");
        PcieSwitch other = new PcieSwitch(rig.sim.root(), "other", STORE, LINK, 0x900);
        assertThatThrownBy(() -> other.attach(late)).hasMessageContaining("two devices with the id 2304");
        PcieSwitch above = new PcieSwitch(rig.sim.root(), "above", STORE, LINK, 0x800);
        assertThatThrownBy(() -> above.attach(late)).hasMessageContaining("on bus 9: must be above 9");
    }
}
