package dev.clockwire.storage.perf;

import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.pcie.host.CoreProgram;
import dev.clockwire.pcie.host.CpuCore;
import java.util.ArrayList;
import java.util.List;

/**
 * Polls its queue pairs in turn, a step each. Behind a round in which none had anything it idles: the polls that find nothing are skipped
 * and counted, and as they all cost the same, the number of steps so far says whose turn it is.
 */
final class NvmeWorker implements CoreProgram {
    private final CpuCore core;
    private final int lcore;
    private final List<NvmeQueue> queues = new ArrayList<>();
    private NvmeQueue.Pair[] pairs = {};
    private final List<PerfUser> beginners = new ArrayList<>();
    private long origin;
    /** Polls in a row that found nothing and rang nothing. */
    private int vain;

    NvmeWorker(CpuCore core, int lcore) {
        this.core = core;
        this.lcore = lcore;
    }

    CpuCore core() {
        return core;
    }

    int lcore() {
        return lcore;
    }

    void add(NvmeQueue q) {
        queues.add(q);
    }

    List<NvmeQueue> queues() {
        return queues;
    }

    /** Has a load begin in the core's next step. */
    void begin(PerfUser user) {
        beginners.add(user);
        if (pairs.length == 0) {
            List<NvmeQueue.Pair> all = new ArrayList<>();
            queues.forEach(q -> all.addAll(q.pairs()));
            pairs = all.toArray(pairs);
            origin = core.steps();
        }
        core.run(this);
    }

    /** Something may have come to a queue since its turn. */
    private boolean isAnyNext() {
        for (NvmeQueue.Pair p : pairs) {
            if (p.isNext()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void step(CpuCore c) {
        boolean found = !beginners.isEmpty();
        if (found) {
            for (int i = 0; i < beginners.size(); i++) {
                beginners.get(i).begin();
            }
            beginners.clear();
        }
        int n = pairs.length;
        found |= pairs[(int) ((c.steps() - origin) % n)].poll();
        vain = found ? 0 : vain + 1;
        if (vain < n || isAnyNext()) {
            if (!found) {
                c.foundNothing();
            }
            c.wake();
            return;
        }
        vain = 0; // whoever wakes it may have written to a queue whose turn is later
        for (NvmeQueue.Pair p : pairs) {
            c.idle(p.next(), CqEntry.BYTES);
        }
    }
}
