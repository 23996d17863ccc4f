package dev.clockwire.storage.nvmf.initiator;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Context;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.reactor.PacedPoller;
import dev.clockwire.storage.reactor.Poller;
import dev.clockwire.storage.reactor.StorageThread;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the queues of one thread share: protection domain, completion queue, registered memory, and the poller that takes completions and then
 * posts what has gathered meanwhile, with one doorbell for each queue.
 */
public final class PollGroup {
    private static final int BATCH = 128;
    private static final int QUEUE_SHIFT = 32;
    private static final EnumSet<AccessFlag> ACCESS =
            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);

    private final NvmfHost host;
    private final StorageThread thread;
    private final int cqe;
    private final @Nullable PacedPoller paced;
    private final Poller poller;
    private final List<RemoteQueue> queues = new ArrayList<>();
    private final List<MemoryRegion> regions = new ArrayList<>();
    private final WorkCompletion[] wc = WorkCompletion.array(BATCH);
    private @Nullable ProtectionDomain pd;
    private @Nullable CompletionQueue cq;
    private long polls;
    private long idlePolls;
    private long completions;

    /** Creates a group; with a pace it is polled in every round only while somebody waits. */
    PollGroup(NvmfHost host, StorageThread thread, String name, int cqe, long pacePs) {
        this.host = host;
        this.thread = thread;
        this.cqe = cqe;
        paced = pacePs == 0 ? null : new PacedPoller(thread, name, pacePs, this::poll);
        poller = thread.poller(name, this::poll);
    }

    Completion<PollGroup> open() {
        Completion<PollGroup> whole = new Completion<>();
        Context context = host.device().open(thread.reactor().core());
        context.allocPd().whenDone(domain -> {
            pd = domain;
            context.createCq(cqe).whenDone(queue -> {
                cq = queue;
                whole.complete(this);
            });
        });
        return whole;
    }

    void start() {
        if (paced == null) {
            poller.register(0);
        } else {
            paced.start();
        }
    }

    int add(RemoteQueue queue) {
        queues.add(queue);
        return queues.size() - 1;
    }

    static long wrId(int queue, int low) {
        return (long) queue << QUEUE_SHIFT | (low & 0xFFFF_FFFFL);
    }

    /** Registers memory for data; the completion ends outside of all threads. */
    public Completion<MemoryRegion> register(long va, long length) {
        Completion<MemoryRegion> done = pd().regMr(va, length, ACCESS);
        done.whenDone(regions::add);
        return done;
    }

    /** Returns the region that a range lies in. */
    MemoryRegion region(long va, long length) {
        for (int i = 0; i < regions.size(); i++) {
            MemoryRegion r = regions.get(i);
            if (va >= r.address() && va + length <= r.address() + r.length()) {
                return r;
            }
        }
        throw new ConfigurationException(
                thread.name(),
                host.reactors().now(),
                "data at 0x" + Long.toHexString(va) + " of " + length + " B are in no registered memory");
    }

    private int poll(Poller self) {
        int n = cq().poll(wc);
        polls++;
        completions += n;
        for (int i = 0; i < n; i++) {
            queues.get((int) (wc[i].wrId >>> QUEUE_SHIFT)).completed(wc[i]);
        }
        int posted = 0;
        for (int i = 0; i < queues.size(); i++) {
            posted += queues.get(i).flush();
        }
        if (n == 0 && posted == 0) {
            idlePolls++;
            self.watch(cq().provider().watchAddress(), 1);
        }
        return n;
    }

    /** An answer is waited for. */
    void hurry() {
        if (paced != null) {
            paced.hurry();
        }
    }

    /** An answer is waited for no more. */
    void relax() {
        if (paced != null) {
            paced.relax();
        }
    }

    ProtectionDomain pd() {
        ProtectionDomain p = pd;
        if (p == null) {
            throw notOpen();
        }
        return p;
    }

    CompletionQueue cq() {
        CompletionQueue c = cq;
        if (c == null) {
            throw notOpen();
        }
        return c;
    }

    private ConfigurationException notOpen() {
        return new ConfigurationException(thread.name(), host.reactors().now(), "the poll group is not open yet");
    }

    /** Returns the poller, whose times and counts are those of polling the completion queue. */
    public Poller poller() {
        return poller;
    }

    /** Returns the thread. */
    public StorageThread thread() {
        return thread;
    }

    /** Returns the polls that were simulated; polls that find nothing are skipped where they can be. */
    public long polls() {
        return polls;
    }

    /** Returns how many of {@link #polls} found nothing. */
    public long idlePolls() {
        return idlePolls;
    }

    /** Returns the completions of sends and receives. */
    public long completions() {
        return completions;
    }
}
