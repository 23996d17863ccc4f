package dev.clockwire.storage.bdev;

import dev.clockwire.nvme.driver.NvmeDriver;
import dev.clockwire.nvme.driver.NvmeQueuePair;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.roce.verbs.DmaBuf;
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
    /** What SPDK gives an admin command ({@code NVME_MAX_ADMIN_TIMEOUT_IN_SECS}). */
    private static final long ADMIN_PS = 30_000_000_000_000L;

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
    private final MsgFn check;
    private final MsgFn halt;
    private final MsgFn fail;
    /** The SSD is being reset. */
    private boolean resetting;

    private boolean restarted;
    /** Channels that have not stopped yet. */
    private int halting;

    private long checkedPs;
    /** When the last reset or queue pair was begun. */
    private long beganPs;
    /** A device uses a queue pair by itself, which a reset would take from it. */
    private boolean offloaded;

    /**
     * How an SSD is used. The defaults are SPDK's.
     *
     * @param queues queue pairs to ask for: threads that will use it
     * @param entries of each ring
     * @param adminPollPs time between polls of the admin queue while nothing is asked for
     * @param timeoutPs behind which an I/O is late, and the SSD is reset ({@code timeout_us} with {@code action_on_timeout} reset); 0 = never
     * @param controllerMemory its controller memory buffer, which it may lend to other devices; null = it has none
     */
    public record Spec(
            int queues,
            int entries,
            long adminPollPs,
            long timeoutPs,
            @Nullable DmaBuf controllerMemory) {
        private static final int MOST = 65_535;

        /** Checks the ranges. */
        public Spec {
            if (queues < 1 || queues > MOST || entries < 2 || entries > MOST || adminPollPs < 1 || timeoutPs < 0) {
                throw new ConfigurationException("bdev nvme: " + queues + " queue pairs of " + entries + " entries, "
                        + adminPollPs + " ps between polls of the admin queue, I/Os late behind " + timeoutPs
                        + " ps: must be 1.." + MOST + ", 2.." + MOST + ", 1 or more, and 0 or more");
            }
        }

        /** Creates a use without such a time, as is usual. */
        public Spec(int queues, int entries, long adminPollPs) {
            this(queues, entries, adminPollPs, 0, null);
        }

        /** Returns SPDK's: 256 entries, the admin queue polled each 10 ms. */
        public static Spec of(int queues) {
            return new Spec(queues, 256, 10_000_000_000L, 0, null);
        }

        /** Returns a copy that resets the SSD behind a time. */
        public Spec withTimeout(long ps) {
            return new Spec(queues, entries, adminPollPs, ps, controllerMemory);
        }

        /** Returns a copy for an SSD with a controller memory buffer. */
        public Spec withControllerMemory(DmaBuf memory) {
            return new Spec(queues, entries, adminPollPs, timeoutPs, memory);
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
        MsgFn late = bdevs.reactors().function(name + ".late", (a, b) -> reset());
        check = bdevs.reactors().function(name + ".check", (i, b) -> {
            if (channels.get((int) i).isLate(spec.timeoutPs())) {
                send(admin, late, 0, 0);
            }
        });
        MsgFn halted = bdevs.reactors().function(name + ".halted", (a, b) -> halting--);
        halt = bdevs.reactors().function(name + ".halt", (i, b) -> {
            channels.get((int) i).halt();
            send(admin, halted, 0, 0);
        });
        fail = bdevs.reactors()
                .function(name + ".fail", (i, b) -> channels.get((int) i).failAll());
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

    /** Resets the SSD, as SPDK does when an I/O is late: what is under way fails, what comes meanwhile waits. */
    private void reset() {
        if (resetting || leaving || offloaded || driver.stage() != NvmeDriver.Stage.READY) {
            return;
        }
        resetting = true;
        restarted = false;
        making = false;
        for (int i = 0; i < wanted.size(); i++) {
            poller.relax(); // they are wanted again afterwards
        }
        wanted.clear();
        halting = channels.size();
        for (int i = 0; i < channels.size(); i++) {
            send(channels.get(i).thread(), halt, i, 0);
        }
        poller.hurry();
    }

    /** Goes on resetting it; returns whether something was done. */
    private boolean goOn(long now) {
        if (halting > 0) {
            return false;
        }
        if (!restarted || (!isOver(driver.stage()) && now - beganPs > ADMIN_PS)) {
            restarted = true;
            beganPs = now;
            driver.restart();
            return true;
        }
        if (!isOver(driver.stage())) {
            return false;
        }
        resetting = false;
        for (int i = 0; i < channels.size(); i++) {
            send(channels.get(i).thread(), fail, i, 0);
            wanted.add(channels.get(i));
            poller.hurry();
        }
        poller.relax();
        return true;
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
        if (spec.timeoutPs() > 0 && self.cpu().now() - checkedPs >= spec.adminPollPs()) {
            check(self.cpu().now());
        }
        if (resetting) {
            return goOn(self.cpu().now()) || moved ? 1 : quiet(self);
        }
        if (!making && !(wanted.isEmpty() && delegations.isEmpty())) {
            making = true;
            beganPs = self.cpu().now();
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
        if (moved || leaving) {
            return moved ? 1 : 0;
        }
        return quiet(self);
    }

    private static boolean isOver(NvmeDriver.Stage stage) {
        return stage == NvmeDriver.Stage.READY || stage == NvmeDriver.Stage.FAILED;
    }

    /** Looks whether the SSD still answers: channels at their I/Os, this thread at what it has asked for. */
    private void check(long now) {
        checkedPs = now;
        if (making && delegations.isEmpty() && now - beganPs > ADMIN_PS) {
            reset();
        }
        for (int i = 0; i < channels.size() && !resetting; i++) {
            send(channels.get(i).thread(), check, i, 0);
        }
    }

    private int quiet(Poller self) {
        NvmeQueuePair queue = driver.admin();
        if (queue == null) {
            return 0;
        }
        self.watch(queue.next(), CqEntry.BYTES);
        if (spec.timeoutPs() > 0) {
            self.quietUntil(checkedPs + spec.adminPollPs());
        }
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
        delegate(entries, completions, null, then);
    }

    /** The same; what the device needs may lie in memory of the controller, which is mapped for it. */
    public void delegate(
            int entries, long completions, @Nullable Lent lent, Consumer<NvmeQueuePair.@Nullable QueuePlace> then) {
        delegations.add(new Delegation(entries, completions, lent, then));
        send(admin, hurry, 0, 0);
    }

    /** What lies in the controller memory buffer for a device that drives a queue pair. */
    public static final class Lent {
        private final long sq;
        private final long lists;
        private final byte[] content;

        /**
         * Says where.
         *
         * @param sq bus address of the submission ring
         * @param lists bus address of what must stand there before the first command
         * @param content that
         */
        public Lent(long sq, long lists, byte[] content) {
            this.sq = sq;
            this.lists = lists;
            this.content = content.clone();
        }
    }

    private record Delegation(
            int entries, long completions, @Nullable Lent lent, Consumer<NvmeQueuePair.@Nullable QueuePlace> then) {}

    /** Returns the controller memory buffer, null if there is none. */
    public @Nullable DmaBuf controllerMemory() {
        return spec.controllerMemory();
    }

    private long map(Lent lent) {
        DmaBuf memory = spec.controllerMemory();
        if (memory == null) {
            throw new ConfigurationException("bdev " + name + ": there is no controller memory to lend");
        }
        driver.mapCmb(memory.address());
        admin.reactor().core().mmioWrite(lent.lists, lent.content, 0, lent.content.length);
        return lent.sq;
    }

    private void delegateNext() {
        Delegation d = delegations.get(0);
        if (driver.stage() != NvmeDriver.Stage.READY || driver.freeQueues() == 0 || d.entries() > driver.maxEntries()) {
            delegated(d, null);
            return;
        }
        NvmeQueuePair.@Nullable QueuePlace[] place = new NvmeQueuePair.QueuePlace[1];
        Lent lent = d.lent();
        long sq = lent == null ? 0 : map(lent);
        place[0] = driver.delegateQueuePair(
                d.entries(), sq, d.completions(), status -> delegated(d, status == 0 ? place[0] : null));
    }

    private void delegated(Delegation d, NvmeQueuePair.@Nullable QueuePlace place) {
        making = false;
        offloaded |= place != null;
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
