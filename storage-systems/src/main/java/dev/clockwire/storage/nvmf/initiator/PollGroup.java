package dev.clockwire.storage.nvmf.initiator;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Context;
import dev.clockwire.roce.verbs.DeviceLife;
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
    private final List<Registered> ranges = new ArrayList<>();
    private WorkCompletion[] wc = WorkCompletion.array(BATCH);
    private @Nullable Opened opened;
    private int registering;
    private boolean started;
    private boolean lost;
    private long polls;
    private long idlePolls;
    private long completions;

    /** What belongs to one time of having the device open. */
    private record Opened(Context context, ProtectionDomain pd, CompletionQueue cq) {
        /** Lets all go behind a failure: connections and registrations are gone already. */
        void close() {
            cq.close();
            pd.close();
            context.close();
        }
    }

    /** Memory that is registered while the device is open. */
    static final class Registered {
        private final long va;
        private final long length;
        private @Nullable MemoryRegion region;

        private Registered(long va, long length) {
            this.va = va;
            this.length = length;
        }

        private void set(@Nullable MemoryRegion next) {
            MemoryRegion before = region;
            region = next;
            if (before != null) {
                before.close();
            }
        }

        /** Returns the key for own work requests; 0 while the device is away. */
        int lkey() {
            MemoryRegion r = region;
            return r == null ? 0 : r.lkey();
        }

        /** Returns the key for the target; 0 while the device is away. */
        int rkey() {
            MemoryRegion r = region;
            return r == null ? 0 : r.rkey();
        }
    }

    /** Creates a group; with a pace it is polled in every round only while somebody waits. */
    PollGroup(NvmfHost host, StorageThread thread, String name, int cqe, long pacePs) {
        this.host = host;
        this.thread = thread;
        this.cqe = cqe;
        paced = pacePs == 0 ? null : new PacedPoller(thread, name, pacePs, this::poll);
        poller = thread.poller(name, this::poll);
    }

    /** Opens the device, for the first time or anew: then all memory is registered again, and what belonged to the old one is let go. */
    Completion<PollGroup> open() {
        Completion<PollGroup> whole = new Completion<>();
        if (!host.device().isPresent()) { // it has failed meanwhile, and nobody has heard of that yet
            whole.fail(DeviceLife.lost("open_device", host.device().name()));
            return whole;
        }
        Context context = host.device().open(thread.reactor().core());
        Completion<ProtectionDomain> domain = context.allocPd();
        domain.whenFailed(whole::fail);
        domain.whenDone(made -> {
            Completion<CompletionQueue> queue = context.createCq(cqe);
            queue.whenFailed(whole::fail);
            queue.whenDone(q -> again(new Opened(context, made, q), new ArrayList<>(), whole));
        });
        return whole;
    }

    private void again(Opened now, List<MemoryRegion> made, Completion<PollGroup> whole) {
        if (made.size() < ranges.size()) {
            Registered next = ranges.get(made.size());
            Completion<MemoryRegion> region = now.pd.regMr(next.va, next.length, ACCESS);
            region.whenFailed(whole::fail);
            region.whenDone(mr -> {
                made.add(mr);
                again(now, made, whole);
            });
            return;
        }
        Opened before = opened;
        for (int i = 0; i < made.size(); i++) {
            ranges.get(i).set(made.get(i));
        }
        if (before != null) {
            before.close();
        }
        opened = now;
        lost = false;
        whole.complete(this);
    }

    /** The device has failed: no memory is registered. */
    void lost() {
        lost = true;
        for (int i = 0; i < ranges.size(); i++) {
            ranges.get(i).set(null);
        }
    }

    /** Whether no verb is under way. */
    boolean isQuiet() {
        return registering == 0;
    }

    void start() {
        if (started) {
            return;
        }
        started = true;
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

    /**
     * Registers memory for data, also whenever the device was opened anew; the completion ends outside of all threads. It fails with EIO if the device has
     * failed: the memory is registered when it is back.
     */
    public Completion<MemoryRegion> register(long va, long length) {
        Registered range = new Registered(va, length);
        if (lost) {
            ranges.add(range);
            Completion<MemoryRegion> refused = new Completion<>();
            refused.fail(DeviceLife.lost("reg_mr", host.device().name()));
            return refused;
        }
        Completion<MemoryRegion> done = pd().regMr(va, length, ACCESS);
        registering++;
        done.whenDone(mr -> {
            registering--;
            range.set(mr);
            ranges.add(range);
        });
        done.whenFailed(error -> {
            registering--;
            ranges.add(range);
        });
        return done;
    }

    /** Returns the memory that a range lies in. */
    Registered region(long va, long length) {
        for (int i = 0; i < ranges.size(); i++) {
            Registered r = ranges.get(i);
            if (va >= r.va && va + length <= r.va + r.length) {
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

    /** Has a poll take no more than so many completions, at most as many as it takes anyway; before it is polled. */
    public void takeAtMost(long completions) {
        if (completions < 1) {
            throw new ConfigurationException(
                    thread.name(), 0, completions + " completions of a poll: must be 1 or more");
        }
        wc = WorkCompletion.array((int) Math.min(BATCH, completions));
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
        return opened().pd;
    }

    CompletionQueue cq() {
        return opened().cq;
    }

    private Opened opened() {
        Opened o = opened;
        if (o == null) {
            throw notOpen();
        }
        return o;
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
