package dev.clockwire.storage.nvmf.initiator;

import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.roce.cm.ConnectionManager;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.Context;
import dev.clockwire.roce.verbs.Device;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.storage.reactor.MsgFn;
import dev.clockwire.storage.reactor.PacedPoller;
import dev.clockwire.storage.reactor.Poller;
import dev.clockwire.storage.reactor.Reactors;
import dev.clockwire.storage.reactor.StorageThread;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the initiators of one process share: an RDMA device, its connection manager on a main thread, and a poll group on each thread that
 * does I/O. Pollers are made here, so it is made while the design is built.
 */
public final class NvmfHost {
    private static final int PAGE = 4096;

    private final Reactors reactors;
    private final Device device;
    private final StorageThread main;
    private final InitiatorSpec spec;
    private final List<PollGroup> groups = new ArrayList<>();
    private final List<@Nullable Runnable> jobs = new ArrayList<>();
    private final ArrayDeque<Integer> freeJobs = new ArrayDeque<>();
    private final MsgFn run;
    private final PacedPoller cmPoller;
    private final PollGroup admin;
    private Mtu pathMtu = Mtu.MTU_4096;
    private @Nullable ConnectionManager manager;

    /**
     * Creates a host.
     *
     * @param device to be opened for the core of each thread
     * @param main runs the connection manager and what controllers are asked on their admin queues
     */
    public NvmfHost(Reactors reactors, Device device, StorageThread main, InitiatorSpec spec) {
        this.reactors = reactors;
        this.device = device;
        this.main = main;
        this.spec = spec;
        run = reactors.function("nvmf.host.run", (slot, b) -> runJob((int) slot));
        cmPoller = new PacedPoller(main, "nvmf.cm", spec.adminPollPs(), this::pollManager);
        admin = new PollGroup(this, main, "nvmf.admin", 4 * spec.adminEntries(), spec.adminPollPs());
    }

    /**
     * Makes a poll group.
     *
     * @param thread polls its completion queue in each round
     * @param cqe entries of this queue: two for each command that can be under way, and one for each receive beyond these
     */
    public PollGroup group(StorageThread thread, int cqe) {
        PollGroup g = new PollGroup(this, thread, "nvmf.poll" + groups.size(), cqe, 0);
        groups.add(g);
        return g;
    }

    /** Asks for paths of no larger MTU; before {@link #open}. */
    public void limitMtu(Mtu most) {
        pathMtu = most;
    }

    /**
     * Opens the device; on no thread or any.
     *
     * @param random a stream of its own, for the connection manager
     * @param ready runs on the main thread when all groups can be used
     */
    public void open(CmTimes times, RandomStream random, Runnable ready) {
        Context context = device.open(main.reactor().core());
        Allocation memory = allocate("nvmf.cm", ConnectionManager.BUFFER_BYTES);
        context.allocPd().whenDone(pd -> register(pd, memory, times, random, ready));
    }

    private void register(ProtectionDomain pd, Allocation memory, CmTimes times, RandomStream random, Runnable ready) {
        pd.regMr(memory.address(), memory.length(), EnumSet.of(AccessFlag.LOCAL_WRITE))
                .whenDone(mr -> ConnectionManager.open(pd, mr, times, random)
                        .whenDone(opened -> on(main, () -> {
                            manager = opened;
                            opened.limitMtu(pathMtu);
                            cmPoller.start();
                            openGroup(-1, ready);
                        })));
    }

    private void openGroup(int index, Runnable ready) {
        if (index == groups.size()) {
            on(main, ready);
            return;
        }
        PollGroup next = index < 0 ? admin : groups.get(index);
        next.open()
                .whenDone(g -> on(g.thread(), () -> {
                    g.start();
                    openGroup(index + 1, ready);
                }));
    }

    /** Has something run on a thread, as a message: from any thread, or outside of all. */
    public void run(StorageThread thread, Runnable job) {
        on(thread, job);
    }

    /** Has something run on a thread; not on a path that commands take. */
    void on(StorageThread thread, Runnable job) {
        Integer slot = freeJobs.poll();
        if (slot == null) {
            slot = jobs.size();
            jobs.add(job);
        } else {
            jobs.set(slot, job);
        }
        if (thread.sendMsg(run, slot, 0) != 0) {
            throw new ConfigurationException(thread.name(), reactors.now(), "the message pool is empty");
        }
    }

    private void runJob(int slot) {
        Runnable job = jobs.get(slot);
        jobs.set(slot, null);
        freeJobs.add(slot);
        if (job != null) {
            job.run();
        }
    }

    private int pollManager(Poller self) {
        ConnectionManager cm = manager();
        if (cm.poll()) {
            return 1;
        }
        self.watch(cm.cq().provider().watchAddress(), 1);
        self.quietUntil(cm.nextDeadline());
        return 0;
    }

    ConnectionManager manager() {
        ConnectionManager cm = manager;
        if (cm == null) {
            throw new ConfigurationException(main.name(), reactors.now(), "the device is not open yet");
        }
        return cm;
    }

    Allocation allocate(String what, long bytes) {
        return reactors.host().memory().allocate(what, bytes, Allocation.Kind.REAL, PAGE);
    }

    PacedPoller cmPoller() {
        return cmPoller;
    }

    /** Returns the group of admin queues. */
    PollGroup admin() {
        return admin;
    }

    /** Returns the groups for I/O in the order they were made. */
    public List<PollGroup> groups() {
        return List.copyOf(groups);
    }

    /** Returns the RDMA device. */
    public Device device() {
        return device;
    }

    /** Returns the thread of the connection manager and of admin queues. */
    public StorageThread main() {
        return main;
    }

    /** Returns how hosts behave. */
    public InitiatorSpec spec() {
        return spec;
    }

    /** Returns the reactors. */
    public Reactors reactors() {
        return reactors;
    }
}
