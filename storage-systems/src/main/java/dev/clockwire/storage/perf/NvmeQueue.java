package dev.clockwire.storage.perf;

import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.nvme.driver.NvmeDriver;
import dev.clockwire.nvme.driver.NvmeQueuePair;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.pcie.host.HostMemory;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.bdev.IoType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A core's way to a namespace of a local SSD. Queue pairs take turns command by command. An I/O larger than what the SSD moves at once is several
 * commands; those that a queue pair has no tracker for wait in front of it, as in SPDK's driver.
 */
final class NvmeQueue implements PerfQueue {
    private static final int PAGE = 4096;
    private static final int MOST_PER_POLL = 128;

    private final NvmeWorker worker;
    private final Place place;
    private final LocalSpec.Use use;
    private final List<Pair> pairs = new ArrayList<>();
    private final int blockBytes;
    private final int mostBlocks;
    /** Commands of each I/O that have not ended, and whether one has failed. */
    private final int[] left;

    private final boolean[] bad;
    private int turn;
    private @Nullable PerfUser user;
    private @Nullable StageTimes stages;
    /** Where the I/O that is ending has its stamps. */
    private int ending;

    /** A namespace. */
    record Place(String name, NvmeController ssd, int nsid) {}

    NvmeQueue(NvmeWorker worker, Place place, LocalSpec.Use use) {
        this.worker = worker;
        this.place = place;
        this.use = use;
        var namespace = place.ssd().spec().namespaces().get(place.nsid() - 1);
        blockBytes = namespace.blockBytes();
        int pages = place.ssd().spec().transferPages();
        int most = (NvmeQueuePair.MOST_ENTRIES - 1) * PAGE;
        mostBlocks = (pages == 0 ? most : Math.min(most, pages * PAGE)) / blockBytes;
        left = new int[use.depth()];
        bad = new boolean[use.depth()];
    }

    /** Makes one of the queue pairs; they come in order. */
    void make(NvmeDriver driver, HostMemory memory, int index, int entries, IntConsumer made) {
        if (index == 0 && use.stages()) {
            stages = new StageTimes(use.queuePairs() * entries, NvmeStages.NAMES);
        }
        Pair p = new Pair(index, entries);
        p.pair = driver.createQueuePair(worker.core(), entries, use.delayed(), p::done, made);
        pairs.add(p);
        StageTimes times = stages;
        if (times != null) {
            NvmeStages.follow(worker.core(), memory, p.pair, place.ssd(), times, index * entries);
        }
    }

    NvmeController ssd() {
        return place.ssd();
    }

    List<Pair> pairs() {
        return pairs;
    }

    @Override
    public String name() {
        return place.name();
    }

    @Override
    public int blockBytes() {
        return blockBytes;
    }

    @Override
    public long blocks() {
        return place.ssd().spec().namespaces().get(place.nsid() - 1).blocks();
    }

    @Override
    public Cpu cpu() {
        return worker.core();
    }

    @Override
    public int lcore() {
        return worker.lcore();
    }

    @Override
    public long allocate(String what, long bytes) {
        return worker.core()
                .memory()
                .allocate(what, bytes, Allocation.Kind.BULK, PAGE)
                .address();
    }

    @Override
    public void start(PerfUser load) {
        user = load;
        worker.begin(load);
    }

    @Override
    public void submit(IoType type, long lba, int blocks, long va, int tag) {
        int opcode = type == IoType.READ ? Opcodes.READ : Opcodes.WRITE;
        bad[tag] = false;
        left[tag] = (blocks - 1) / mostBlocks + 1;
        for (int done = 0; done < blocks; done += mostBlocks) {
            Pair p = pairs.get(turn);
            turn = turn + 1 == pairs.size() ? 0 : turn + 1;
            p.submit(opcode, lba + done, Math.min(mostBlocks, blocks - done), va + (long) done * blockBytes, tag);
        }
    }

    private void ended(int tag, boolean good) {
        bad[tag] |= !good;
        PerfUser u = user;
        if (--left[tag] == 0 && u != null) {
            u.ended(tag, !bad[tag]);
        }
    }

    @Override
    public @Nullable StageTimes stages() {
        return stages;
    }

    @Override
    public void count(int tag, long fromPs, long toPs) {
        StageTimes s = stages;
        if (s != null) {
            s.count(ending, fromPs, toPs);
        }
    }

    /** A queue pair, its trackers and the commands that wait for one. */
    final class Pair {
        private final int stampBase;
        private final int most;
        private final int[] task;
        private final int[] free;
        private int freeCount;
        private final CommandRing waiting = new CommandRing();
        private @Nullable NvmeQueuePair pair;

        private Pair(int index, int entries) {
            stampBase = index * entries;
            int limit = Math.max(1, Math.min(MOST_PER_POLL, entries / 4));
            most = use.mostPerPoll() == 0 ? limit : Math.min(limit, use.mostPerPoll());
            freeCount = Math.max(1, entries - limit);
            task = new int[freeCount];
            free = new int[freeCount];
            for (int i = 0; i < freeCount; i++) {
                free[i] = freeCount - 1 - i;
            }
        }

        private NvmeQueuePair pair() {
            NvmeQueuePair p = pair;
            if (p == null) {
                throw new ConfigurationException(place.name() + " is not attached");
            }
            return p;
        }

        private void submit(int opcode, long lba, int blocks, long va, int tag) {
            if (freeCount == 0 || !waiting.isEmpty() || !send(opcode, lba, blocks, va, tag)) {
                waiting.add(opcode, lba, blocks, va, tag);
            }
        }

        private boolean send(int opcode, long lba, int blocks, long va, int tag) {
            int tracker = free[freeCount - 1];
            StageTimes s = stages;
            if (s != null) {
                s.begin(stampBase + tracker);
            }
            if (!pair().transfer(opcode, place.nsid(), lba, blocks, va, blocks * blockBytes, tracker)) {
                return false;
            }
            task[tracker] = tag;
            freeCount--;
            return true;
        }

        private void done(int tracker, int status, long result) {
            free[freeCount++] = tracker;
            ending = stampBase + tracker;
            ended(task[tracker], status == 0);
            if (!waiting.isEmpty()
                    && send(waiting.opcode(), waiting.lba(), waiting.blocks(), waiting.va(), waiting.tag())) {
                waiting.remove();
            }
        }

        /** Polls once; returns whether it did more than look in vain. */
        boolean poll() {
            boolean rings = pair().isBehind();
            return pair().poll(most) > 0 || rings;
        }

        boolean isNext() {
            return pair().isNext();
        }

        long next() {
            return pair().next();
        }
    }
}
