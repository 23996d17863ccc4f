package dev.clockwire.storage.nvmf.initiator;

import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.roce.cm.ConnectionManager;
import dev.clockwire.roce.verbs.Device;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.storage.reactor.MsgFn;
import dev.clockwire.storage.reactor.PacedPoller;
import dev.clockwire.storage.reactor.Reactors;
import dev.clockwire.storage.reactor.StorageThread;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the initiators of one process share: an RDMA device, its connection manager on a main thread, and a poll group on each thread that
 * does I/O. Pollers are made here, so it is made while the design is built.
 */
public final class NvmfHost {
    /** Why a connection has ended whose device has failed. */
    static final String DEVICE_FAILED = "the RDMA device has failed";

    private static final int PAGE = 4096;

    private final Reactors reactors;
    private final HostDevice device;
    private final StorageThread main;
    private final InitiatorSpec spec;
    private final List<PollGroup> groups = new ArrayList<>();
    private final List<RemoteController> controllers = new ArrayList<>();
    private final List<@Nullable Runnable> jobs = new ArrayList<>();
    private final ArrayDeque<Integer> freeJobs = new ArrayDeque<>();
    private final MsgFn run;
    private final PollGroup admin;

    /**
     * Creates a host.
     *
     * @param device to be opened for the core of each thread
     * @param main runs the connection manager and what controllers are asked on their admin queues
     */
    public NvmfHost(Reactors reactors, Device device, StorageThread main, InitiatorSpec spec) {
        this.reactors = reactors;
        this.main = main;
        this.spec = spec;
        run = reactors.function("nvmf.host.run", (slot, b) -> runJob((int) slot));
        this.device = new HostDevice(this, device, main, spec.adminPollPs());
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
        device.limitMtu(most);
    }

    /**
     * Opens the device; on no thread or any. When it fails, all connections end; when it is back, it is opened anew and memory is registered again.
     *
     * @param random a stream of its own, for the connection manager
     * @param ready runs on the main thread when all groups can be used
     */
    public void open(CmTimes times, RandomStream random, Runnable ready) {
        device.open(times, random, ready);
    }

    void add(RemoteController controller) {
        controllers.add(controller);
    }

    List<PollGroup> everyGroup() {
        List<PollGroup> all = new ArrayList<>();
        all.add(admin);
        all.addAll(groups);
        return all;
    }

    /** The device has failed. */
    void deviceFailed() {
        everyGroup().forEach(g -> on(g.thread(), g::lost));
        controllers.forEach(RemoteController::deviceFailed);
    }

    /** Whether nothing is open or under way on the device. */
    boolean isQuiet() {
        for (RemoteController c : controllers) {
            if (!c.isClosed()) {
                return false;
            }
        }
        return everyGroup().stream().allMatch(PollGroup::isQuiet);
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

    ConnectionManager manager() {
        return device.manager();
    }

    /** Whether the device is open: connections can be made. */
    boolean isOpen() {
        return device.isOpen();
    }

    Allocation allocate(String what, long bytes) {
        return reactors.host().memory().allocate(what, bytes, Allocation.Kind.REAL, PAGE);
    }

    PacedPoller cmPoller() {
        return device.poller();
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
        return device.device();
    }

    /** Returns how often the RDMA device has failed. */
    public long deviceFailures() {
        return device.failures();
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
