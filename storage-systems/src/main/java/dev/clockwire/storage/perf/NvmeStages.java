package dev.clockwire.storage.perf;

import dev.clockwire.nvme.ctrl.CommandTap;
import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.nvme.driver.NvmeQueuePair;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.pcie.host.HostMemory;
import dev.clockwire.sim.mem.AddressSpace;
import java.util.List;

/**
 * Stamps the stages of commands of one queue pair: entry written and doorbell rung, doorbell at the controller, entry fetched, data of a write
 * fetched, medium done, data of a read sent, completion in memory; the rest is until the program takes it.
 */
final class NvmeStages implements CommandTap, NvmeQueuePair.RingTap {
    static final List<String> NAMES =
            List.of("post", "doorbell", "sqe_fetch", "payload_dma", "media", "rx_dma", "cqe_write", "poll");
    private static final int POST = 0;
    private static final int DOORBELL = 1;
    private static final int FETCH = 2;
    private static final int CQE_WRITE = 6;
    private static final int CID = 12;

    private final StageTimes times;
    private final int base;
    private final NvmeQueuePair pair;
    /** Of the commands in the slots of the submission ring. */
    private final int[] tags;

    private NvmeStages(StageTimes times, int base, NvmeQueuePair pair) {
        this.times = times;
        this.base = base;
        this.pair = pair;
        tags = new int[pair.place().entries()];
    }

    /** Has a queue pair of an SSD followed; its tag 0 is at {@code base}. */
    static void follow(
            CpuCore core, HostMemory memory, NvmeQueuePair pair, NvmeController ssd, StageTimes times, int base) {
        NvmeQueuePair.QueuePlace place = pair.place();
        NvmeStages s = new NvmeStages(times, base, pair);
        pair.observe(s);
        ssd.watch(place.id(), s);
        AddressSpace space = core.memory();
        space.watch(place.cq(), (long) place.entries() * CqEntry.BYTES, (va, length) -> s.committed(space, memory, va));
    }

    private void committed(AddressSpace space, HostMemory memory, long va) {
        int tag = pair.tag((space.getByte(va + CID) & 0xFF) | (space.getByte(va + CID + 1) & 0xFF) << 8);
        if (tag < tags.length) {
            times.stamp(CQE_WRITE, base + tag, memory.committedPs());
        }
    }

    @Override
    public void placed(int slot, int tag) {
        tags[slot] = tag;
    }

    @Override
    public void rung(int from, int to, long ps) {
        stamp(POST, from, to, ps);
    }

    @Override
    public void told(int from, int to, long ps) {
        stamp(DOORBELL, from, to, ps);
    }

    private void stamp(int stage, int from, int to, long ps) {
        for (int slot = from; slot != to; slot = slot + 1 == tags.length ? 0 : slot + 1) {
            times.stamp(stage, base + tags[slot], ps);
        }
    }

    @Override
    public void reached(int step, int cid, long ps) {
        if (step != COMPLETED) {
            times.stamp(FETCH + step, base + pair.tag(cid), ps);
        }
    }
}
