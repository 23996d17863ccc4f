package dev.clockwire.storage.nvmf.initiator;

import dev.clockwire.nvme.driver.NvmeDone;
import dev.clockwire.nvme.fabrics.ConnectData;
import dev.clockwire.nvme.fabrics.FabricsCommand;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.reactor.Poller;
import dev.clockwire.storage.reactor.StorageThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A controller behind the network: its admin queue, its I/O queues, and what keeps the association alive. It lives on the host's main thread.
 * When a connection is lost all of them are ended; what was submitted waits until there are new ones, or fails.
 */
public final class RemoteController {
    private static final long NEVER = -1;
    private static final int MS = 1_000_000_000;

    private final NvmfHost host;
    private final SubsystemAddress where;
    private final StorageThread main;
    private final InitiatorSpec spec;
    private final RemoteQueue admin;
    private final List<RemoteQueue> queues = new ArrayList<>();
    private final AdminWaits waits;
    private final SqEntry entry = new SqEntry();
    private final ControllerInit init;
    private final Poller clock;
    private Stage stage = Stage.IDLE;
    private String failure = "";
    private int controllerId = ConnectData.ANY;
    private long page;
    private long lostAt = NEVER;
    private long nextTry;
    private long nextKeepAlive = Long.MAX_VALUE;
    private boolean keepAliveOpen;
    private boolean ending;
    private boolean gaveUp;
    private long losses;
    private long keepAlives;
    private long events;
    private Runnable ready = () -> {};
    private Runnable stopped = () -> {};
    private @Nullable Runnable later;
    private LongConsumer onEvent = result -> {};

    /** How far it has come. */
    public enum Stage {
        /** Nothing was asked for. */
        IDLE,
        /** The admin queue is being connected, the controller enabled and asked what it is. */
        INITIALISING,
        /** I/O queues are being connected. */
        CONNECTING_IO,
        /** In use. */
        READY,
        /** A connection is lost: all are being ended. */
        RESETTING,
        /** Waits for the time of the next try. */
        DELAYED,
        /** The controller is being shut down. */
        STOPPING,
        /** Shut down. */
        STOPPED,
        /** No further try is made. */
        FAILED
    }

    /**
     * Creates a controller without I/O queues.
     *
     * @param where the subsystem; the address is that of the target's port
     */
    public RemoteController(NvmfHost host, SubsystemAddress where) {
        this.host = host;
        this.where = where;
        spec = host.spec();
        main = host.main();
        waits = new AdminWaits(spec.adminEntries());
        admin = new RemoteQueue(host, host.admin(), this, 0, spec.adminEntries(), this::answered);
        init = new ControllerInit(this, spec);
        clock = main.poller("nvmf.ctrlr", this::tick);
        host.add(this);
    }

    /**
     * Adds an I/O queue; before {@link #start}.
     *
     * @param done is told of commands that have ended, on the group's thread
     */
    public RemoteQueue addQueue(PollGroup group, NvmeDone done) {
        if (queues.size() == spec.ioQueues()) {
            throw new ConfigurationException("I/O queue " + (queues.size() + 1) + " of nvmf.host.ioQueues "
                    + spec.ioQueues() + " asked for: must be 1.." + spec.ioQueues());
        }
        RemoteQueue q = new RemoteQueue(host, group, this, queues.size() + 1, spec.ioEntries(), done);
        queues.add(q);
        return q;
    }

    /** Connects; on the main thread. {@code then} is called whenever the controller becomes usable, or has failed for good. */
    public void start(Runnable then) {
        ready = then;
        Allocation memory = host.allocate("nvmf.identify", ControllerInit.BYTES);
        page = memory.address();
        Completion<MemoryRegion> registered = host.admin().register(page, memory.length());
        registered.whenDone(r -> host.on(main, () -> {
            clock.register(spec.adminPollPs());
            connectAdmin();
        }));
        registered.whenFailed(why -> host.on(main, () -> {
            clock.register(spec.adminPollPs());
            reset(NvmfHost.DEVICE_FAILED);
        }));
    }

    private void connectAdmin() {
        stage = Stage.INITIALISING;
        admin.connect();
    }

    SubsystemAddress where() {
        return where;
    }

    /** Returns the number that the target gave. */
    public int controllerId() {
        return controllerId;
    }

    long page() {
        return page;
    }

    ConnectData connectData(int queue) {
        long id = 0xCBF2_9CE4_8422_2325L;
        for (int i = 0; i < spec.hostNqn().length(); i++) {
            id = (id ^ spec.hostNqn().charAt(i)) * 0x100_0000_01B3L;
        }
        return new ConnectData(id, ~id, queue == 0 ? ConnectData.ANY : controllerId, where.subsystem(), spec.hostNqn());
    }

    /** A queue's Connect has been answered. */
    void queueUp(RemoteQueue queue, int cntlid) {
        if (queue == admin) {
            controllerId = cntlid;
            init.begin();
        } else if (stage == Stage.CONNECTING_IO) {
            connectIo(queue.id());
        }
    }

    /** The controller is enabled and known. */
    void initialised() {
        stage = Stage.CONNECTING_IO;
        for (RemoteQueue q : queues) {
            q.limitEntries(init.queueEntries());
            q.setInCapsule(spec.inCapsule() ? init.inCapsule() : 0);
        }
        connectIo(0);
    }

    private void connectIo(int index) {
        if (index < Math.min(queues.size(), init.grantedQueues())) {
            RemoteQueue q = queues.get(index);
            host.on(q.group().thread(), q::connect);
            return;
        }
        stage = Stage.READY;
        lostAt = NEVER;
        gaveUp = false;
        nextKeepAlive = init.keepsAlive() ? now() + keepAlivePs() : Long.MAX_VALUE;
        for (RemoteQueue q : queues) {
            host.on(q.group().thread(), () -> q.setDead(q.id() > init.grantedQueues()));
        }
        host.on(main, ready);
    }

    private long keepAlivePs() {
        return (long) spec.keepAliveMs() * MS / 2;
    }

    long now() {
        return host.reactors().now();
    }

    /** A queue has lost its connection, and is closed. */
    void queueDown(RemoteQueue queue, String why) {
        if (stage == Stage.READY || stage == Stage.INITIALISING || stage == Stage.CONNECTING_IO) {
            reset("queue " + queue.id() + ": " + why);
        } else if (stage == Stage.STOPPING && queue == admin) {
            shutDown();
        }
    }

    /** The controller does not do what it must. */
    void broken(String why) {
        if (stage == Stage.INITIALISING || stage == Stage.READY) {
            reset(why);
        }
    }

    /** The RDMA device has failed: all queues are being told; this is why. */
    void deviceFailed() {
        if (stage == Stage.READY || stage == Stage.INITIALISING || stage == Stage.CONNECTING_IO) {
            reset(NvmfHost.DEVICE_FAILED);
        } else if (stage == Stage.RESETTING) {
            failure = NvmfHost.DEVICE_FAILED;
        }
    }

    /** Whether no queue has anything of a connection. */
    boolean isClosed() {
        boolean all = admin.isClosed();
        for (RemoteQueue q : queues) {
            all &= q.isClosed();
        }
        return all;
    }

    /** Ends all connections, as behind a loss; on the main thread. */
    public void reset(String why) {
        failure = why;
        later = null;
        losses++;
        lostAt = lostAt == NEVER ? now() : lostAt;
        stage = Stage.RESETTING;
        closeAll(queues, () -> closeAll(List.of(admin), this::afterReset));
    }

    private void closeAll(List<RemoteQueue> which, Runnable then) {
        int[] left = {which.size()};
        if (left[0] == 0) {
            then.run();
        }
        for (RemoteQueue q : which) {
            host.on(
                    q.group().thread(),
                    () -> q.close(() -> host.on(main, () -> {
                        if (--left[0] == 0) {
                            then.run();
                        }
                    })));
        }
    }

    private void afterReset() {
        if (now() - lostAt >= spec.lossTimeoutPs()) {
            fail();
        } else {
            stage = Stage.DELAYED;
            nextTry = now() + spec.reconnectDelayPs();
        }
    }

    private void fail() {
        stage = Stage.FAILED;
        dead();
        host.on(main, ready);
    }

    private void dead() {
        gaveUp = true;
        for (RemoteQueue q : queues) {
            host.on(q.group().thread(), () -> q.setDead(true));
        }
    }

    private int tick(Poller self) {
        long now = now();
        if (stage == Stage.READY && now >= nextKeepAlive) {
            keepAlive(now);
        }
        checkAnswers(now);
        Runnable next = later;
        later = null;
        if (next != null) {
            next.run();
        }
        if (stage == Stage.READY && spec.commandTimeoutPs() > 0) {
            for (RemoteQueue q : queues) {
                host.on(q.group().thread(), () -> q.checkTimes(spec.commandTimeoutPs()));
            }
        }
        if (lostAt != NEVER && !gaveUp && spec.fastFailPs() > 0 && now - lostAt >= spec.fastFailPs()) {
            dead();
        }
        if (stage == Stage.DELAYED && now - lostAt >= spec.lossTimeoutPs()) {
            fail();
        } else if (stage == Stage.DELAYED && now >= nextTry && host.isOpen()) {
            connectAdmin();
        }
        return 0;
    }

    /** Nobody waits for ever. */
    private void checkAnswers(long now) {
        boolean asks = stage == Stage.INITIALISING
                || stage == Stage.CONNECTING_IO
                || stage == Stage.READY
                || stage == Stage.STOPPING;
        String late = !asks || spec.adminTimeoutPs() == 0 ? null : waits.late(now, spec.adminTimeoutPs());
        if (late != null) {
            silent(late + " was not answered within " + spec.adminTimeoutPs() / MS + " ms");
        } else if (spec.connectTimeoutPs() > 0 && stage == Stage.INITIALISING) {
            admin.checkConnect(spec.connectTimeoutPs());
        } else if (spec.connectTimeoutPs() > 0 && stage == Stage.CONNECTING_IO) {
            for (RemoteQueue q : queues) {
                host.on(q.group().thread(), () -> q.checkConnect(spec.connectTimeoutPs()));
            }
        }
    }

    /** Does something when time is looked at next, unless the association is lost before. */
    void later(Runnable what) {
        later = what;
    }

    /** The controller does not do what it must in time. */
    void silent(String why) {
        if (stage == Stage.STOPPING) {
            failure = why;
            shutDown();
        } else if (stage == Stage.INITIALISING || stage == Stage.CONNECTING_IO || stage == Stage.READY) {
            reset(why);
        }
    }

    /** A target that has not answered the last one is as good as gone. */
    private void keepAlive(long now) {
        if (keepAliveOpen) {
            reset("Keep Alive was not answered within " + spec.keepAliveMs() / 2 + " ms");
            return;
        }
        nextKeepAlive = now + keepAlivePs();
        keepAlives++;
        keepAliveOpen = command(entry.clear().command(Opcodes.KEEP_ALIVE, 0, 0), 0, 0, (tag, status, result) -> {
            keepAliveOpen = false;
            if (status != 0 && stage == Stage.READY) {
                reset("Keep Alive: " + words(status));
            }
        });
    }

    /**
     * Sends an admin command; on the main thread.
     *
     * @param va address of its data, in memory registered with the group of admin queues
     * @return false if too many are under way
     */
    public boolean command(SqEntry command, long va, int bytes, NvmeDone then) {
        return command(command, va, bytes, "", then);
    }

    private boolean command(SqEntry command, long va, int bytes, String name, NvmeDone then) {
        int tag = waits.free();
        return tag >= 0 && send(command, va, bytes, tag, name, then);
    }

    private boolean send(SqEntry command, long va, int bytes, int tag, String name, NvmeDone then) {
        if (!admin.submit(command, va, bytes, tag)) {
            return false;
        }
        waits.begin(tag, name, command.opcode(), now(), then);
        host.admin().hurry();
        return true;
    }

    private void answered(int tag, int status, long result) {
        NvmeDone then = waits.end(tag);
        if (tag != AdminWaits.EVENT_TAG) {
            host.admin().relax();
        }
        if (then != null) {
            then.done(tag, status, result);
        }
    }

    /** Lets the controller tell of events: a command that stays with it until there is one. */
    void awaitEvent() {
        if (send(entry.clear().command(Opcodes.ASYNC_EVENT, 0, 0), 0, 0, AdminWaits.EVENT_TAG, "", this::happened)) {
            host.admin().relax();
        }
    }

    private void happened(int tag, int status, long result) {
        if (status == 0) {
            events++;
            awaitEvent();
            onEvent.accept(result);
        }
    }

    /** Takes double word 0 of events that the controller tells of. */
    public void onEvent(LongConsumer taker) {
        onEvent = taker;
    }

    /**
     * Asks the controller to abort a command; on the main thread.
     *
     * @param then gets the status; bit 0 of the result says that the command was not aborted
     */
    public boolean abort(int queue, int cid, NvmeDone then) {
        return command(entry.clear().command(Opcodes.ABORT, 0, 0).dword(10, cid << Short.SIZE | queue), 0, 0, then);
    }

    /** Ends the association in order: I/O queues, shutdown, admin queue. On the main thread. */
    public void stop(Runnable then) {
        if (stage != Stage.READY) {
            throw new ConfigurationException(
                    main.name(), now(), "a controller that is " + stage + " cannot be stopped");
        }
        stage = Stage.STOPPING;
        nextKeepAlive = Long.MAX_VALUE;
        failure = "";
        stopped = then;
        closeAll(queues, () -> {
            if (!ending) {
                init.shutDown();
            }
        });
    }

    /** The controller has shut down. */
    void shutDown() {
        if (stage != Stage.STOPPING || ending) {
            return;
        }
        ending = true;
        closeAll(List.of(admin), () -> {
            stage = Stage.STOPPED;
            clock.unregister();
            stopped.run();
        });
    }

    void propertyGet(int offset, int bytes, LongConsumer then) {
        FabricsCommand.propertyGet(entry, 0, offset, bytes);
        must(entry, 0, 0, String.format(Locale.ROOT, "Property Get %02Xh", offset), then);
    }

    void propertySet(int offset, long value, LongConsumer then) {
        FabricsCommand.propertySet(entry, 0, offset, Integer.BYTES, value);
        must(entry, 0, 0, String.format(Locale.ROOT, "Property Set %02Xh", offset), then);
    }

    /** Sends a command without which the controller is of no use. */
    void must(SqEntry command, long va, int bytes, String what, LongConsumer then) {
        boolean sent = command(command, va, bytes, what, (tag, status, result) -> {
            if (status == 0) {
                then.accept(result);
            } else {
                broken(what + ": " + words(status));
            }
        });
        if (!sent) {
            broken(what + ": the admin queue is full");
        }
    }

    /** Returns a status in words. */
    static String words(int status) {
        return NvmeStatus.describe(status & NvmeStatus.MORE - 1);
    }

    byte[] bytes(int size) {
        byte[] b = new byte[size];
        main.reactor().core().memory().getBytes(page, b, 0, size);
        return b;
    }

    /** Returns how far it has come. */
    public Stage stage() {
        return stage;
    }

    /** Returns why the last connection ended or could not be made, or the shutdown went wrong; empty if none did. */
    public String failure() {
        return failure;
    }

    /** Returns what the controller has told of itself. */
    public ControllerInit identity() {
        return init;
    }

    /** Returns the admin queue. */
    public RemoteQueue admin() {
        return admin;
    }

    /** Returns the I/O queues. */
    public List<RemoteQueue> queues() {
        return List.copyOf(queues);
    }

    /** Returns how often the association was lost, tries in vain included. */
    public long losses() {
        return losses;
    }

    /** Returns the Keep Alive commands sent. */
    public long keepAlives() {
        return keepAlives;
    }

    /** Returns the events that the controller has told of. */
    public long events() {
        return events;
    }
}
