package dev.clockwire.storage.bdev;

import dev.clockwire.nvme.driver.NvmeDriver;
import dev.clockwire.nvme.driver.NvmeQueuePair;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.reactor.MsgFn;
import dev.clockwire.storage.reactor.PacedPoller;
import dev.clockwire.storage.reactor.Poller;
import dev.clockwire.storage.reactor.StorageThread;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An SSD of this host, driven from user space: attached on one thread, and with a queue pair on each thread that uses it. Its namespaces become
 * block devices, {@code Nvme0n1} and so on.
 */
public final class NvmeSsd {
    private static final int MDTS = 77;
    private static final int PAGE = 4096;
    private static final int MOST_BLOCKS = 1 << 16;

    private final Bdevs bdevs;
    private final String name;
    private final Spec spec;
    private final StorageThread admin;
    private final NvmeDriver driver;
    private final PacedPoller poller;
    private final MsgFn begin;
    private final MsgFn make;
    private final MsgFn made;
    private final MsgFn hurry;
    private final List<NvmeBdev> devices = new ArrayList<>();
    private final List<NvmeChannel> channels = new ArrayList<>();
    private final ArrayList<NvmeChannel> wanted = new ArrayList<>();
    private final List<Delegation> delegations = new ArrayList<>();
    private Runnable attached = () -> {};
    private final MsgFn stop;
    private Runnable detached = () -> {};
    private boolean over;
    private boolean leaving;
    /** Channels that still look at their queue pairs while the SSD is being left, -1 before they were told to stop. */
    private int looking = -1;

    private boolean making;

    /**
     * How an SSD is used. The defaults are SPDK's.
     *
     * @param queues queue pairs to ask for: threads that will use it
     * @param entries of each ring
     * @param adminPollPs time between polls of the admin queue while nothing is asked for
     */
    public record Spec(int queues, int entries, long adminPollPs) {
        private static final int MOST = 65_535;

        /** Checks the ranges. */
        public Spec {
            if (queues < 1 || queues > MOST || entries < 2 || entries > MOST || adminPollPs < 1) {
                throw new ConfigurationException("bdev nvme: " + queues + " queue pairs of " + entries + " entries, "
                        + adminPollPs + " ps between polls of the admin queue: must be 1.." + MOST + ", 2.." + MOST
                        + " and 1 or more");
            }
        }

        /** Returns SPDK's: 256 entries, the admin queue polled each 10 ms. */
        public static Spec of(int queues) {
            return new Spec(queues, 256, 10_000_000_000L);
        }
    }

    /**
     * Makes an SSD known; while a design is built.
     *
     * @param admin attaches it and makes its queue pairs
     * @param bar bus address of its BAR 0
     */
    public NvmeSsd(Bdevs bdevs, String name, StorageThread admin, long bar, Spec spec) {
        this.bdevs = bdevs;
        this.name = name;
        this.spec = spec;
        this.admin = admin;
        driver = new NvmeDriver(admin.reactor().core(), bar, spec.queues());
        poller = new PacedPoller(admin, name + ".admin", spec.adminPollPs(), this::poll);
        begin = bdevs.reactors().function(name + ".attach", (a, b) -> {
            poller.start();
            poller.hurry();
        });
        make = bdevs.reactors().function(name + ".make", (i, b) -> {
            wanted.add(channels.get((int) i));
            poller.hurry();
        });
        MsgFn stopped = bdevs.reactors().function(name + ".stopped", (a, b) -> looking--);
        stop = bdevs.reactors().function(name + ".stop", (i, b) -> {
            channels.get((int) i).stop();
            send(admin, stopped, 0, 0);
        });
        hurry = bdevs.reactors().function(name + ".delegate", (a, b) -> poller.hurry());
        made = bdevs.reactors()
                .function(name + ".made", (i, status) -> channels.get((int) i).made((int) status));
    }

    /** Attaches it; {@code then} is called on the admin thread when it can be used or cannot: see {@link #failure}. */
    public void attach(Runnable then) {
        attached = then;
        send(admin, begin, 0, 0);
    }

    /**
     * Leaves it: queue pairs are deleted and the controller is shut down. Called on the admin thread, as {@code then} is; its devices are removed
     * before.
     */
    public void detach(Runnable then) {
        detached = then;
        leaving = true;
        poller.hurry();
    }

    /** Goes on leaving it; returns whether something was done. */
    private boolean leave() {
        if (looking < 0 && !making && wanted.isEmpty()) {
            looking = channels.size();
            for (int i = 0; i < channels.size(); i++) {
                send(channels.get(i).thread(), stop, i, 0);
            }
            return true;
        }
        if (looking == 0 && driver.stage() == NvmeDriver.Stage.READY) {
            driver.detach();
            return true;
        }
        if (driver.stage() != NvmeDriver.Stage.DETACHED && driver.stage() != NvmeDriver.Stage.FAILED) {
            return false;
        }
        leaving = false;
        poller.relax();
        poller.stop();
        detached.run();
        return true;
    }

    private void send(StorageThread to, MsgFn fn, long a, long b) {
        if (to.sendMsg(fn, a, b) != 0) {
            throw new ConfigurationException("bdev " + name + ": the message pool is empty");
        }
    }

    private int poll(Poller self) {
        boolean moved = driver.poll();
        if (!over && (driver.stage() == NvmeDriver.Stage.READY || driver.stage() == NvmeDriver.Stage.FAILED)) {
            over = true;
            poller.relax();
            describe();
            attached.run();
            return 1;
        }
        if (!making && !(wanted.isEmpty() && delegations.isEmpty())) {
            making = true;
            if (delegations.isEmpty()) {
                makeNext();
            } else {
                delegateNext();
            }
            return 1;
        }
        if (leaving && leave()) {
            return 1;
        }
        NvmeQueuePair queue = driver.admin();
        if (moved || queue == null || leaving) {
            return moved ? 1 : 0;
        }
        self.watch(queue.next(), CqEntry.BYTES);
        return 0;
    }

    private void describe() {
        for (NvmeDriver.Namespace n : driver.namespaces()) {
            if (n.blocks() > 0) {
                devices.add(new NvmeBdev(bdevs, this, name + "n" + n.nsid(), n));
            }
        }
    }

    private void makeNext() {
        NvmeChannel c = wanted.get(0);
        if (driver.stage() != NvmeDriver.Stage.READY || driver.freeQueues() == 0) {
            ended(c, NvmeStatus.QUEUE_ID_INVALID.code());
            return;
        }
        int entries = Math.min(spec.entries(), driver.maxEntries());
        c.use(driver.createQueuePair(c.cpu(), entries, true, c, status -> ended(c, status)));
    }

    /**
     * Has a queue pair made that a device uses by itself; on any thread of the reactors.
     *
     * @param entries of its rings
     * @param completions bus address of the completion ring
     * @param then is told, on the admin thread, where it is; null if there is none left, or the SSD refuses
     */
    public void delegate(int entries, long completions, Consumer<NvmeQueuePair.@Nullable QueuePlace> then) {
        delegations.add(new Delegation(entries, completions, then));
        send(admin, hurry, 0, 0);
    }

    private record Delegation(int entries, long completions, Consumer<NvmeQueuePair.@Nullable QueuePlace> then) {}

    private void delegateNext() {
        Delegation d = delegations.get(0);
        if (driver.stage() != NvmeDriver.Stage.READY || driver.freeQueues() == 0 || d.entries() > driver.maxEntries()) {
            delegated(d, null);
            return;
        }
        NvmeQueuePair.@Nullable QueuePlace[] place = new NvmeQueuePair.QueuePlace[1];
        place[0] = driver.delegateQueuePair(
                d.entries(), d.completions(), status -> delegated(d, status == 0 ? place[0] : null));
    }

    private void delegated(Delegation d, NvmeQueuePair.@Nullable QueuePlace place) {
        making = false;
        delegations.remove(0);
        poller.relax();
        d.then().accept(place);
    }

    private void ended(NvmeChannel c, int status) {
        making = false;
        wanted.remove(0);
        poller.relax();
        send(c.thread(), made, channels.indexOf(c), status);
    }

    /** Returns a thread's queue pair; it is made when it is first asked for. */
    NvmeChannel channel(StorageThread thread) {
        for (NvmeChannel c : channels) {
            if (c.thread() == thread) {
                return c;
            }
        }
        NvmeChannel c = new NvmeChannel(this, thread, name + ".poll");
        channels.add(c);
        send(admin, make, channels.size() - 1L, 0);
        return c;
    }

    /** Returns the most bytes that one command moves; once attached. */
    public long mostBytes() {
        int mdts = driver.identity(MDTS);
        long most = (NvmeQueuePair.MOST_ENTRIES - 1) * (long) PAGE;
        return mdts == 0 ? most : Math.min(most, (long) PAGE << mdts);
    }

    /** Returns the most blocks of one command. */
    int mostBlocks(int blockBytes) {
        return (int) Math.min(MOST_BLOCKS, mostBytes() / blockBytes);
    }

    /** Returns why it cannot be used; empty if it can. */
    public String failure() {
        return driver.failure();
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns its namespaces as devices; once attached. */
    public List<NvmeBdev> devices() {
        return List.copyOf(devices);
    }

    /** Returns the driver. */
    public NvmeDriver driver() {
        return driver;
    }

    /** Returns the queue pairs there are, in the order they were asked for. */
    public List<NvmeQueuePair> queuePairs() {
        List<NvmeQueuePair> pairs = new ArrayList<>();
        for (NvmeChannel c : channels) {
            NvmeQueuePair p = c.pair();
            if (p != null) {
                pairs.add(p);
            }
        }
        return pairs;
    }

    @Override
    public String toString() {
        return name;
    }
}
