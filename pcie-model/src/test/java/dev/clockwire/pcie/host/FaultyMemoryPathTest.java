package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.iommu.AtsSpec;
import dev.clockwire.pcie.iommu.HugePages;
import dev.clockwire.pcie.iommu.IommuSpec;
import dev.clockwire.pcie.link.FlowCredits;
import dev.clockwire.pcie.link.LinkTroubles;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.PcieOrdering;
import dev.clockwire.pcie.link.TlpFault;
import dev.clockwire.pcie.link.TlpFault.What;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Packets that are lost, late, poisoned or refused at a root port with an IOMMU, with strict writes, with both or with neither. */
class FaultyMemoryPathTest {
    private static final long TIMEOUT = 100_000_000;
    private static final long END = 1_000_000_000;
    private static final int BLOCK = 1_536;
    private static final int BLOCKS = 6;
    private static final int BEYOND = 64 * 1_024;

    /** A host with or without an IOMMU, in front of it a link with few credits, so that one that is lost for good shows. */
    private static Rig rig(KernelMode mode, boolean mmu, long strictPs, boolean ats, TlpFault... faults) {
        FlowCredits few = new FlowCredits(4, 64, 4, 4, 0, 0);
        PcieLinkSpec link = PcieLinkSpec.of(4, 8)
                .withCredits(few, FlowCredits.ADAPTER)
                .withReadLimits(32, 0)
                .withOrdering(new PcieOrdering(strictPs, false))
                .withTroubles(LinkTroubles.of(faults).withTimeout(TIMEOUT));
        HostDepth depth =
                mmu ? HostDepth.NONE.withIommu(IommuSpec.xeon().withIotlb(4, 2), HugePages.NEVER) : HostDepth.NONE;
        return new Rig(
                SimSpec.of(1).withMode(mode),
                link,
                HostSpec.server().withDepth(depth),
                CpuSpec.free(),
                PayloadMode.BYTES,
                ats ? new AtsSpec(4, 2) : null);
    }

    private static byte[] block(int i) {
        byte[] data = new byte[BLOCK];
        for (int k = 0; k < BLOCK; k++) {
            data[k] = (byte) (31 * i + k);
        }
        return data;
    }

    private static long at(Rig rig, int i) {
        return rig.bulk.address() + 3_000L * i;
    }

    /** Writes blocks, much later reads them; then the same again elsewhere, without a fault. */
    private static List<DmaRead> run(Rig rig) {
        List<DmaRead> reads = new ArrayList<>();
        for (int i = 0; i < BLOCKS; i++) {
            rig.write(1 + i, at(rig, i), block(i));
            reads.add(rig.read(END / 4 + i, at(rig, i), BLOCK, i % 2, 8));
        }
        for (int i = 0; i < 40; i++) {
            rig.write(END / 2 + i, at(rig, i) + BEYOND * 8, block(i));
            reads.add(rig.read(3 * END / 4 + i, at(rig, i) + BEYOND * 8, BLOCK, i % 2, 8));
        }
        rig.sim.run(END);
        return reads;
    }

    private static byte[] content(DmaRead r) {
        byte[] data = new byte[r.into.length()];
        r.into.copyTo(0, data, 0, data.length);
        return data;
    }

    @ParameterizedTest
    @CsvSource({
        "MRD, 1, LOSE", "MRD, 2, LOSE", "MRD, 3, LOSE", "MRD, 1, DELAY", "MRD, 2, DELAY", "MRD, 1, REFUSE",
                "MRD, 2, ABORT",
        "MRD, 3, REFUSE", "MRD, 2, MALFORM", "MWR, 1, LOSE", "MWR, 3, LOSE", "MWR, 6, LOSE", "MWR, 2, POISON",
                "MWR, 6, POISON",
        "MWR, 3, DELAY", "MWR, 6, DELAY", "MWR, 2, MALFORM"
    })
    void oneFaultHurtsOneRequestAndNothingElse(TlpType type, int number, What what) {
        for (int kind = 0; kind < 8; kind++) {
            boolean mmu = (kind & 1) != 0;
            long strict = (kind & 2) != 0 ? 13_650 : 0;
            boolean ats = mmu && (kind & 4) != 0;
            long delay = what == What.DELAY ? 3_000_000 : 0;
            String name = type + " " + number + " " + what + " iommu " + mmu + " strict " + strict + " ats " + ats;
            List<Object> seen = null;
            for (KernelMode mode : KernelMode.values()) {
                Rig rig = rig(mode, mmu, strict, ats, new TlpFault(true, type, number, what, delay));
                List<DmaRead> reads = run(rig);
                int hurt = 0;
                for (int i = 0; i < reads.size(); i++) {
                    DmaRead r = reads.get(i);
                    byte[] expected = block(i < BLOCKS ? i : i - BLOCKS);
                    boolean whole = r.error == DmaError.NONE && Arrays.equals(content(r), expected);
                    hurt += whole ? 0 : 1;
                    assertThat(r.donePs).as(name).isPositive();
                    assertThat(i < BLOCKS || whole).as(name + ", read " + i).isTrue();
                }
                boolean harmless = what == What.DELAY
                        || (ats && type == TlpType.MRD); // a translation is asked for again, in other words
                assertThat(hurt).as(name).isEqualTo(harmless ? 0 : 1);
                assertThat(rig.endpoint.readsOutstanding()).isZero();
                if (mmu || strict > 0) { // where credits come back by events, all have
                    assertThat(rig.endpoint.transmitter().headersInUse(FlowClass.POSTED))
                            .as(name)
                            .isZero();
                }
                if (mmu) {
                    assertThat(rig.endpoint.transmitter().headersInUse(FlowClass.NON_POSTED))
                            .as(name)
                            .isZero();
                }
                List<Object> now = new ArrayList<>();
                reads.forEach(r -> now.add(r.error + " " + r.issuedPs + " " + r.donePs));
                now.add(rig.sim.traceHash());
                assertThat(now).as(name).isEqualTo(seen == null ? now : seen);
                seen = now;
            }
        }
    }

    private static TlpFault fault(RandomStream random) {
        TlpType[] types = {TlpType.MRD, TlpType.MWR, TlpType.CPLD};
        TlpType type = types[random.below(3)];
        boolean up = type != TlpType.CPLD;
        List<What> kinds = List.of(What.LOSE, What.DELAY, What.POISON, What.MALFORM);
        What what = kinds.get(random.below(kinds.size()));
        if (type == TlpType.MRD && what == What.POISON) {
            what = random.nextBoolean() ? What.REFUSE : What.ABORT;
        }
        return new TlpFault(
                up, type, 1 + random.below(60), what, what == What.DELAY ? 1 + random.nextLong(2_000_000) : 0);
    }

    private static Traffic traffic(SimSpec spec, long seed, boolean tapped) {
        Traffic t = new Traffic(spec, seed, tapped, link -> {
            RandomStream random = RandomStream.named(seed, "faults");
            TlpFault[] faults = new TlpFault[1 + random.below(6)];
            Arrays.setAll(faults, i -> fault(random));
            return link.withOrdering(new PcieOrdering(random.nextBoolean() ? 13_650 : 0, false))
                    .withTroubles(LinkTroubles.of(faults).withTimeout(TIMEOUT));
        });
        t.run(END);
        return t;
    }

    @Property(tries = 60)
    void bothKernelsAndObserversSeeTheSame(@ForAll long seed) {
        Traffic activity = traffic(SimSpec.of(1), seed, true);
        Traffic exhaustive = traffic(SimSpec.of(1).withMode(KernelMode.EXHAUSTIVE), seed, true);
        assertThat(activity.packets).isEqualTo(exhaustive.packets);
        assertThat(activity.results()).isEqualTo(exhaustive.results());
        assertThat(traffic(SimSpec.of(1).withShuffle(seed | 1, seed | 2), seed, false)
                        .results())
                .isEqualTo(exhaustive.results());
        assertThat(activity.rig.endpoint.readsOutstanding()).isZero();
    }
}
