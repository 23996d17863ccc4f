package dev.clockwire.nvme.regs;

import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.reg.Field;
import dev.clockwire.sim.reg.Register;
import dev.clockwire.sim.reg.RegisterBank;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** CAP to CRTO and the doorbells. What hosts write has its meaning here, what it leads to is the controller's. */
public final class NvmeRegisters implements State {
    /** Bytes of the registers in front of the doorbells. */
    public static final int DOORBELLS = 0x1000;
    /** What NSSR must be written with: "NVMe". */
    public static final int RESET_WORD = 0x4E56_4D65;
    /** CC.SHN: shut down and keep everything. */
    public static final int SHUTDOWN_NORMAL = 1;

    private static final int WORD = 4;
    private static final int VERSION_1_4 = 0x0001_0400;
    private static final int VERSION_2_0 = 0x0002_0000;
    private static final int HALF_SECONDS = 15;
    private static final int UNIT_4K = 12;

    private final RegisterBank bank;
    private final RegisterEvents events;
    private final int stride;
    private final Field enabled;
    private final Field commandSet;
    private final Field pageSize;
    private final Field arbitration;
    private final Field shutdown;
    private final Field sqEntry;
    private final Field cqEntry;
    private final Field independence;
    private final Field ready;
    private final Field fatal;
    private final Field shutdownStatus;
    private final Field wasReset;
    private final Register adminSizes;
    private final Register adminSq;
    private final Register adminCq;
    private final MemoryRegisters memory;
    private long mask;
    private boolean wasEnabled;
    private int wasShutdown;
    private long doorbellErrors;

    /**
     * Declares the registers.
     *
     * @param maxEntries largest queue, 2 to 65536
     * @param strideLog2 doorbells are 2^(2 + n) bytes apart, 0 to 15
     * @param independent whether hosts may choose that readiness waits for no medium, as of NVMe 2.0
     * @param sizes of memory that others reach
     */
    public NvmeRegisters(
            SimNode owner,
            int maxEntries,
            int strideLog2,
            boolean independent,
            MemoryRegisters.Sizes sizes,
            RegisterEvents events) {
        this.events = events;
        stride = WORD << strideLog2;
        bank = new RegisterBank(owner, "registers", DOORBELLS, "BAR0: controller registers");
        Register cap = bank.reg64(0x00, "CAP", "Controller capabilities");
        cap.ro("MQES", 0, 16, maxEntries - 1L, "Largest queue, 0's based");
        cap.ro("CQR", 16, 1, 1, "Queues must be contiguous");
        cap.ro("AMS", 17, 2, 1, "Weighted round robin is supported");
        cap.ro("TO", 24, 8, HALF_SECONDS, "Longest time to become ready, in 500 ms");
        cap.ro("DSTRD", 32, 4, strideLog2, "Doorbell stride, 2^(2 + n) bytes");
        cap.ro("NSSRS", 36, 1, 1, "NSSR is supported");
        cap.ro("CSS", 37, 8, 0x41, "NVM command set, and selection of command sets");
        cap.ro("MPSMIN", 48, 4, 0, "Smallest page, 2^(12 + n)");
        cap.ro("MPSMAX", 52, 4, 4, "Largest page, 2^(12 + n)");
        cap.ro("CRMS", 59, 2, independent ? 3 : 0, "Ready with media, and independent of them");
        int version = independent ? VERSION_2_0 : VERSION_1_4;
        bank.reg32(0x08, "VS", "Version").ro("version", 0, 32, version, "Major 31:16, minor 15:8, tertiary 7:0");
        Register set = bank.reg32(0x0C, "INTMS", "Interrupt mask set");
        set.ro("mask", 0, 32, () -> mask, "Bits written as 1 are set; undefined with MSI-X");
        set.onWrite(x -> mask(mask | x));
        Register clear = bank.reg32(0x10, "INTMC", "Interrupt mask clear");
        clear.ro("mask", 0, 32, () -> mask, "Bits written as 1 are cleared");
        clear.onWrite(x -> mask(mask & ~x));
        Register cc = bank.reg32(0x14, "CC", "Controller configuration");
        enabled = cc.rw("EN", 0, 1, 0, "Enable");
        commandSet = cc.rw("CSS", 4, 3, 0, "Command set: 0 NVM, 6 all that are supported");
        pageSize = cc.rw("MPS", 7, 4, 0, "Page, 2^(12 + n)");
        arbitration = cc.rw("AMS", 11, 3, 0, "0 round robin, 1 weighted");
        shutdown = cc.rw("SHN", 14, 2, 0, "Shutdown: 1 normal, 2 abrupt");
        sqEntry = cc.rw("IOSQES", 16, 4, 0, "Submission entry, 2^n bytes; 6");
        cqEntry = cc.rw("IOCQES", 20, 4, 0, "Completion entry, 2^n bytes; 4");
        independence = cc.rw("CRIME", 24, 1, 0, "Ready independent of media");
        cc.onWrite(x -> configured());
        Register status = bank.reg32(0x1C, "CSTS", "Controller status");
        ready = status.ro("RDY", 0, 1, 0, "Ready");
        fatal = status.ro("CFS", 1, 1, 0, "Fatal status");
        shutdownStatus = status.ro("SHST", 2, 2, 0, "0 normal, 1 shutdown occurs, 2 complete");
        wasReset = status.rw1c("NSSRO", 4, 1, 0, "A subsystem reset has occurred");
        status.ro("PP", 5, 1, 0, "Paused");
        Register reset = bank.reg32(0x20, "NSSR", "Subsystem reset");
        reset.wo("reset", 0, 32, "0x4E564D65 resets, anything else is ignored");
        reset.onWrite(x -> {
            if ((int) x == RESET_WORD) {
                events.subsystemReset();
            }
        });
        adminSizes = bank.reg32(0x24, "AQA", "Admin queue sizes");
        adminSizes.rw("ASQS", 0, 12, 0, "Submission queue, 0's based");
        adminSizes.rw("ACQS", 16, 12, 0, "Completion queue, 0's based");
        adminSq = bank.reg64(0x28, "ASQ", "Admin submission queue");
        adminSq.rw("base", 0, 64, 0, "Address");
        adminCq = bank.reg64(0x30, "ACQ", "Admin completion queue");
        adminCq.rw("base", 0, 64, 0, "Address");
        memory = new MemoryRegisters(bank, cap, sizes, HALF_SECONDS, events);
        Register timeouts = bank.reg32(0x68, "CRTO", "Ready timeouts");
        timeouts.ro("CRWMT", 0, 16, HALF_SECONDS, "With media, in 500 ms");
        timeouts.ro("CRIMT", 16, 16, independent ? HALF_SECONDS : 0, "Independent of media, in 500 ms");
    }

    /** Returns those of memory that others reach. */
    public MemoryRegisters memory() {
        return memory;
    }

    private void mask(long to) {
        mask = to & 0xFFFF_FFFFL;
        events.masked();
    }

    private void configured() {
        boolean on = enabled.isSet();
        if (on != wasEnabled) {
            wasEnabled = on;
            if (on) {
                events.enable();
            } else {
                events.disable();
            }
        }
        int wanted = (int) shutdown.get();
        if (wanted != wasShutdown) {
            wasShutdown = wanted;
            if (wanted != 0) {
                events.shutdown();
            }
        }
    }

    /** The host stores into the window; what makes no sense is counted and ignored. */
    public void write(long offset, long value, int size) {
        if (offset < DOORBELLS) {
            if (size >= WORD && offset % WORD == 0) {
                bank.write(offset, value, size);
            }
            return;
        }
        long at = offset - DOORBELLS;
        if (at % stride != 0 || size != WORD) {
            doorbellErrors++;
            return;
        }
        long number = at / stride;
        events.doorbell((int) (number >> 1), (number & 1) != 0, (int) value & 0xFFFF);
    }

    /** The host reads from the window; doorbells read as zero. */
    public long read(long offset, int size) {
        return offset < DOORBELLS && size >= WORD && offset % WORD == 0 ? bank.read(offset, size) : 0;
    }

    /** A doorbell made no sense. */
    public void doorbellError() {
        doorbellErrors++;
    }

    /** Returns the doorbells that made no sense. */
    public long doorbellErrors() {
        return doorbellErrors;
    }

    /** Returns the offset of a doorbell. */
    public long doorbell(int queue, boolean completion) {
        return DOORBELLS + (long) (2 * queue + (completion ? 1 : 0)) * stride;
    }

    /** Returns the registers. */
    public RegisterBank bank() {
        return bank;
    }

    /** Whether the host wants the controller to work. */
    public boolean isEnabled() {
        return enabled.isSet();
    }

    /** Whether the host wants the controller to be ready before the medium is; only asked of one that can. */
    public boolean isIndependent() {
        return independence.isSet();
    }

    /** Returns the bytes of a page of the host. */
    public int pageBytes() {
        return 1 << (UNIT_4K + (int) pageSize.get());
    }

    /** Returns why the controller cannot start as it is configured; empty if it can. */
    public String refusal() {
        int unaligned = pageBytes() - 1;
        if (pageSize.get() > 4) {
            return "CC.MPS " + pageSize.get() + " is above CAP.MPSMAX 4";
        }
        if (commandSet.get() != 0 && commandSet.get() != 6) {
            return "CC.CSS " + commandSet.get() + " is not in CAP.CSS";
        }
        if (arbitration.get() > 1) {
            return "CC.AMS " + arbitration.get() + " is not in CAP.AMS";
        }
        if (adminSqEntries() < 2 || adminCqEntries() < 2) {
            return "AQA: an admin queue of one entry";
        }
        if ((adminSqBase() & unaligned) != 0 || (adminCqBase() & unaligned) != 0) {
            return "ASQ or ACQ is not aligned to the page";
        }
        return "";
    }

    /** Whether entries of I/O queues have the sizes that there are. */
    public boolean entriesFit() {
        return sqEntry.get() == 6 && cqEntry.get() == 4;
    }

    /** Whether queues have priorities. */
    public boolean isWeighted() {
        return arbitration.get() == 1;
    }

    /** Returns the size of the admin submission queue. */
    public int adminSqEntries() {
        return (int) (adminSizes.fields().get(0).get() + 1);
    }

    /** Returns the size of the admin completion queue. */
    public int adminCqEntries() {
        return (int) (adminSizes.fields().get(1).get() + 1);
    }

    /** Returns the address of the admin submission queue. */
    public long adminSqBase() {
        return adminSq.fields().get(0).get();
    }

    /** Returns the address of the admin completion queue. */
    public long adminCqBase() {
        return adminCq.fields().get(0).get();
    }

    /** Sets CSTS.RDY. */
    public void ready(boolean is) {
        ready.set(is ? 1 : 0);
    }

    /** Returns CSTS.RDY. */
    public boolean isReady() {
        return ready.isSet();
    }

    /** Sets CSTS.CFS: nothing but a reset helps. */
    public void fatal() {
        fatal.set(1);
    }

    /** Returns CSTS.CFS. */
    public boolean isFatal() {
        return fatal.isSet();
    }

    /** Sets CSTS.SHST. */
    public void shutdownStatus(int to) {
        shutdownStatus.set(to);
    }

    /** The controller is reset: everything but the admin queues' places has its first value. */
    public void reset(boolean bySubsystem) {
        ready.set(0);
        fatal.set(0);
        shutdownStatus.set(0);
        mask = 0;
        wasEnabled = false;
        wasShutdown = 0;
        for (Field f : bank.register("CC").fields()) {
            f.set(0);
        }
        if (bySubsystem) {
            wasReset.set(1);
            memory.reset();
        }
    }

    @Override
    public void save(Snapshot out) {
        bank.save(out);
        out.putLong(mask);
        out.putBoolean(wasEnabled);
        out.putInt(wasShutdown);
        out.putLong(doorbellErrors);
        out.putBoolean(memory.wasEnabled());
    }

    @Override
    public void load(Snapshot in) {
        bank.load(in);
        mask = in.getLong();
        wasEnabled = in.getBoolean();
        wasShutdown = in.getInt();
        doorbellErrors = in.getLong();
        memory.wasEnabled(in.getBoolean());
    }
}
