package dev.clockwire.storage.hoststack.block;

import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.bdev.IoType;
import dev.clockwire.storage.hoststack.kernel.IoStage;
import dev.clockwire.storage.hoststack.kernel.KernelCore;
import dev.clockwire.storage.hoststack.kernel.KernelTask;
import dev.clockwire.storage.perf.CommandRing;
import dev.clockwire.storage.perf.PerfQueue;
import dev.clockwire.storage.perf.PerfUser;
import dev.clockwire.storage.perf.StageTimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program that loads a block device by asynchronous I/O, as fio with libaio does: an io_submit for each I/O, and io_getevents when it has nothing
 * to do, which sleeps. The block layer cuts I/Os that are larger than a command may be, and lets those wait that no queue has a tag for.
 */
public final class BlockUser extends KernelTask implements PerfQueue {
    private static final int PAGE = 4096;

    private final KernelCore kernel;
    private final Shape shape;
    private final List<HostQueue> queues = new ArrayList<>();
    /** Free identifiers of each queue, and whose I/O each of the others is. */
    private final List<int[]> free = new ArrayList<>();

    private int[] freeCount = new int[0];

    private final List<int[]> owners = new ArrayList<>();
    private final SqEntry entry = new SqEntry();
    private final StageTimes stages;
    private final int[] left;
    private final int[] bytes;
    private final boolean[] reads;
    private final boolean[] bad;
    private final int[] ended;
    private final CommandRing waiting = new CommandRing();
    private int endedHead;
    private int endedCount;
    private @Nullable PerfUser user;
    private Registration registration = (va, size) -> {};
    private boolean begun;
    private int turn;
    private int blockBytes = 1;
    private long blocks;

    /**
     * What it is like.
     *
     * @param name of the namespace in reports
     * @param lcore number of the core
     * @param depth most I/Os
     * @param mostBytes of a command
     * @param direct whether I/Os pass the page cache by
     */
    public record Shape(String name, int lcore, int depth, int mostBytes, boolean direct) {}

    /** Creates a program that sleeps. */
    public BlockUser(KernelCore kernel, Shape shape) {
        super("fio");
        this.kernel = kernel;
        this.shape = shape;
        stages = new StageTimes(
                shape.depth(),
                Arrays.stream(IoStage.values()).map(IoStage::text).toList());
        left = new int[shape.depth()];
        ended = new int[shape.depth()];
        bytes = new int[shape.depth()];
        reads = new boolean[shape.depth()];
        bad = new boolean[shape.depth()];
    }

    /** Adds a queue with so many identifiers; they take turns. Returns its number. */
    public int add(HostQueue queue, int identifiers) {
        queues.add(queue);
        int[] all = new int[identifiers];
        for (int i = 0; i < identifiers; i++) {
            all[i] = identifiers - 1 - i;
        }
        free.add(all);
        freeCount = Arrays.copyOf(freeCount, free.size());
        freeCount[free.size() - 1] = identifiers;
        owners.add(new int[identifiers]);
        return queues.size() - 1;
    }

    /** Has memory for data made known to a device when it is allocated. */
    public void registerBy(Registration how) {
        registration = how;
    }

    /** Makes memory known to a device. */
    @FunctionalInterface
    public interface Registration {
        /** Memory was allocated; outside of steps. */
        void allocated(long va, long bytes);
    }

    /** Says what the namespace is like. */
    public void describe(int bytesOfBlock, long number) {
        blockBytes = bytesOfBlock;
        blocks = number;
    }

    @Override
    public String name() {
        return shape.name();
    }

    @Override
    public int blockBytes() {
        return blockBytes;
    }

    @Override
    public long blocks() {
        return blocks;
    }

    @Override
    public Cpu cpu() {
        return kernel.cpu();
    }

    @Override
    public int lcore() {
        return shape.lcore();
    }

    @Override
    public long allocate(String what, long size) {
        long va = kernel.cpu()
                .memory()
                .allocate(what, size, Allocation.Kind.REAL, PAGE)
                .address();
        registration.allocated(va, size);
        return va;
    }

    @Override
    public void start(PerfUser load) {
        user = load;
        kernel.launch(this);
    }

    @Override
    protected boolean run() {
        PerfUser u = user;
        if (u == null) {
            return false;
        }
        if (!begun) {
            begun = true;
            u.begin();
        }
        while (endedCount > 0) {
            int tag = ended[endedHead];
            endedHead = endedHead + 1 == ended.length ? 0 : endedHead + 1;
            endedCount--;
            kernel.charge(kernel.costs().reap());
            if (reads[tag] && !shape.direct()) {
                kernel.copy(bytes[tag]);
            }
            u.ended(tag, !bad[tag]);
        }
        kernel.syscall(); // io_getevents, which sleeps
        return false;
    }

    @Override
    public void submit(IoType type, long lba, int count, long va, int tag) {
        stages.begin(tag);
        reads[tag] = type == IoType.READ;
        bad[tag] = false;
        bytes[tag] = count * blockBytes;
        kernel.syscall();
        kernel.charge(kernel.costs().submitIo() + kernel.costs().blockSubmit());
        if (!reads[tag] && !shape.direct()) {
            kernel.copy(bytes[tag]);
        }
        int most = Math.max(1, shape.mostBytes() / blockBytes);
        left[tag] = (count - 1) / most + 1;
        for (int done = 0; done < count; done += most) {
            int opcode = reads[tag] ? Opcodes.READ : Opcodes.WRITE;
            waiting.add(opcode, lba + done, Math.min(most, count - done), va + (long) done * blockBytes, tag);
        }
        dispatch();
    }

    /** Gives commands to queues as long as one has an identifier left. */
    private void dispatch() {
        while (!waiting.isEmpty() && choose()) {
            int tag = waiting.tag();
            int blockCount = waiting.blocks();
            long va = waiting.va();
            int id = free.get(turn)[--freeCount[turn]]; // the one that was free last, as a cache would have it
            owners.get(turn)[id] = tag;
            entry.clear().command(waiting.opcode(), id, 1).blocks(waiting.lba(), blockCount);
            waiting.remove();
            kernel.charge(kernel.costs().driver());
            queues.get(turn).submit(entry, va, blockCount * blockBytes, id);
        }
    }

    private boolean choose() {
        for (int i = 0; i < queues.size(); i++) {
            turn = turn + 1 < queues.size() ? turn + 1 : 0;
            if (freeCount[turn] > 0) {
                return true;
            }
        }
        return false;
    }

    /** A command of a queue has ended, wherever the transport has found out. */
    public void ended(int queue, int id, int status) {
        kernel.charge(kernel.costs().blockComplete());
        int tag = owners.get(queue)[id];
        free.get(queue)[freeCount[queue]++] = id;
        bad[tag] |= status != 0;
        if (--left[tag] == 0) {
            stages.stamp(IoStage.HOST_COMPLETE.at(), tag, kernel.now());
            ended[(endedHead + endedCount++) % ended.length] = tag;
            kernel.wakeUp(this);
        }
        dispatch();
    }

    /** Returns who is told of the stages of a queue's commands. */
    public IoStage.Tap tap(int queue) {
        int[] owner = owners.get(queue);
        return (stage, id, ps) -> stages.stamp(stage.at(), owner[id], ps);
    }

    @Override
    public StageTimes stages() {
        return stages;
    }

    @Override
    public void count(int tag, long fromPs, long toPs) {
        stages.count(tag, fromPs, toPs);
    }
}
