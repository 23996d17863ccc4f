package dev.clockwire.pcie.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.endpoint.WindowMemory;
import dev.clockwire.pcie.endpoint.WindowSpec;
import dev.clockwire.pcie.link.FlowCredits;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Payload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Memory of a device that another one reaches through a switch. */
class WindowMemoryTest {
    private static final PcieLinkSpec LINK = PcieLinkSpec.of(4, 8);
    private static final WindowSpec HOW = new WindowSpec(64, 4_000, 20_000, 40_000);
    private static final PcieSwitchSpec STORE = new PcieSwitchSpec(90_000, false);
    private static final long DELAY = 50_000;

    private final FabricRig rig = new FabricRig(SimSpec.of(1), STORE, HOW, LINK, LINK, LINK);
    private final FabricRig.Device near = rig.devices.get(0);
    private final FabricRig.Device far = rig.devices.get(1);
    private final WindowMemory memory = Objects.requireNonNull(far.large);
    private final long window = rig.large(1);

    private static byte[] bytes(int n, int seed) {
        byte[] data = new byte[n];
        for (int i = 0; i < n; i++) {
            data[i] = (byte) (seed + 7 * i + (i >> 8));
        }
        return data;
    }

    /** Neither the host's memory nor the link to it sees anything; neighbours of what is written stay. */
    @Test
    void dataOfAnySizeGoFromDeviceToDevice() {
        byte[] data = bytes(10_001, 3);
        near.write(1_000, window + 4_093, data);
        DmaRead back = near.read(1_001, window + 4_093, 10_001);
        DmaRead around = near.read(1_002, window + 4_090, 10_010);
        rig.sim.run(50_000_000);
        assertThat(FabricRig.content(back)).isEqualTo(data);
        assertThat(far.content(4_093, 10_001)).isEqualTo(data);
        byte[] wider = new byte[10_010];
        System.arraycopy(data, 0, wider, 3, 10_001);
        assertThat(FabricRig.content(around)).isEqualTo(wider);
        assertThat(rig.fabric.transmitter().packets()).isZero();
        assertThat(rig.port.transmitter().packets()).isZero();
        assertThat(rig.sim.stats().value("ep1.bar2.written_bytes")).isEqualTo(10_001);
        assertThat(rig.sim.stats().value("ep1.bar2.read_bytes")).isEqualTo(20_011);
        assertThat(rig.sim.stats().value("ep1.bar2.writes")).isEqualTo(41);
    }

    /** Completions end at the read completion boundary, or are as long as may be, and never longer than MPS: base specification 2.3.1.1. */
    @Test
    void completionsObeyTheBoundary() {
        for (int chunk : new int[] {64, 128, 256}) {
            PcieLinkSpec link = chunk == 256 ? LINK.withCompletions(64, true) : LINK.withCompletions(chunk, false);
            FabricRig r = new FabricRig(SimSpec.of(1), STORE, HOW, LINK, LINK, link);
            List<Integer> sizes = new ArrayList<>();
            r.devices.get(1).endpoint.transmitter().tap((ps, up, h, data, off, n) -> sizes.add(n));
            DmaRead read = r.devices.get(0).read(1_000, r.large(1) + 40, 500);
            r.sim.run(10_000_000);
            assertThat(read.status).isEqualTo(CompletionStatus.SC);
            int end = 540;
            List<Integer> expected = new ArrayList<>();
            for (int at = 40; at < end; ) {
                int to = Math.min(end, (at / chunk + 1) * chunk);
                if (at < 512 && to > 512) {
                    to = 512; // MRRS
                }
                expected.add(to - at);
                at = to;
            }
            assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isGreaterThanOrEqualTo(500);
            assertThat(sizes).hasSameSizeAs(expected);
        }
    }

    /** One read of 64 bytes: two lines and delays and a hop each way, one line of the memory, the latency. */
    @Test
    void aReadTakesWhatTheParametersSay() {
        DmaRead r = near.read(1_000, window, 64);
        rig.sim.run(5_000_000);
        double ways = 2 * FabricRig.line(LINK, 0, true) + 2 * FabricRig.line(LINK, 16, false) + 4 * DELAY + 2 * 90_000;
        assertThat((double) r.donePs).isEqualTo(1_000 + ways + 4_000 + 40_000, within(6.0));
    }

    /** A side bounds what goes through: 64 bytes in 4 ns are more than the link brings, in 40 ns less. */
    @Test
    void theMemoryIsTheBottleneckIfItIsSlow() {
        double[] took = new double[2];
        for (int i = 0; i < 2; i++) {
            WindowSpec how = new WindowSpec(64, i == 0 ? 4_000 : 40_000, 20_000, 40_000);
            FabricRig r = new FabricRig(SimSpec.of(1), STORE, how, LINK, LINK, LINK);
            r.devices.get(0).write(1_000, r.large(1), bytes(1 << 16, 1));
            DmaRead last = r.devices.get(0).read(1_001, r.large(1) + (1 << 16) - 64, 64);
            r.sim.run(200_000_000);
            assertThat(FabricRig.content(last))
                    .isEqualTo(Arrays.copyOfRange(bytes(1 << 16, 1), (1 << 16) - 64, 1 << 16));
            took[i] = last.donePs;
        }
        assertThat(took[0]).isEqualTo(256 * FabricRig.line(LINK, 64, true), within(1_000_000.0));
        assertThat(took[1]).isEqualTo(1024 * 40_000.0, within(1_000_000.0));
    }

    /** Slow memory gives credits back late, and the sender's link waits for them. */
    @Test
    void slowMemoryHoldsTheSenderBack() {
        FlowCredits few = new FlowCredits(2, 32, 2, 0, 2, 32);
        PcieLinkSpec tight = LINK.withCredits(few, few);
        WindowSpec slow = new WindowSpec(64, 100_000, 20_000, 40_000);
        FabricRig r = new FabricRig(SimSpec.of(1), STORE, slow, LINK, tight, tight);
        r.devices.get(0).write(1_000, r.large(1), bytes(8_192, 1));
        r.sim.run(3_000_000);
        assertThat(r.devices.get(0).endpoint.transmitter().stalledPs()).isPositive();
        r.sim.run(100_000_000);
        assertThat(r.devices.get(1).content(0, 8_192)).isEqualTo(bytes(8_192, 1));
    }

    /** A read of no bytes comes back when the writes before it are in memory. */
    @Test
    void aReadOfNothingIsAFlush() {
        near.write(1_000, window, bytes(256, 1));
        DmaRead flush = near.read(1_001, window, 0);
        assertThat(rig.sim.runUntil(() -> flush.donePs > 0, 10_000_000)).isTrue();
        assertThat(far.content(0, 256)).isEqualTo(bytes(256, 1));
    }

    @Test
    void whatIsOutsideOrPoisonedChangesNothing() {
        near.write(1_000, window, bytes(64, 1));
        DmaWrite bad = near.write(200_000, window, bytes(64, 9));
        bad.poisoned = true;
        DmaWrite badRegister = near.write(200_001, rig.window(1), bytes(64, 9));
        badRegister.poisoned = true;
        DmaRead r = near.read(400_000, window, 64);
        DmaRead gone = near.read(400_001, window + FabricRig.LARGE - 32, 64);
        near.write(400_002, window + FabricRig.LARGE - 32, bytes(64, 5));
        rig.sim.run(10_000_000);
        assertThat(FabricRig.content(r)).isEqualTo(bytes(64, 1));
        assertThat(far.endpoint.poisonedWrites()).isEqualTo(2);
        assertThat(far.stores).isZero();
        assertThat(gone.status).isEqualTo(CompletionStatus.UR);
        // the packet that lies inside is taken
        assertThat(far.content(FabricRig.LARGE - 32, 32)).isEqualTo(Arrays.copyOf(bytes(64, 5), 32));
    }

    /** A window that is shut is as if it were not there; what it holds stays. */
    @Test
    void aShutWindowIsUnsupported() {
        near.write(1_000, window, bytes(64, 1));
        rig.sim.run(2_000_000);
        memory.open(false);
        rig.sim.run(2_000_010);
        near.write(2_001_000, window, bytes(64, 9));
        DmaRead no = near.read(2_001_001, window, 64);
        rig.sim.run(5_000_000);
        assertThat(no.status).isEqualTo(CompletionStatus.UR);
        assertThat(far.endpoint.unsupportedRequests()).isEqualTo(2);
        memory.open(true);
        DmaRead yes = near.read(5_001_000, window, 64);
        rig.sim.run(10_000_000);
        assertThat(FabricRig.content(yes)).isEqualTo(bytes(64, 1));
    }

    /** The device's own accesses need no packet and follow each other. */
    @Test
    void theDeviceItselfNeedsNoPackets() {
        EventPort reads = memory.readPort("block");
        EventPort writes = memory.writePort("block");
        DmaWrite w = far.write(writes, 1_000, 100, bytes(1_000, 4));
        DmaRead r = far.read(reads, 1_001, 100, 1_000);
        rig.sim.run(1_000_000);
        assertThat(FabricRig.content(r)).isEqualTo(bytes(1_000, 4));
        long lines = (1_099 / 64 - 100 / 64 + 1) * 4_000;
        assertThat(w.leftPs).isEqualTo(1_000 + lines);
        assertThat(r.donePs).isEqualTo(1_000 + 2 * lines + 40_000);
        assertThat(far.endpoint.transmitter().packets()).isZero();
        assertThat(rig.sim.stats().value("ep1.bar2.own_written_bytes")).isEqualTo(1_000);
        assertThat(rig.sim.stats().value("ep1.bar2.own_read_bytes")).isEqualTo(1_000);
        far.read(reads, 2_000_000, FabricRig.LARGE - 10, 11);
        assertThatThrownBy(() -> rig.sim.run(3_000_000))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("11 bytes from " + (FabricRig.LARGE - 10));
    }

    /** Neither side waits for the other, but for writes to what it reads: then a read gets all that came before it. */
    @Test
    void aReadWaitsForWritesOfTheOtherSide() {
        EventPort reads = memory.readPort("block");
        EventPort writes = memory.writePort("block");
        far.write(writes, 1_000_000, 0, bytes(1 << 16, 5)); // takes 1024 lines, 4.1 us
        DmaRead other = near.read(1_000_000, window + (1 << 16), 64);
        DmaRead same = near.read(1_000_000, window + (1 << 16) - 128, 64);
        rig.sim.run(20_000_000);
        long done = 1_000_000 + 1024 * 4_000 + 20_000;
        assertThat(other.donePs).isLessThan(done - 1_000_000);
        assertThat(same.donePs).isBetween(done + 2 * DELAY + 90_000, done + 2 * DELAY + 200_000);
        assertThat(FabricRig.content(same))
                .isEqualTo(Arrays.copyOfRange(bytes(1 << 16, 5), (1 << 16) - 128, (1 << 16) - 64));

        near.write(20_000_001, window, bytes(256, 6));
        assertThat(rig.sim.runUntil(() -> rig.sim.stats().value("ep1.bar2.writes") > 0, 30_000_000))
                .isTrue();
        DmaRead own = far.read(reads, rig.sim.now() + 1, 100, 100);
        rig.sim.run(40_000_000);
        assertThat(FabricRig.content(own)).isEqualTo(Arrays.copyOfRange(bytes(256, 6), 100, 200));
    }

    /** Data without bytes keep their origin on the way in and out, beside bytes. */
    @Test
    void extentsAndBytesLieSideBySide() {
        DmaWrite w = new DmaWrite();
        w.address = window + 1_000;
        w.length = 5_000;
        w.data.appendExtent(7, 3, 0, 5_000);
        near.endpoint.writePort().send(1_000, 0, 0, 0, w);
        near.write(1_001, window + 2_000, bytes(64, 1));
        DmaRead r = near.read(1_002, window + 500, 6_000);
        rig.sim.run(50_000_000);
        Payload expected = new Payload();
        expected.appendZeros(500);
        expected.appendExtent(7, 3, 0, 1_000);
        expected.appendBytes(bytes(64, 1), 0, 64);
        expected.appendExtent(7, 3, 1_064, 3_936);
        expected.appendZeros(500);
        assertThat(r.into.sameContent(expected)).as(r.into.toString()).isTrue();
    }

    @Test
    void coresReachItToo() {
        var core = rig.host.addCore();
        byte[] line = bytes(64, 8);
        core.mmioWrite(window + 128, line, 0, 64);
        rig.sim.run(3_000_000);
        assertThat(far.content(128, 64)).isEqualTo(line);
        List<TlpType> seen = new ArrayList<>();
        far.endpoint.transmitter().tap((ps, up, h, data, off, n) -> seen.add(h.type));
        DmaRead r = near.read(3_001_000, window + 128, 64);
        rig.sim.run(6_000_000);
        assertThat(FabricRig.content(r)).isEqualTo(line);
        assertThat(seen).containsExactly(TlpType.CPLD);
    }

    /** Behind one switch a device gets to one window of another device, as far as the bridges let it; to nothing else. */
    @Test
    void theHostKnowsWhoReachesWhom() {
        int id = near.endpoint.id();
        assertThat(rig.host.reaches(id, window, FabricRig.LARGE)).isTrue();
        assertThat(rig.host.reaches(id, window + FabricRig.LARGE - 1, 2)).isFalse();
        assertThat(rig.host.reaches(id, rig.large(0), 64)).isFalse();
        assertThat(rig.host.reaches(id, rig.memory.address(), 64)).isFalse();
        assertThat(rig.host.reaches(0x900, window, 64)).isFalse();
        rig.port.config().write(rig.fabric.portId(2), 4, 2, 0x0104); // no requests to the second device
        rig.sim.run(2_000_000);
        assertThat(rig.host.reaches(id, window, 64)).isFalse();
    }

    @Test
    void wrongParametersAreRefused() {
        assertThatThrownBy(() -> new WindowSpec(48, 1, 1, 1)).hasMessageContaining("lines of 48 bytes");
        assertThatThrownBy(() -> new WindowSpec(64, 0, 1, 1)).hasMessageContaining("0 ps for a line");
        assertThatThrownBy(() -> new WindowSpec(64, 1, 2_000_000_000, 1)).hasMessageContaining("not in 1..1000000000");
        assertThat(WindowSpec.SSD.megabytesPerSecond()).isEqualTo(16_000);
    }
}
