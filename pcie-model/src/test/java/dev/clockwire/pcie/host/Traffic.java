package dev.clockwire.pcie.host;

import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.endpoint.PcieEndpoint;
import dev.clockwire.pcie.iommu.AtsSpec;
import dev.clockwire.pcie.iommu.HugePages;
import dev.clockwire.pcie.iommu.Iommu;
import dev.clockwire.pcie.iommu.IommuSpec;
import dev.clockwire.pcie.link.FlowCredits;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** Random traffic on a random link; two runs with the same seed do the same, whatever the kernel's mode. */
final class Traffic {
    private static final int OPERATIONS = 60;
    private static final long SPAN_PS = 3_000_000;
    private static final int[] SIZES = {128, 256, 512};

    final Rig rig;
    final List<String> packets = new ArrayList<>();
    private final List<DmaRead> reads = new ArrayList<>();
    private final List<DmaWrite> writes = new ArrayList<>();
    private final RandomStream random;
    /** Whether reads are long, so that windows hold them back, and hosts without what takes packets one by one. */
    private final boolean windowed;

    Traffic(SimSpec spec, long seed, boolean tapped) {
        this(spec, seed, tapped, link -> link);
    }

    /** Creates traffic with long reads on links and hosts where times follow from each other, most of the time. */
    static Traffic windowed(SimSpec spec, long seed) {
        return new Traffic(spec, seed, false, link -> link, true);
    }

    /** Creates traffic on the random link as changed by somebody. */
    Traffic(SimSpec spec, long seed, boolean tapped, UnaryOperator<PcieLinkSpec> change) {
        this(spec, seed, tapped, change, false);
    }

    private Traffic(SimSpec spec, long seed, boolean tapped, UnaryOperator<PcieLinkSpec> change, boolean windowed) {
        this.windowed = windowed;
        random = RandomStream.named(seed, "traffic");
        rig = new Rig(
                spec,
                change.apply(link()),
                host(),
                CpuSpec.server(),
                random.nextBoolean() ? PayloadMode.BYTES : PayloadMode.SIZES);
        if (tapped) {
            tap(true);
        }
        Iommu mmu = rig.host.iommu();
        if (mmu != null) {
            mmu.unmap(rig.bulk.address() + 150_000, 10_000);
            if (random.nextBoolean()) {
                rig.endpoint.translate(new AtsSpec(pick(2, 8, 64), pick(1, 2)), at -> at % 512 == 0);
            }
        }
        rig.stores.from = random.nextInt(400);
        for (int i = 0; i < OPERATIONS; i++) {
            operation();
        }
        rig.core.run(new Program(rig, 1_000 + random.nextLong(30_000)));
    }

    /** Looks at the packets of the first device's link, or no more. */
    void tap(boolean on) {
        rig.endpoint.transmitter().tap(on ? (ps, up, h, data, off, n) -> packets.add(ps + " up " + h) : null);
        rig.port.transmitter().tap(on ? (ps, up, h, data, off, n) -> packets.add(ps + " down " + h) : null);
    }

    private int pick(int... values) {
        return values[random.nextInt(values.length)];
    }

    private PcieLinkSpec link() {
        int mps = pick(SIZES);
        boolean infinite = random.nextInt(3) == 0;
        FlowCredits up = infinite
                ? FlowCredits.INFINITE
                : new FlowCredits(pick(0, 1, 2, 8, 64), pick(0, mps / 16, mps / 8, 128), pick(0, 1, 3, 16), 0, 0, 0);
        FlowCredits down = new FlowCredits(pick(1, 4, 64), pick(mps / 16, 256), pick(0, 1, 8), 0, pick(0, 0, 2), 0);
        return PcieLinkSpec.of(pick(3, 4, 5, 6), pick(4, 8, 16))
                .withSizes(mps, pick(SIZES))
                .withCompletions(pick(64, 128), random.nextBoolean())
                .withDelays(1 + random.nextLong(60_000), 1 + random.nextLong(60_000))
                .withReadLimits(pick(2, 32, 256, 768), pick(0, 0, 4096))
                .withCredits(up, down);
    }

    private HostSpec host() {
        HostSpec h = HostSpec.server();
        h = h.withReads(1 + random.nextLong(200_000), 1 + random.nextLong(200_000));
        if (windowed || random.nextBoolean()) {
            return h;
        }
        IommuSpec mmu = new IommuSpec(
                pick(4, 8),
                pick(1, 2, 4),
                pick(0, 5_000),
                100 + random.nextLong(400_000),
                pick(1, 2, 4),
                CompletionStatus.CA);
        HugePages pages = random.nextBoolean() ? HugePages.NEVER : HugePages.TRANSPARENT;
        return h.withDepth(HostDepth.NONE
                .withIommu(random.nextBoolean() ? null : mmu, pages)
                .withNuma(new NumaSpec(pick(0, 1), pick(0, 1)))
                .withDdio(random.nextBoolean() ? null : new DdioSpec(64 * 16 * 4, 4, pick(0, 1, 2)))
                .withStalls(new StallSpec(
                        pick(300_000, 1_000_000), pick(0, 100_000), 0.5, random.nextBoolean(), pick(0, 0, 20_000), 1)));
    }

    /** Writes the record that the core polls. */
    private void hitRecord(long at) {
        byte[] data = new byte[64];
        Arrays.fill(data, (byte) (1 + random.nextInt(100)));
        rig.write(rig.endpoint, at + 1, rig.real.address() + 20_000, data);
    }

    private void operation() {
        long at = 1 + random.nextLong(SPAN_PS);
        int length = 1 + random.nextInt(pick(64, 600, 5_000));
        boolean real = random.nextInt(3) == 0;
        if (random.nextInt(3) == 0) { // close together, so that operations meet
            at = 1_000_000 + random.nextLong(20_000);
        }
        if (random.nextInt(6) == 0) {
            hitRecord(at);
        }
        long base = real ? rig.real.address() : rig.bulk.address();
        long address = base + random.nextInt(real ? 50_000 : 200_000);
        PcieEndpoint device = random.nextInt(3) == 0 ? rig.other : rig.endpoint;
        if (random.nextBoolean()) {
            boolean large = windowed && !real && random.nextBoolean();
            DmaRead r = rig.read(
                    device,
                    at,
                    address,
                    random.nextInt(10) == 0 ? 0 : large ? length + random.nextInt(65_536) : length,
                    random.nextInt(3),
                    windowed ? pick(1, 4, 12, 36) : 1 + random.nextInt(12));
            r.cookie = reads.size();
            reads.add(r);
        } else {
            byte[] data = new byte[length];
            Arrays.fill(data, (byte) writes.size());
            DmaWrite w = rig.write(device, at, address, data);
            w.relaxed = random.nextInt(4) == 0;
            w.cookie = writes.size();
            writes.add(w);
        }
    }

    /** Polls a record that some of the writes hit, and stores to the device whenever it changed. */
    private static final class Program implements CoreProgram, State {
        private final long record;
        private final long bar;
        private final long poll;
        private final byte[] line = new byte[64];

        Program(Rig rig, long poll) {
            record = rig.real.address() + 20_000;
            bar = rig.endpoint.barAddress(0);
            this.poll = poll;
        }

        @Override
        public void step(CpuCore core) {
            int x = core.memory().getInt(record);
            if ((byte) x == line[0]) {
                core.charge(poll);
                core.idle(record, 64);
                return;
            }
            line[0] = (byte) x;
            core.charge(500);
            core.mmioWrite(bar, line, 0, 64);
            core.mmioWrite(bar + 8, x, 4);
            core.memory().putInt(record + 4096, x);
            core.wake();
        }

        @Override
        public void save(Snapshot out) {
            out.putBytes(line, 0, 64);
        }

        @Override
        public void load(Snapshot in) {
            in.getBytes(line, 0, 64);
        }
    }

    void run(long until) {
        Sim sim = rig.sim;
        if (until > sim.now()) {
            sim.run(until);
        }
    }

    /** Everything that a stranger can see. */
    List<String> results() {
        List<String> all = new ArrayList<>();
        String left = packetsLeft(); // whoever looks sees what has happened up to now, parts of reads too
        reads.forEach(r -> all.add("read " + r.status + " " + r.issuedPs + " " + r.donePs + " " + r.into.digest()));
        writes.forEach(w -> all.add("write " + w.leftPs));
        rig.stores.taken.forEach(m -> all.add("store " + m.arrivedPs + " " + m.offset + " " + m.value(0, 4)));
        all.add("done " + rig.device.done.size() + " stalled "
                + rig.endpoint.transmitter().stalledPs());
        all.add("packets " + left + " steps " + rig.core.steps());
        Iommu mmu = rig.host.iommu();
        if (mmu != null) {
            all.add("iommu " + mmu.hits() + " " + mmu.misses() + " " + mmu.walks() + " " + mmu.faults());
        }
        all.add("hash " + rig.sim.traceHash());
        return all;
    }

    private String packetsLeft() {
        long now = rig.sim.now();
        rig.endpoint.transmitter().settle(now);
        rig.port.transmitter().settle(now);
        rig.other.transmitter().settle(now);
        return rig.endpoint.transmitter().packets() + " "
                + rig.endpoint.transmitter().payloadBytes() + " "
                + rig.endpoint.transmitter().wireBytes() + " "
                + rig.port.transmitter().packets();
    }
}
