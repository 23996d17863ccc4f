package dev.clockwire.pcie.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.link.FlowCredits;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** Random devices, links and traffic: right bytes whatever the credits, and nothing visible of how the kernel does it. */
class SwitchProperties {
    private static final long END = 400_000_000;
    private static final SimSpec ACTIVITY = SimSpec.of(1);

    /** Traffic of three devices with memory and with each other; every device has places of its own. */
    private static final class Traffic {
        final FabricRig rig;
        final List<String> packets = new ArrayList<>();
        final List<byte[]> expected = new ArrayList<>();
        final List<DmaRead> reads = new ArrayList<>();
        final List<DmaWrite> writes = new ArrayList<>();
        private final RandomStream random;

        Traffic(SimSpec spec, long seed, boolean tapped) {
            random = RandomStream.named(seed, "fabric");
            int mps = pick(128, 256);
            rig = new FabricRig(
                    spec,
                    new PcieSwitchSpec(120_000 + random.nextLong(50_000), random.nextBoolean()),
                    link(mps),
                    link(mps),
                    link(mps),
                    link(mps));
            if (tapped) {
                rig.fabric.transmitter().tap((ps, up, h, data, off, n) -> packets.add(ps + " up " + h));
                rig.port.transmitter().tap((ps, up, h, data, off, n) -> packets.add(ps + " down " + h));
            }
            for (int d = 0; d < rig.devices.size(); d++) {
                traffic(d);
            }
        }

        private int pick(int... values) {
            return values[random.nextInt(values.length)];
        }

        private FlowCredits credits(int mps) {
            return new FlowCredits(
                    pick(0, 1, 4, 64), pick(0, mps / 16, 256), pick(0, 1, 8), 0, pick(0, 1, 4), pick(0, mps / 16));
        }

        private PcieLinkSpec link(int mps) {
            return PcieLinkSpec.of(pick(3, 4, 5), pick(4, 8, 16))
                    .withSizes(mps, pick(128, 512))
                    .withCompletions(64, random.nextBoolean())
                    .withDelays(1 + random.nextLong(60_000), 1 + random.nextLong(60_000))
                    .withReadLimits(pick(2, 32), pick(0, 4096))
                    .withCredits(credits(mps), credits(mps));
        }

        /**
         * What a device reads it has written before: the write is pushed to where the read looks. No place is written twice, since a
         * later write may pass the read.
         */
        private void traffic(int d) {
            FabricRig.Device device = rig.devices.get(d);
            byte[][] oracles = {new byte[80_000], new byte[1_024], new byte[1_024]};
            int[] written = new int[3];
            long at = 1 + random.nextLong(10_000);
            for (int i = 0; i < 60; i++) {
                at += 1 + random.nextLong(pick(100, 40_000));
                int to = random.nextInt(3);
                boolean far = to > 0;
                byte[] oracle = oracles[to];
                long base = far ? rig.window((d + to) % 3) + 1_024L * d : rig.memory.address() + 80_000L * d;
                if (written[to] == 0 || (random.nextBoolean() && oracle.length - written[to] >= (far ? 64 : 2_000))) {
                    byte[] data = new byte[far ? 64 : 1 + random.nextInt(2_000)];
                    for (int b = 0; b < data.length; b++) {
                        data[b] = (byte) random.nextInt(256);
                    }
                    System.arraycopy(data, 0, oracle, written[to], data.length);
                    writes.add(device.write(at, base + written[to], data));
                    written[to] += data.length;
                } else {
                    int n = far ? 8 : 1 + random.nextInt(Math.min(2_000, written[to]));
                    int place = far ? 8 * random.nextInt(written[to] / 8) : random.nextInt(written[to] - n + 1);
                    byte[] data = new byte[n];
                    System.arraycopy(oracle, place, data, 0, n);
                    expected.add(data);
                    reads.add(device.read(at, base + place, n));
                }
            }
        }

        Traffic run(long until) {
            rig.sim.run(until);
            return this;
        }

        List<String> results() {
            List<String> all = new ArrayList<>();
            reads.forEach(r -> all.add("read " + r.status + " " + r.issuedPs + " " + r.donePs + " " + r.into.digest()));
            writes.forEach(w -> all.add("write " + w.leftPs));
            all.add("passed " + rig.fabric.forwarded() + " " + rig.fabric.peerToPeer());
            all.add("hash " + rig.sim.traceHash());
            return all;
        }
    }

    @Property(tries = 100)
    void everybodyReadsWhatItWrote(@ForAll long seed) {
        Traffic t = new Traffic(ACTIVITY, seed, false).run(END);
        for (int i = 0; i < t.reads.size(); i++) {
            DmaRead r = t.reads.get(i);
            byte[] data = new byte[r.length];
            assertThat(r.status).isEqualTo(CompletionStatus.SC);
            assertThat(r.donePs).isPositive();
            r.into.copyTo(0, data, 0, r.length);
            assertThat(data).isEqualTo(t.expected.get(i));
        }
        assertThat(t.rig.fabric.unsupportedRequests() + t.rig.fabric.unexpectedCompletions())
                .isZero();
        assertThat(t.rig.devices)
                .allMatch(d -> d.endpoint.readsOutstanding() == 0 && d.endpoint.unsupportedRequests() == 0);
    }

    @Property(tries = 60)
    void trainsAndSinglePacketsGiveTheSameTimes(@ForAll long seed) {
        Traffic trains = new Traffic(ACTIVITY, seed, true).run(END);
        Traffic singles = new Traffic(ACTIVITY.withMode(KernelMode.EXHAUSTIVE), seed, true).run(END);
        assertThat(trains.packets).isEqualTo(singles.packets);
        assertThat(trains.results()).isEqualTo(singles.results());
        assertThat(new Traffic(ACTIVITY.withShuffle(seed | 1, seed | 2), seed, false)
                        .run(END)
                        .results())
                .isEqualTo(singles.results());
    }

    @Property(tries = 40)
    void aRestoredRunGoesOnAsTheFirst(@ForAll long seed, @ForAll @LongRange(min = 1, max = 4_000_000) long stop) {
        for (KernelMode mode : new KernelMode[] {KernelMode.ACTIVITY, KernelMode.EXHAUSTIVE}) {
            Traffic t = new Traffic(ACTIVITY.withMode(mode), seed, true).run(stop);
            Snapshot half = t.rig.sim.save();
            int before = t.packets.size();
            t.run(END);
            List<String> rest = List.copyOf(t.packets.subList(before, t.packets.size()));
            long hash = t.rig.sim.traceHash();
            t.packets.clear();
            t.rig.sim.restore(half);
            t.run(END);
            assertThat(t.packets).isEqualTo(rest);
            assertThat(t.rig.sim.traceHash()).isEqualTo(hash);
        }
    }
}
