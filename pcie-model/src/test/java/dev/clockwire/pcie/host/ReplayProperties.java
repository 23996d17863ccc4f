package dev.clockwire.pcie.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.link.DataLinkSpec;
import dev.clockwire.pcie.link.FlowCredits;
import dev.clockwire.pcie.link.LinkErrors;
import dev.clockwire.pcie.link.LinkTroubles;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** A link whose packets are damaged at random: the laws of the kernel hold on it, and it changes times but no data. */
class ReplayProperties {
    private static final long END = 100_000_000;
    private static final SimSpec ACTIVITY = SimSpec.of(1);

    private static PcieLinkSpec longer(PcieLinkSpec link) {
        return link.withDelays(link.upDelayPs() + 1, link.downDelayPs() + 1);
    }

    private static UnaryOperator<PcieLinkSpec> damaged(double rate) {
        return link -> longer(link).withTroubles(LinkTroubles.of(DataLinkSpec.of(rate)));
    }

    private static Traffic whole(SimSpec spec, long seed, boolean tapped, UnaryOperator<PcieLinkSpec> change) {
        Traffic t = new Traffic(spec, seed, tapped, change);
        t.run(END);
        return t;
    }

    @Property(tries = 20)
    void bothKernelsAndObserversSeeTheSame(@ForAll long seed) {
        UnaryOperator<PcieLinkSpec> bad = damaged(3e-5);
        Traffic activity = whole(ACTIVITY, seed, true, bad);
        Traffic exhaustive = whole(ACTIVITY.withMode(KernelMode.EXHAUSTIVE), seed, true, bad);
        assertThat(activity.packets).isEqualTo(exhaustive.packets);
        assertThat(activity.results()).isEqualTo(exhaustive.results());
        assertThat(whole(ACTIVITY.withShuffle(seed | 1, seed | 2), seed, false, bad)
                        .results())
                .isEqualTo(exhaustive.results());
    }

    @Property(tries = 20)
    void aRestoredRunGoesOnAsTheFirst(@ForAll long seed, @ForAll @LongRange(min = 1, max = 4_000_000) long stop) {
        Traffic first = new Traffic(ACTIVITY, seed, true, damaged(3e-5));
        first.run(stop);
        Snapshot half = first.rig.sim.save();
        int before = first.packets.size();
        first.run(END);
        List<String> rest = List.copyOf(first.packets.subList(before, first.packets.size()));
        long hash = first.rig.sim.traceHash();

        first.packets.clear();
        first.rig.sim.restore(half);
        first.run(END);
        assertThat(first.packets).isEqualTo(rest);
        assertThat(first.rig.sim.traceHash()).isEqualTo(hash);
    }

    @Property(tries = 20)
    void aLinkThatDamagesNothingIsThatWithoutADataLinkLayer(@ForAll long seed) {
        UnaryOperator<PcieLinkSpec> plain = link -> link.withCredits(FlowCredits.INFINITE, FlowCredits.ADAPTER);
        Traffic without = whole(ACTIVITY, seed, true, link -> longer(plain.apply(link)));
        Traffic with = whole(ACTIVITY, seed, true, link -> damaged(0).apply(plain.apply(link)));
        assertThat(with.packets).isEqualTo(without.packets);
        assertThat(with.results()).isEqualTo(without.results());
        LinkErrors errors =
                Objects.requireNonNull(with.rig.endpoint.transmitter().errors());
        assertThat(errors.repeated() + errors.naks() + errors.duplicates()).isZero();
    }

    /** Writes, then reads them back; returns what came and how many packets were repeated. */
    private static List<String> echo(long seed, double rate) {
        RandomStream random = RandomStream.named(seed, "echo");
        PcieLinkSpec link = PcieLinkSpec.of(4, 8).withTroubles(LinkTroubles.of(DataLinkSpec.of(rate)));
        Rig rig = new Rig(ACTIVITY, link);
        List<DmaRead> reads = new ArrayList<>();
        long at = 1;
        for (int i = 0; i < 40; i++) {
            byte[] data = new byte[1 + random.nextInt(6_000)];
            random.nextBytes(data);
            long address = rig.bulk.address() + 8192L * i + random.nextInt(64);
            rig.write(at, address, data);
            reads.add(rig.read(at + 1, address, data.length, i % 3, 1 + random.nextInt(8)));
            at += 1 + random.nextInt(500_000);
        }
        rig.sim.run(END);
        List<String> all = new ArrayList<>();
        reads.forEach(r -> all.add(r.status + " " + r.into.length() + " " + r.into.digest()));
        all.add(rig.device.done.size() + " done");
        if (rate > 0) {
            assertThat(Objects.requireNonNull(rig.endpoint.transmitter().errors())
                            .repeated())
                    .isPositive();
        }
        return all;
    }

    @Property(tries = 20)
    void eachPacketIsTakenOnceAndInOrder(@ForAll long seed) {
        assertThat(echo(seed, 2e-5)).isEqualTo(echo(seed, 0));
    }
}
