package dev.clockwire.storage.perf;

import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.bdev.IoType;
import dev.clockwire.storage.nvmf.initiator.ControllerInit;
import dev.clockwire.storage.nvmf.initiator.NvmfHost;
import dev.clockwire.storage.nvmf.initiator.PollGroup;
import dev.clockwire.storage.nvmf.initiator.RemoteQueue;
import dev.clockwire.storage.reactor.StorageThread;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A core's way to a namespace behind the network. Queue pairs take turns command by command; an I/O larger than the controller moves at once is
 * several commands, and what a queue has no room for waits in front of it.
 */
final class FabricQueue implements PerfQueue {
    private static final int PAGE = 4096;
    private static final long MOST_BYTES = 1 << 23;

    private final NvmfHost host;
    private final PollGroup group;
    private final String address;
    private final int nsid;
    private final List<RemoteQueue> pairs = new ArrayList<>();
    private final List<CommandRing> waiting = new ArrayList<>();
    private final int[] left;
    private final boolean[] bad;
    private int turn;
    private int blockBytes;
    private long blocks;
    private int mostBlocks;
    private int registering;
    private boolean showsStages;
    private @Nullable PerfUser user;
    private @Nullable FabricStages stages;

    FabricQueue(NvmfHost host, PollGroup group, String address, int nsid, int depth) {
        this.host = host;
        this.group = group;
        this.address = address;
        this.nsid = nsid;
        left = new int[depth];
        bad = new boolean[depth];
    }

    void add(RemoteQueue pair) {
        pairs.add(pair);
        waiting.add(new CommandRing());
    }

    /** The controller is known; one queue shows the stages of all. */
    void connected(ControllerInit identity, @Nullable FabricStages follow, boolean shows) {
        for (ControllerInit.Namespace n : identity.namespaces()) {
            if (n.nsid() == nsid) {
                blockBytes = n.blockBytes();
                blocks = n.blocks();
            }
        }
        long most = identity.largestTransfer() == 0 ? MOST_BYTES : Math.min(MOST_BYTES, identity.largestTransfer());
        mostBlocks = (int) (most / blockBytes);
        stages = follow;
        showsStages = shows;
    }

    PollGroup group() {
        return group;
    }

    private StorageThread thread() {
        return group.thread();
    }

    @Override
    public String name() {
        return "RDMA (addr:" + address + ") NSID " + nsid;
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
        return thread().reactor().core();
    }

    @Override
    public int lcore() {
        return thread().reactor().lcore();
    }

    @Override
    public long allocate(String what, long bytes) {
        Allocation a = cpu().memory().allocate(what, bytes, Allocation.Kind.BULK, PAGE);
        registering++;
        group.register(a.address(), a.length()).whenDone(mr -> {
            if (--registering == 0) {
                begin();
            }
        });
        return a.address();
    }

    @Override
    public void start(PerfUser load) {
        user = load;
        if (registering == 0) {
            begin();
        }
    }

    private void begin() {
        PerfUser load = user;
        if (load != null) {
            host.run(thread(), load::begin);
        }
    }

    @Override
    public void submit(IoType type, long lba, int count, long va, int tag) {
        int opcode = type == IoType.READ ? Opcodes.READ : Opcodes.WRITE;
        bad[tag] = false;
        left[tag] = (count - 1) / mostBlocks + 1;
        for (int done = 0; done < count; done += mostBlocks) {
            int pair = turn;
            turn = turn + 1 == pairs.size() ? 0 : turn + 1;
            int n = Math.min(mostBlocks, count - done);
            long to = va + (long) done * blockBytes;
            CommandRing behind = waiting.get(pair);
            if (!behind.isEmpty() || !send(pair, opcode, lba + done, n, to, tag)) {
                behind.add(opcode, lba + done, n, to, tag);
            }
        }
    }

    private boolean send(int pair, int opcode, long lba, int count, long va, int tag) {
        return pairs.get(pair).transfer(opcode, nsid, lba, count, va, count * blockBytes, tag);
    }

    /** A command of one of its pairs has ended. */
    void done(int pair, int tag, int status) {
        bad[tag] |= status != 0;
        PerfUser u = user;
        if (--left[tag] == 0 && u != null) {
            u.ended(tag, !bad[tag]);
        }
        CommandRing w = waiting.get(pair);
        if (pairs.get(pair).isDead()) {
            failAll(w);
            return;
        }
        if (!w.isEmpty() && send(pair, w.opcode(), w.lba(), w.blocks(), w.va(), w.tag())) {
            w.remove();
        }
    }

    /** The way is gone for good: what waits in front of it has failed. */
    private void failAll(CommandRing w) {
        while (!w.isEmpty()) {
            int tag = w.tag();
            w.remove();
            bad[tag] = true;
            PerfUser u = user;
            if (--left[tag] == 0 && u != null) {
                u.ended(tag, false);
            }
        }
    }

    @Override
    public boolean isLost() {
        for (RemoteQueue q : pairs) {
            if (q.isDead()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public @Nullable StageTimes stages() {
        FabricStages s = stages;
        return s == null || !showsStages ? null : s.times();
    }

    @Override
    public void count(int tag, long fromPs, long toPs) {
        FabricStages s = stages;
        if (s != null) {
            s.count(fromPs, toPs);
        }
    }
}
