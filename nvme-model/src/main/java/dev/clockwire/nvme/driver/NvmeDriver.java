package dev.clockwire.nvme.driver;

import dev.clockwire.nvme.format.Identify;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Drives one controller from user space: attaches to it as a state machine that is polled, one step of the core at a time, and makes I/O queue
 * pairs. What it asks for is answered while it is polled.
 */
public final class NvmeDriver {
    private static final int ADMIN_ENTRIES = 32;
    private static final int PAGE = 4096;
    private static final int CAP = 0x00;
    private static final int CC = 0x14;
    private static final int CSTS = 0x1C;
    private static final int AQA = 0x24;
    private static final int ASQ = 0x28;
    private static final int ACQ = 0x30;
    private static final int CMBMSC = 0x50;
    private static final int PMRCTL = 0xE04;
    private static final int PMRMSCL = 0xE14;
    private static final int PMRMSCU = 0xE18;
    private static final int DOORBELLS = 0x1000;
    /** Enabled, 64 and 16 byte entries, pages of 4 KiB, round robin, NVM command set. */
    private static final int ENABLE = 0x0046_0001;

    /** CRE of CMBMSC, and CMSE of both such registers. */
    private static final int MEMORY_SHOWN = 1;

    private static final int MEMORY_MEANT = 2;
    private static final int READY = 1;
    private static final int FATAL = 2;
    private static final int NUMBER_OF_QUEUES = 0x07;
    private static final int GONE = -1;
    private static final int SHUTDOWN_NORMAL = 1 << 14;
    private static final int SHST = 3 << 2;
    private static final int SHUTDOWN_COMPLETE = 2 << 2;
    /** What SPDK gives a controller at least, whatever RTD3E says. */
    private static final long SHUTDOWN_PS = 10_000_000_000_000L;

    /** How far the attachment has come; the names are those of the states that the field knows. */
    public enum Stage {
        /** CAP is asked for. */
        READ_CAP,
        /** CC is asked for: somebody may have enabled it. */
        CHECK_EN,
        /** CSTS.RDY must fall. */
        DISABLE_WAIT_FOR_READY_0,
        /** CSTS.RDY must rise. */
        ENABLE_WAIT_FOR_READY_1,
        /** Identify of the controller is under way. */
        IDENTIFY,
        /** The number of queues is asked for. */
        SET_NUM_QUEUES,
        /** Identify of namespaces is under way. */
        IDENTIFY_NS,
        /** Queue pairs can be made. */
        READY,
        /** Queues are being deleted, and then the controller is shut down. */
        DETACHING,
        /** CSTS.SHST must say that the shutdown is complete. */
        SHUTDOWN_WAIT,
        /** The controller is shut down. */
        DETACHED,
        /** The controller cannot be used. */
        FAILED
    }

    /** A namespace as the controller describes it. */
    public record Namespace(int nsid, long blocks, int blockBytes) {}

    private final CpuCore core;
    private final long bar;
    private final int wantedQueues;
    private final List<Namespace> namespaces = new ArrayList<>();
    private final @Nullable NvmeDone[] answers = new NvmeDone[ADMIN_ENTRIES];
    private final SqEntry entry = new SqEntry();
    private Stage stage = Stage.READ_CAP;
    private String failure = "";
    private boolean asked;
    private long cap;
    private int ioQueues;
    private int nextQueue = 1;
    private long page;
    private byte[] identity = {};

    private @Nullable NvmeQueuePair admin;
    private long deadline;
    private int vector = -1;
    private long restarts;
    private long firstRing = 1;
    private long nextRing = 1;
    private long ringsEnd;

    /**
     * Begins to drive a controller.
     *
     * @param bar bus address of BAR 0
     * @param wantedQueues I/O queue pairs to ask for, 1 to 65535
     */
    public NvmeDriver(CpuCore core, long bar, int wantedQueues) {
        this.core = core;
        this.bar = bar;
        this.wantedQueues = wantedQueues;
    }

    /**
     * Goes on: one step of the core's program. Reads of registers need a step of their own, so the caller ends its step behind it; the core is
     * woken when there is an answer, or to be called again.
     *
     * @return whether something was done
     */
    public boolean poll() {
        return switch (stage) {
            case READ_CAP -> register(CAP, 8, this::capable);
            case CHECK_EN -> register(CC, 4, x -> (x & 1) == 0 ? enable() : disable());
            case DISABLE_WAIT_FOR_READY_0 ->
                register(CSTS, 4, x -> status(x & ~FATAL, (x & READY) == 0, this::enable)); // a reset takes CFS away
            case ENABLE_WAIT_FOR_READY_1 -> register(CSTS, 4, x -> status(x, (x & READY) != 0, this::identify));
            case SHUTDOWN_WAIT -> register(CSTS, 4, this::shutDown);
            case FAILED, DETACHED -> false;
            default -> admin != null && admin.poll(ADMIN_ENTRIES) > 0;
        };
    }

    private interface Next {
        Stage next();
    }

    private interface Answer {
        Stage answered(long x);
    }

    private boolean register(int offset, int size, Answer then) {
        if (!asked) {
            asked = true;
            core.mmioRead(bar + offset, size);
            return true;
        }
        asked = false;
        stage = then.answered(core.loaded());
        core.wake();
        return true;
    }

    private Stage capable(long x) {
        if (x == GONE) {
            return failed("CAP reads as all ones: no device");
        }
        cap = x;
        deadline = core.now() + (cap >>> 24 & 0xFF) * 500_000_000_000L;
        return Stage.CHECK_EN;
    }

    private Stage disable() {
        core.mmioWrite(bar + CC, 0, 4);
        return Stage.DISABLE_WAIT_FOR_READY_0;
    }

    private Stage status(long x, boolean there, Next next) {
        if ((int) x == GONE) {
            return failed("CSTS reads as all ones: the device is gone");
        }
        if ((x & FATAL) != 0) {
            return failed("CSTS.CFS is set: the controller cannot start as configured");
        }
        if (core.now() > deadline) {
            return failed("CSTS.RDY did not change in CAP.TO");
        }
        return there ? next.next() : stage;
    }

    private Stage failed(String why) {
        failure = why;
        return Stage.FAILED;
    }

    private Stage enable() {
        NvmeQueuePair.QueuePlace place = rings(0, ADMIN_ENTRIES, 0, 0);
        admin = new NvmeQueuePair(core, place, false, this::answered);
        core.mmioWrite(bar + AQA, (ADMIN_ENTRIES - 1L) << 16 | (ADMIN_ENTRIES - 1), 4);
        core.mmioWrite(bar + ASQ, place.sq(), 8);
        core.mmioWrite(bar + ACQ, place.cq(), 8);
        core.mmioWrite(bar + CC, ENABLE, 4);
        return Stage.ENABLE_WAIT_FOR_READY_1;
    }

    /** A completion ring that lies elsewhere is somebody's who writes lists himself. */
    private NvmeQueuePair.QueuePlace rings(int id, int entries, long submissions, long completions) {
        long stride = 4L << (cap >>> 32 & 0xF);
        String name = "nvme.q" + id;
        long sq = id == 0 || completions != 0 ? submissions : inController(entries);
        sq = sq == 0 ? allocate(name + ".sq", (long) entries * SqEntry.BYTES) : sq;
        long cq = completions == 0 ? allocate(name + ".cq", (long) entries * 16) : completions;
        long lists = id == 0 || completions != 0 ? 0 : allocate(name + ".lists", (long) entries * PAGE);
        long sqDoorbell = bar + DOORBELLS + 2L * id * stride;
        return new NvmeQueuePair.QueuePlace(id, entries, sq, cq, lists, sqDoorbell, sqDoorbell + stride);
    }

    /** Returns the address of a submission ring in memory of the controller, 0 if there is no room for it. */
    private long inController(int entries) {
        long at = nextRing;
        long end = at + ((long) entries * SqEntry.BYTES + PAGE - 1 & -PAGE);
        if (end > ringsEnd) {
            return 0;
        }
        nextRing = end;
        return at;
    }

    private long allocate(String name, long bytes) {
        return core.memory().allocate(name, bytes, Allocation.Kind.REAL, PAGE).address();
    }

    /**
     * Sends an admin command; {@code then} is called while the driver is polled.
     *
     * @return false if too many are under way
     */
    public boolean command(SqEntry command, NvmeDone then) {
        NvmeQueuePair queue = admin;
        if (queue == null) {
            throw new ConfigurationException(core.name(), core.now(), "admin command before the controller is enabled");
        }
        for (int tag = 0; tag < ADMIN_ENTRIES - 1; tag++) {
            if (answers[tag] == null && queue.submit(command, tag)) {
                answers[tag] = then;
                return true;
            }
        }
        return false;
    }

    private void answered(int tag, int status, long result) {
        NvmeDone then = answers[tag];
        answers[tag] = null;
        if (then != null) {
            then.done(tag, status, result);
        }
    }

    private void send(SqEntry command, NvmeDone then) {
        if (!command(command, (tag, status, result) -> {
            if (status == 0) {
                then.done(tag, status, result);
            } else {
                stage = failed("opcode " + Integer.toHexString(command.opcode()) + ": " + NvmeStatus.describe(status));
            }
        })) {
            stage = failed("admin queue full");
        }
    }

    private Stage identify() {
        page = allocate("nvme.identify", PAGE);
        entry.clear()
                .command(Opcodes.IDENTIFY, 0, 0)
                .dword(10, Identify.CONTROLLER)
                .prp(page, 0);
        send(entry, (tag, status, result) -> {
            identity = new byte[PAGE];
            core.memory().getBytes(page, identity, 0, PAGE);
            stage = Stage.SET_NUM_QUEUES;
            queues();
        });
        return Stage.IDENTIFY;
    }

    private void queues() {
        int asking = wantedQueues - 1;
        entry.clear()
                .command(Opcodes.SET_FEATURES, 0, 0)
                .dword(10, NUMBER_OF_QUEUES)
                .dword(11, (asking << 16) | asking);
        send(entry, (tag, status, result) -> {
            ioQueues = (int) Math.min(wantedQueues, 1 + Math.min(result & 0xFFFF, result >>> 16 & 0xFFFF));
            stage = Stage.IDENTIFY_NS;
            namespace(1);
        });
    }

    private void namespace(int nsid) {
        if (nsid > LittleEndian.get32(identity, 516)) {
            stage = Stage.READY;
            return;
        }
        entry.clear()
                .command(Opcodes.IDENTIFY, 0, nsid)
                .dword(10, Identify.NAMESPACE)
                .prp(page, 0);
        send(entry, (tag, status, result) -> {
            byte[] b = new byte[PAGE];
            core.memory().getBytes(page, b, 0, PAGE);
            int format = b[26] & 0xF;
            namespaces.add(new Namespace(nsid, LittleEndian.get64(b, 0), 1 << b[128 + 4 * format + 2]));
            namespace(nsid + 1);
        });
    }

    /**
     * Makes an I/O queue pair; polled until it is there.
     *
     * @param entries of each ring, at most what the controller has
     * @param delayed see {@link NvmeQueuePair}
     * @param done takes what ends there
     * @param made gets the status; the pair may be used if it is 0
     */
    public NvmeQueuePair createQueuePair(int entries, boolean delayed, NvmeDone done, IntConsumer made) {
        return createQueuePair(core, entries, delayed, done, made);
    }

    /** Makes an I/O queue pair for another core, see {@link #createQueuePair(int, boolean, NvmeDone, IntConsumer)}. */
    public NvmeQueuePair createQueuePair(Cpu user, int entries, boolean delayed, NvmeDone done, IntConsumer made) {
        return new NvmeQueuePair(user, create(entries, 0, 0, vector, made), delayed, done);
    }

    /**
     * Makes an I/O queue pair for a device, which writes commands into its submission ring and rings its doorbells itself; it has no lists and does not
     * interrupt.
     *
     * @param completions bus address of its completion ring, at a page
     * @param made gets the status; the pair may be used if it is 0
     */
    public NvmeQueuePair.QueuePlace delegateQueuePair(int entries, long completions, IntConsumer made) {
        return delegateQueuePair(entries, 0, completions, made);
    }

    /**
     * The same; {@code submissions} is the bus address of its submission ring, at a page: in memory of the controller, say, once that is mapped. 0: in
     * memory of the host.
     */
    public NvmeQueuePair.QueuePlace delegateQueuePair(
            int entries, long submissions, long completions, IntConsumer made) {
        return create(entries, submissions, completions, -1, made);
    }

    private NvmeQueuePair.QueuePlace create(
            int entries, long submissions, long completions, int interrupt, IntConsumer made) {
        if (stage != Stage.READY) {
            throw new ConfigurationException(core.name(), core.now(), "queue pair of a controller that is " + stage);
        }
        if (entries < 2 || entries > maxEntries() || nextQueue > ioQueues) {
            throw new ConfigurationException(
                    core.name(),
                    core.now(),
                    "queue pair " + nextQueue + " of " + ioQueues + " with " + entries + " entries: must be 2.."
                            + maxEntries());
        }
        int id = nextQueue++;
        NvmeQueuePair.QueuePlace place = rings(id, entries, submissions, completions);
        SqEntry cq = new SqEntry().command(Opcodes.CREATE_CQ, 0, 0).prp(place.cq(), 0);
        cq.dword(10, (entries - 1) << 16 | id).dword(11, interrupt < 0 ? 1 : interrupt << 16 | 3);
        SqEntry sq = new SqEntry().command(Opcodes.CREATE_SQ, 0, 0).prp(place.sq(), 0);
        sq.dword(10, (entries - 1) << 16 | id).dword(11, id << 16 | 1);
        command(cq, (tag, status, result) -> {
            if (status != 0) {
                made.accept(status);
            } else {
                command(sq, (tag2, status2, result2) -> made.accept(status2));
            }
        });
        return place;
    }

    /**
     * Resets the controller and attaches to it anew, while it is polled; queue pairs of before are gone, and commands under way with them.
     *
     * @throws ConfigurationException if it has failed, or is being left
     */
    public void restart() {
        if (stage.compareTo(Stage.READY) > 0) {
            throw new ConfigurationException(core.name(), core.now(), "reset of a controller that is " + stage);
        }
        namespaces.clear();
        Arrays.fill(answers, null);
        asked = false;
        nextQueue = 1;
        nextRing = firstRing;
        deadline = core.now() + (cap >>> 24 & 0xFF) * 500_000_000_000L;
        stage = Stage.CHECK_EN;
        restarts++;
    }

    /** Returns how often the controller was reset by {@link #restart}. */
    public long restarts() {
        return restarts;
    }

    /** Begins to leave the controller, which nobody uses any more: I/O queues are deleted, then it is shut down. It goes on while it is polled. */
    public void detach() {
        if (stage == Stage.READY) {
            stage = Stage.DETACHING;
            delete(1);
        }
    }

    /** Deletes queue pairs from a number on; what a controller says to that changes nothing. */
    private void delete(int id) {
        if (id == nextQueue) {
            core.mmioWrite(bar + CC, ENABLE | SHUTDOWN_NORMAL, 4);
            deadline = core.now() + SHUTDOWN_PS;
            stage = Stage.SHUTDOWN_WAIT;
            return;
        }
        SqEntry sq = new SqEntry().command(Opcodes.DELETE_SQ, 0, 0).dword(10, id);
        SqEntry cq = new SqEntry().command(Opcodes.DELETE_CQ, 0, 0).dword(10, id);
        boolean sent = command(sq, (tag, status, result) -> command(cq, (tag2, status2, result2) -> delete(id + 1)));
        if (!sent) {
            stage = failed("admin queue full");
        }
    }

    private Stage shutDown(long x) {
        if ((int) x == GONE) {
            return failed("CSTS reads as all ones: the device is gone");
        }
        if ((x & SHST) == SHUTDOWN_COMPLETE) {
            return Stage.DETACHED;
        }
        return core.now() > deadline ? failed("CSTS.SHST did not tell of the end of the shutdown in 10 s") : stage;
    }

    /** Has queue pairs that are made from now on interrupt through a vector; -1: they do not. */
    public void interruptBy(int which) {
        vector = which;
    }

    /**
     * Tells the controller that addresses of its memory buffer's window mean the buffer: queues, lists and data may lie there then. From a step of
     * the core.
     *
     * @param window bus address of BAR 2
     */
    public void mapCmb(long window) {
        mapCmb(window, 0);
    }

    /** The same; I/O queue pairs that are made from now on have their submission rings in the first bytes of it, as long as they fit. */
    public void mapCmb(long window, long ringBytes) {
        core.mmioWrite(bar + CMBMSC, window | MEMORY_SHOWN | MEMORY_MEANT, 8);
        firstRing = window;
        nextRing = window;
        ringsEnd = window + ringBytes;
    }

    /**
     * Opens the persistent memory region, which takes as long as PMRCAP allows, and tells the controller that addresses of its window mean it. From
     * a step of the core.
     *
     * @param window bus address of BAR 4
     */
    public void enablePmr(long window) {
        core.mmioWrite(bar + PMRMSCU, window >>> Integer.SIZE, 4);
        core.mmioWrite(bar + PMRMSCL, (window & 0xFFFF_FFFFL) | MEMORY_MEANT, 4);
        core.mmioWrite(bar + PMRCTL, 1, 4);
    }

    /** Shuts the persistent memory region; what is in it stays. */
    public void disablePmr() {
        core.mmioWrite(bar + PMRCTL, 0, 4);
    }

    /** Returns how far it has come. */
    public Stage stage() {
        return stage;
    }

    /** Returns why it failed; empty if it did not. */
    public String failure() {
        return failure;
    }

    /** Returns the namespaces, once it is ready. */
    public List<Namespace> namespaces() {
        return List.copyOf(namespaces);
    }

    /** Returns the I/O queue pairs that the controller allows. */
    public int ioQueues() {
        return ioQueues;
    }

    /** Returns those of them that have not been made. */
    public int freeQueues() {
        return ioQueues - nextQueue + 1;
    }

    /** Returns the entries that a queue has at most. */
    public int maxEntries() {
        return (int) (cap & 0xFFFF) + 1;
    }

    /** Returns a byte of {@link #identity()}, which is copied for nobody's sake then. */
    public int identity(int at) {
        return identity[at] & 0xFF;
    }

    /** Returns the page that the controller has identified itself with. */
    public byte[] identity() {
        return identity.clone();
    }

    /** Returns the admin queues, null before the controller is enabled: whoever waits for an answer watches them. */
    public @Nullable NvmeQueuePair admin() {
        return admin;
    }
}
