package dev.clockwire.nvme.regs;

import dev.clockwire.sim.reg.Field;
import dev.clockwire.sim.reg.Register;
import dev.clockwire.sim.reg.RegisterBank;
import java.util.List;

/**
 * The registers of memory that a controller has for others: the controller memory buffer, BAR 2, from CMBLOC on, and the persistent memory
 * region, BAR 4, from PMRCAP on (NVMe 1.4, 3.1.11 and 3.1.22). Controller resets leave them alone, subsystem resets do not.
 */
public final class MemoryRegisters {
    private static final int CMB_BAR = 2;
    private static final int PMR_BAR = 4;
    private static final int UNIT_4K = 12;
    /** SQs, lists, data both ways: all but completion queues. */
    private static final int CMB_USES = 0x1D;
    /** Data both ways. */
    private static final int PMR_USES = 3;
    /** A read of the region ensures that earlier writes are in it. */
    private static final int READS_FLUSH = 1;

    private static final int MEGABYTES = 2;
    private static final int MOST_24 = 0xFF_FFFF;

    /**
     * How large they are.
     *
     * @param cmbBytes of the buffer, a multiple of 4 KiB, 0 = none
     * @param pmrBytes of the region, 0 = none
     * @param megabytesPerSecond that the region takes for long
     */
    public record Sizes(long cmbBytes, long pmrBytes, long megabytesPerSecond) {
        /** No such memory. */
        public static final Sizes NONE = new Sizes(0, 0, 0);
    }

    private final Sizes sizes;
    private final RegisterEvents events;
    private final Field capable;
    private final Field cmbEnabled;
    private final Field cmbBase;
    private final Field enabled;
    private final Field notReady;
    private final Field pmrAddressed;
    private final Field pmrLow;
    private final Field pmrHigh;
    private boolean wasEnabled;

    MemoryRegisters(RegisterBank bank, Register cap, Sizes sizes, int halfSeconds, RegisterEvents events) {
        this.sizes = sizes;
        this.events = events;
        long cmb = sizes.cmbBytes();
        long pmr = sizes.pmrBytes();
        cap.ro("PMRS", 56, 1, pmr > 0 ? 1 : 0, "There is a persistent memory region");
        cap.ro("CMBS", 57, 1, cmb > 0 ? 1 : 0, "There is controller memory");
        Register place = bank.reg32(0x38, "CMBLOC", "Controller memory: where");
        place.ro("BIR", 0, 3, () -> cmb > 0 && shown() ? CMB_BAR : 0, "BAR, if CMBMSC.CRE is set");
        Register size = bank.reg32(0x3C, "CMBSZ", "Controller memory: size and uses");
        size.ro("uses", 0, 5, () -> cmb > 0 && shown() ? CMB_USES : 0, "SQs, lists, data both ways");
        size.ro("SZ", 12, 20, () -> shown() ? cmb >>> UNIT_4K : 0, "Size in 4 KiB");
        Register space = bank.reg64(0x50, "CMBMSC", "Controller memory: where the controller looks for it");
        capable = space.rw("CRE", 0, 1, 0, "CMBLOC and CMBSZ can be read");
        cmbEnabled = space.rw("CMSE", 1, 1, 0, "Addresses from CBA on mean it");
        cmbBase = space.rw("CBA", 12, 52, 0, "Address in 4 KiB");
        bank.reg32(0x58, "CMBSTS", "Controller memory: status")
                .ro("CBAI", 0, 1, () -> cmbEnabled() && passesEnd(cmbBase(), cmb) ? 1 : 0, "CBA cannot be");

        Register able = bank.reg32(0xE00, "PMRCAP", "Persistent memory region: capabilities");
        able.ro("RDS_WDS", 3, 2, pmr > 0 ? PMR_USES : 0, "Commands may have data in it, both ways");
        able.ro("BIR", 5, 3, pmr > 0 ? PMR_BAR : 0, "BAR, which it is all of");
        able.ro("PMRTU", 8, 2, 0, "PMRTO counts 500 ms");
        able.ro("PMRWBM", 10, 4, pmr > 0 ? READS_FLUSH : 0, "A read of it ensures that earlier writes are in it");
        able.ro("PMRTO", 16, 8, pmr > 0 ? halfSeconds : 0, "Longest time to become ready");
        able.ro("CMSS", 24, 1, pmr > 0 ? 1 : 0, "PMRMSC is supported");
        Register control = bank.reg32(0xE04, "PMRCTL", "Persistent memory region: control");
        enabled = control.rw("EN", 0, 1, 0, "The window is to be open");
        control.onWrite(x -> switched());
        Register status = bank.reg32(0xE08, "PMRSTS", "Persistent memory region: status");
        status.ro("ERR", 0, 8, 0, "Errors");
        notReady = status.ro("NRDY", 8, 1, pmr > 0 ? 1 : 0, "Not ready");
        status.ro("HSTS", 9, 3, 0, "Health: 0 works");
        status.ro("CBAI", 12, 1, () -> addressed() && passesEnd(pmrBase(), pmr) ? 1 : 0, "CBA cannot be");
        Register buffer = bank.reg32(0xE0C, "PMREBS", "Persistent memory region: elasticity buffer");
        buffer.ro("PMRSZU", 0, 4, 0, "Sizes count bytes");
        buffer.ro("RBB", 4, 1, 0, "Reads do not pass writes that are in it");
        buffer.ro("PMRWBZ", 8, 24, 0, "Size: there is none");
        Register throughput = bank.reg32(0xE10, "PMRSWTP", "Persistent memory region: sustained writes");
        throughput.ro("PMRSWTU", 0, 4, pmr > 0 ? MEGABYTES : 0, "Unit: 2 = MB/s");
        long rate = pmr > 0 ? Math.min(sizes.megabytesPerSecond(), MOST_24) : 0;
        throughput.ro("PMRSWTV", 8, 24, rate, "Writes that it takes for long");
        Register low = bank.reg32(0xE14, "PMRMSCL", "Persistent memory region: where the controller looks for it");
        pmrAddressed = low.rw("CMSE", 1, 1, 0, "Addresses from CBA on mean it");
        pmrLow = low.rw("CBA", 12, 20, 0, "Address in 4 KiB, bits 31:12");
        pmrHigh = bank.reg32(0xE18, "PMRMSCU", "Persistent memory region: the upper half of it")
                .rw("CBA", 0, 32, 0, "Bits 63:32");
    }

    private boolean shown() {
        return capable.isSet();
    }

    private boolean addressed() {
        return pmrAddressed.isSet();
    }

    private static boolean passesEnd(long base, long bytes) {
        return Long.compareUnsigned(base + bytes - 1, base) < 0;
    }

    private void switched() {
        boolean on = sizes.pmrBytes() > 0 && enabled.isSet();
        if (on != wasEnabled) {
            wasEnabled = on;
            notReady.set(1);
            events.persistent(on);
        }
    }

    /** Whether the host wants the persistent memory region to be open. */
    public boolean wantsPersistent() {
        return wasEnabled;
    }

    /** The persistent memory region is open. */
    public void persistentReady() {
        notReady.set(0);
    }

    /** Whether there are addresses that mean the controller memory buffer. */
    public boolean cmbEnabled() {
        return capable.isSet() && cmbEnabled.isSet();
    }

    /** Returns the first address that means the controller memory buffer. */
    public long cmbBase() {
        return cmbBase.get() << UNIT_4K;
    }

    /** Whether there are addresses that mean the persistent memory region, and it is open. */
    public boolean pmrEnabled() {
        return pmrAddressed.isSet() && wasEnabled && !notReady.isSet();
    }

    /** Returns the first address that means the persistent memory region. */
    public long pmrBase() {
        return pmrHigh.get() << 32 | pmrLow.get() << UNIT_4K;
    }

    /** The subsystem is reset. */
    void reset() {
        for (Field f : List.of(capable, cmbEnabled, cmbBase, enabled, pmrAddressed, pmrLow, pmrHigh)) {
            f.set(0);
        }
        switched();
    }

    /** Returns the part of the state that is in no register. */
    boolean wasEnabled() {
        return wasEnabled;
    }

    void wasEnabled(boolean was) {
        wasEnabled = was;
    }
}
