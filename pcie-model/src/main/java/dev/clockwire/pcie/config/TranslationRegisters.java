package dev.clockwire.pcie.config;

import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.reg.Field;
import dev.clockwire.sim.reg.Register;
import dev.clockwire.sim.reg.RegisterBank;

/**
 * Address translation services: what a function that keeps translations says of itself, and whether the host lets it. Places are those of
 * Linux's pci_regs.h.
 */
final class TranslationRegisters {
    /** Bytes of the capability. */
    static final int BYTES = 0x08;

    private static final int ID = 0x000F;
    private static final int CONTROL = 0x04;

    private final RegisterBank bank;
    private final Field unit;
    private final Field enable;

    TranslationRegisters(SimNode owner, Runnable changed) {
        bank = new RegisterBank(owner, "ats", BYTES, "Configuration space from 0x140 on: address translation services");
        Register cap = bank.reg32(0x00, "ATS_CAP", "Address translation services");
        cap.ro("id", 0, 16, ID, "Address translation services");
        cap.ro("version", 16, 4, 1, "Version");
        cap.ro("next", 20, 12, 0, "The last one");
        Register control = bank.reg32(CONTROL, "ATS_CONTROL", "What the function takes, and what it may do");
        control.ro("queue_depth", 0, 5, 0, "Invalidations that it takes at once; 0 = 32");
        control.ro("page_aligned", 5, 1, 1, "It asks for whole pages");
        unit = control.rw("stu", 16, 5, 0, "Smallest translation: it asks by 4096 B, to the left by so many bits");
        enable = control.rw("enable", 31, 1, 0, "It may ask for translations and send translated addresses");
        control.onWrite(w -> changed.run());
    }

    RegisterBank bank() {
        return bank;
    }

    boolean enabled() {
        return enable.isSet();
    }

    /** Returns the binary logarithm of the smallest translation in units of 4096 B, 0 to 31. */
    int unit() {
        return (int) unit.get();
    }

    /** Writes some bytes as the driver of the IOMMU does: pages of 4 KiB, go. */
    void enable() {
        bank.writeBytes(CONTROL, 1L << 31, 0b1100);
    }
}
