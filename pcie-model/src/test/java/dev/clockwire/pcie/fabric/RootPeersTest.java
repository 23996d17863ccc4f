package dev.clockwire.pcie.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.endpoint.WindowSpec;
import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.pcie.host.HostDepth;
import dev.clockwire.pcie.host.HostSpec;
import dev.clockwire.pcie.iommu.HugePages;
import dev.clockwire.pcie.iommu.IommuSpec;
import dev.clockwire.pcie.link.FlowCredits;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Devices at root ports of their own talk to each other through the root complex, if it passes their packets on. */
class RootPeersTest {
    private static final PcieLinkSpec LINK = PcieLinkSpec.of(4, 8);
    private static final long DELAY = 50_000;
    private static final long PASS = 150_000;

    /** Three devices at ports of one host. */
    private static final class RootRig {
        final Sim sim;
        final Host host;
        final List<FabricRig.Device> devices = new ArrayList<>();
        final Allocation memory;

        RootRig(SimSpec spec, HostDepth depth, WindowSpec how, PcieLinkSpec... links) {
            sim = new Sim(spec);
            host = new Host(
                    sim.root(), "host0", HostSpec.server().withDepth(depth), CpuSpec.server(), PayloadMode.BYTES);
            for (PcieLinkSpec link : links) {
                FabricRig.Device d = new FabricRig.Device(sim, devices.size(), link, how);
                devices.add(d);
                host.attach(d.endpoint, 0);
            }
            memory = host.memory().allocate("real", 1 << 18, Allocation.Kind.REAL, 4096);
        }

        long large(int device) {
            return devices.get(device).endpoint.barAddress(2);
        }
    }

    private static RootRig rig(HostDepth depth) {
        return new RootRig(SimSpec.of(1), depth, WindowSpec.SSD, LINK, LINK, LINK);
    }

    private static byte[] random(int n, long seed) {
        byte[] b = new byte[n];
        RandomStream r = RandomStream.named(seed, "bytes");
        for (int i = 0; i < n; i++) {
            b[i] = (byte) r.nextInt(256);
        }
        return b;
    }

    /** Registers, memory, and memory of the host beside them. */
    @Test
    void everybodyReachesEverybody() {
        RootRig r = rig(HostDepth.NONE.withPeers(PASS));
        byte[] data = random(10_000, 1);
        FabricRig.Device first = r.devices.get(0);
        first.write(1_000, r.large(1) + 77, data);
        first.write(1_001, r.memory.address(), data);
        first.write(1_002, r.devices.get(2).endpoint.barAddress(0) + 64, random(64, 2));
        DmaRead back = first.read(1_003, r.large(1) + 77, 10_000);
        DmaRead host = first.read(1_004, r.memory.address(), 10_000);
        r.sim.run(50_000_000);
        assertThat(FabricRig.content(back)).isEqualTo(data);
        assertThat(FabricRig.content(host)).isEqualTo(data);
        assertThat(r.devices.get(1).content(77, 10_000)).isEqualTo(data);
        assertThat(Arrays.copyOfRange(r.devices.get(2).memory, 64, 128)).isEqualTo(random(64, 2));
        // 40 MWr, one for the registers, 20 MRd; the second port passes 40 CplD
        assertThat(r.sim.stats().value("host0.port0.peer")).isEqualTo(61);
        assertThat(r.sim.stats().value("host0.port1.peer")).isEqualTo(40);
        assertThat(r.host.reaches(first.endpoint.id(), r.large(1), FabricRig.LARGE))
                .isTrue();
        assertThat(r.host.reaches(first.endpoint.id(), r.large(0), 64)).isFalse();
    }

    /** Two links each way, the way through the root complex twice. */
    @Test
    void aReadTakesWhatTheParametersSay() {
        RootRig r = rig(HostDepth.NONE.withPeers(PASS));
        DmaRead read = r.devices.get(0).read(1_000, r.large(1), 64);
        r.sim.run(5_000_000);
        double ways = 2 * FabricRig.line(LINK, 0, true) + 2 * FabricRig.line(LINK, 16, false) + 4 * DELAY + 2 * PASS;
        assertThat((double) read.donePs).isEqualTo(1_000 + ways + 4_000 + 40_000, within(6.0));
    }

    /** Through translation too, whose tables know nothing of devices. */
    @Test
    void anIommuIsNotAsked() {
        IommuSpec mmu = new IommuSpec(64, 64, 10_000, 300_000, 4, CompletionStatus.UR);
        RootRig r = rig(HostDepth.NONE.withPeers(PASS).withIommu(mmu, HugePages.NEVER));
        byte[] data = random(3_000, 1);
        r.devices.get(0).write(1_000, r.large(1), data);
        DmaRead back = r.devices.get(0).read(1_001, r.large(1), 3_000);
        r.sim.run(50_000_000);
        assertThat(FabricRig.content(back)).isEqualTo(data);
    }

    @Test
    void theyDoNotUnlessTold() {
        RootRig r = rig(HostDepth.NONE);
        r.devices.get(0).write(1_000, r.large(1), random(64, 1));
        DmaRead no = r.devices.get(0).read(1_001, r.large(1), 64);
        r.sim.run(5_000_000);
        assertThat(no.error).isEqualTo(DmaError.UNSUPPORTED);
        assertThat(r.devices.get(1).content(0, 64)).containsOnly(0);
        assertThat(r.host.reaches(r.devices.get(0).endpoint.id(), r.large(1), 64))
                .isFalse();
        assertThatThrownBy(() -> HostDepth.NONE.withPeers(-1))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("-1 ps from one root port to another");
        RootRig told = rig(HostDepth.NONE.withPeers(PASS));
        DmaRead outside = told.devices.get(0).read(1_000, told.large(1) + FabricRig.LARGE, 64);
        told.sim.run(5_000_000);
        assertThat(outside.error).isEqualTo(DmaError.UNSUPPORTED);
    }

    /** Random traffic of three devices with each other and with the host, over links of all kinds. */
    private static final class Traffic {
        final RootRig rig;
        final List<byte[]> expected = new ArrayList<>();
        final List<DmaRead> reads = new ArrayList<>();
        final List<DmaWrite> writes = new ArrayList<>();
        private final RandomStream random;

        Traffic(SimSpec spec, long seed) {
            random = RandomStream.named(seed, "peers");
            HostDepth depth = HostDepth.NONE.withPeers(1 + random.nextLong(200_000));
            if (random.nextBoolean()) {
                depth = depth.withIommu(new IommuSpec(8, 8, 10_000, 300_000, 2, CompletionStatus.UR), HugePages.NEVER);
            }
            rig = new RootRig(spec, depth, WindowSpec.SSD, link(), link(), link());
            for (int d = 0; d < 3; d++) {
                traffic(d);
            }
        }

        private int pick(int... values) {
            return values[random.nextInt(values.length)];
        }

        private PcieLinkSpec link() {
            FlowCredits few = new FlowCredits(pick(0, 1, 8), pick(0, 16, 64), pick(0, 1, 8), 0, 0, 0);
            return PcieLinkSpec.of(pick(3, 4, 5), pick(4, 16))
                    .withSizes(256, pick(128, 512, 4096))
                    .withDelays(1 + random.nextLong(60_000), 1 + random.nextLong(60_000))
                    .withReadLimits(pick(2, 32), 0)
                    .withCredits(few, few);
        }

        /** Device d owns a part of every memory, and writes upwards. */
        private void traffic(int d) {
            byte[][] oracle = new byte[4][40_000];
            int[] written = new int[4];
            long at = 1 + random.nextLong(10_000);
            for (int i = 0; i < 40; i++) {
                at += 1 + random.nextLong(pick(100, 40_000));
                int to = (d + 1 + random.nextInt(3)) % 4;
                long base = (to == 3 ? rig.memory.address() : rig.large(to)) + 40_000L * d;
                if (to == d) {
                    continue;
                }
                if (written[to] == 0 || random.nextBoolean()) {
                    byte[] data = random(1 + random.nextInt(pick(8, 900)), at);
                    System.arraycopy(data, 0, oracle[to], written[to], data.length);
                    writes.add(rig.devices.get(d).write(at, base + written[to], data));
                    written[to] += data.length;
                } else {
                    int n = 1 + random.nextInt(written[to]);
                    int from = random.nextInt(written[to] - n + 1);
                    expected.add(Arrays.copyOfRange(oracle[to], from, from + n));
                    reads.add(rig.devices.get(d).read(at, base + from, n));
                }
            }
        }

        List<String> run() {
            rig.sim.run(400_000_000);
            List<String> all = new ArrayList<>();
            reads.forEach(r -> all.add(r.status + " " + r.issuedPs + " " + r.donePs + " " + r.into.digest()));
            writes.forEach(w -> all.add("left " + w.leftPs));
            all.add("hash " + rig.sim.traceHash());
            return all;
        }
    }

    @Property(tries = 30)
    void everybodyReadsWhatItWrote(@ForAll long seed) {
        Traffic t = new Traffic(SimSpec.of(1), seed);
        List<String> quick = t.run();
        for (int i = 0; i < t.reads.size(); i++) {
            assertThat(t.reads.get(i).status).isEqualTo(CompletionStatus.SC);
            assertThat(FabricRig.content(t.reads.get(i))).isEqualTo(t.expected.get(i));
        }
        assertThat(t.rig.devices).allMatch(d -> d.endpoint.readsOutstanding() == 0);
        assertThat(new Traffic(SimSpec.of(1).withMode(KernelMode.EXHAUSTIVE), seed).run())
                .isEqualTo(quick);
        assertThat(new Traffic(SimSpec.of(1).withShuffle(seed | 1, seed | 2), seed).run())
                .isEqualTo(quick);
    }

    @Property(tries = 15)
    void aRestoredRunGoesOnAsTheFirst(@ForAll long seed, @ForAll @LongRange(min = 1, max = 3_000_000) long stop) {
        Traffic t = new Traffic(SimSpec.of(1), seed);
        t.rig.sim.run(stop);
        Snapshot half = t.rig.sim.save();
        t.rig.sim.run(400_000_000);
        long hash = t.rig.sim.traceHash();
        long passed = t.rig.sim.stats().value("host0.port0.peer");
        t.rig.sim.restore(half);
        t.rig.sim.run(400_000_000);
        assertThat(t.rig.sim.traceHash()).isEqualTo(hash);
        assertThat(t.rig.sim.stats().value("host0.port0.peer")).isEqualTo(passed);
    }
}
