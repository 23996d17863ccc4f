package dev.clockwire.pcie.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.endpoint.WindowMemory;
import dev.clockwire.pcie.endpoint.WindowSpec;
import dev.clockwire.pcie.link.FlowCredits;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** Two devices write and read memory of a third at random places, which itself does too, over links and credits of all kinds. */
class WindowMemoryProperties {
    private static final long END = 600_000_000;
    private static final int PART = FabricRig.LARGE / 4;
    private static final SimSpec ACTIVITY = SimSpec.of(1);

    /** Each has a quarter of the memory. It reads what it has written, which cannot change under it. */
    private static final class Traffic {
        final FabricRig rig;
        final List<byte[]> expected = new ArrayList<>();
        final List<DmaRead> reads = new ArrayList<>();
        final List<DmaWrite> writes = new ArrayList<>();
        private final RandomStream random;
        private final boolean sizes;

        Traffic(SimSpec spec, long seed, boolean sizes) {
            this.sizes = sizes;
            random = RandomStream.named(seed, "window");
            int mps = pick(128, 256);
            WindowSpec how = new WindowSpec(
                    pick(8, 64, 256),
                    pick(500, 4_000, 20_000),
                    1 + random.nextLong(60_000),
                    1 + random.nextLong(60_000));
            PcieSwitchSpec between = new PcieSwitchSpec(120_000 + random.nextLong(50_000), random.nextBoolean());
            rig = new FabricRig(spec, between, how, link(mps), link(mps), link(mps), link(mps));
            WindowMemory memory = Objects.requireNonNull(rig.devices.get(2).large);
            for (int d = 0; d < 2; d++) {
                FabricRig.Device device = rig.devices.get(d);
                traffic(d, device.endpoint.readPort("w"), device.endpoint.writePort("w"), rig.large(2));
            }
            traffic(2, memory.readPort("own"), memory.writePort("own"), 0);
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
                    .withSizes(mps, pick(128, 512, 4096))
                    .withCompletions(64, random.nextBoolean())
                    .withDelays(1 + random.nextLong(60_000), 1 + random.nextLong(60_000))
                    .withReadLimits(pick(2, 32), 0)
                    .withCredits(credits(mps), credits(mps));
        }

        /** Writes go upwards, so that no later one can pass a read of what is there. */
        private void traffic(int d, EventPort readPort, EventPort writePort, long base) {
            byte[] oracle = new byte[PART];
            int written = 0;
            long at = 1 + random.nextLong(10_000);
            for (int i = 0; i < 40; i++) {
                at += 1 + random.nextLong(pick(100, 40_000));
                if (written == 0 || (random.nextBoolean() && written + 2_000 < PART)) {
                    byte[] data = new byte[1 + random.nextInt(pick(8, 70, 2_000))];
                    for (int b = 0; b < data.length; b++) {
                        data[b] = (byte) random.nextInt(256);
                    }
                    System.arraycopy(data, 0, oracle, written, data.length);
                    writes.add(write(d, writePort, at, base + (long) d * PART + written, data, written));
                    written += data.length;
                } else {
                    int n = random.nextInt(Math.min(pick(8, 70, 5_000), written) + 1);
                    int place = random.nextInt(written - n + 1);
                    byte[] data = new byte[n];
                    System.arraycopy(oracle, place, data, 0, n);
                    expected.add(data);
                    reads.add(rig.devices.get(d).read(readPort, at, base + (long) d * PART + place, n));
                }
            }
        }

        private DmaWrite write(int d, EventPort port, long at, long address, byte[] data, int origin) {
            if (!sizes) {
                return rig.devices.get(d).write(port, at, address, data);
            }
            DmaWrite w = new DmaWrite();
            w.address = address;
            w.length = data.length;
            w.data.appendExtent(d + 1, 1, origin, data.length);
            return rig.devices.get(d).write(port, at, w);
        }

        Traffic run(long until) {
            rig.sim.run(until);
            return this;
        }

        List<byte[]> content() {
            return rig.devices.stream().map(d -> d.content(0, FabricRig.LARGE)).toList();
        }

        List<String> times() {
            List<String> all = new ArrayList<>();
            reads.forEach(r -> all.add("read " + r.status + " " + r.issuedPs + " " + r.donePs));
            writes.forEach(w -> all.add("left " + w.leftPs));
            all.add("passed " + rig.fabric.forwarded() + " " + rig.fabric.peerToPeer());
            all.add("hash " + rig.sim.traceHash());
            return all;
        }

        List<String> results() {
            List<String> all = times();
            reads.forEach(r -> all.add("data " + r.into.digest()));
            return all;
        }
    }

    @Property(tries = 50)
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
        assertThat(t.rig.fabric.transmitter().packets()).isZero();
        assertThat(t.rig.devices)
                .allMatch(d -> d.endpoint.readsOutstanding() == 0 && d.endpoint.unsupportedRequests() == 0);
    }

    @Property(tries = 20)
    void nothingShowsOfHowTheKernelDoesIt(@ForAll long seed) {
        Traffic quick = new Traffic(ACTIVITY, seed, false).run(END);
        List<String> all = new Traffic(ACTIVITY.withMode(KernelMode.EXHAUSTIVE), seed, false)
                .run(END)
                .results();
        assertThat(quick.results()).isEqualTo(all);
        assertThat(new Traffic(ACTIVITY.withShuffle(seed | 1, seed | 2), seed, false)
                        .run(END)
                        .results())
                .isEqualTo(all);
    }

    /** Data without bytes take the same packets at the same times, and keep where they come from. */
    @Property(tries = 15)
    void extentsTakeTheSameTimes(@ForAll long seed) {
        Traffic bytes = new Traffic(ACTIVITY, seed, false).run(END);
        Traffic sizes = new Traffic(ACTIVITY, seed, true).run(END);
        assertThat(sizes.times()).isEqualTo(bytes.times());
        for (DmaRead r : sizes.reads) {
            int at = 0;
            for (int i = 0; i < r.into.pieces(); i++) {
                assertThat(r.into.offset(i)).isEqualTo((r.address + at) % PART);
                at += r.into.pieceLength(i);
            }
            assertThat(at).isEqualTo(r.length);
        }
    }

    @Property(tries = 15)
    void aRestoredRunGoesOnAsTheFirst(@ForAll long seed, @ForAll @LongRange(min = 1, max = 4_000_000) long stop) {
        Traffic t = new Traffic(ACTIVITY, seed, false).run(stop);
        Snapshot half = t.rig.sim.save();
        long hash = t.run(END).rig.sim.traceHash();
        List<byte[]> content = t.content();
        t.rig.sim.restore(half);
        assertThat(t.run(END).rig.sim.traceHash()).isEqualTo(hash);
        List<byte[]> again = t.content();
        for (int d = 0; d < content.size(); d++) {
            assertThat(again.get(d)).isEqualTo(content.get(d));
        }
    }
}
