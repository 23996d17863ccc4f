package dev.clockwire.pcie.config;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.reg.Field;
import dev.clockwire.sim.reg.Register;
import dev.clockwire.sim.reg.RegisterBank;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The first 64 bytes of the configuration space, and power management's neighbours by way of the capability pointer. */
final class HeaderRegisters {
    private static final int WORD = 4;
    private static final int BARS = 6;
    private static final int HALF = 32;

    private final Field memory;
    private final Field master;
    private final Field serr;
    private final Field targetAbort;
    private final Field receivedTargetAbort;
    private final Field receivedMasterAbort;
    private final Field systemError;
    private final Field parity;
    private final @Nullable Register[] bars = new @Nullable Register[BARS];
    private final RegisterBank bank;

    HeaderRegisters(RegisterBank bank, ConfigSpec spec, Runnable changed, IntConsumer moved) {
        this.bank = bank;
        Register id = bank.reg32(0x00, "ID", "Who made it");
        id.ro("vendor", 0, 16, spec.vendor(), "Vendor");
        id.ro("device", 16, 16, spec.device(), "Device");
        Register command =
                bank.reg32(ConfigSpace.COMMAND, "COMMAND_STATUS", "Command in the lower half, status in the upper");
        command.ro("io", 0, 1, 0, "I/O windows decode: there are none");
        memory = command.rw("mem", 1, 1, 0, "Memory windows decode; off: every MMIO access is an unsupported request");
        master = command.rw("bus_master", 2, 1, 0, "The function may send MRd, MWr and interrupts");
        command.rw("parity", 6, 1, 0, "React to poisoned data");
        serr = command.rw("serr", 8, 1, 0, "Report errors that are not correctable");
        command.rw("intx_disable", 10, 1, 0, "No INTx");
        command.ro("cap_list", 20, 1, 1, "There are capabilities");
        command.rw1c("master_data_parity", 24, 1, 0, "A completion or write of the function was poisoned");
        targetAbort = command.rw1c("sig_target_abort", 27, 1, 0, "The function has answered CA");
        receivedTargetAbort = command.rw1c("rcv_target_abort", 28, 1, 0, "A request of the function was answered CA");
        receivedMasterAbort = command.rw1c("rcv_master_abort", 29, 1, 0, "A request of the function was answered UR");
        systemError = command.rw1c("sig_system_error", 30, 1, 0, "An error was reported while serr was on");
        parity = command.rw1c("detected_parity", 31, 1, 0, "A poisoned packet came");
        command.onWrite(x -> changed.run());
        Register kind = bank.reg32(0x08, "CLASS", "What it is");
        kind.ro("revision", 0, 8, spec.revision(), "Revision");
        kind.ro("class", 8, 24, spec.classCode(), "Class, subclass, interface");
        Register line = bank.reg32(0x0C, "HEADER_TYPE", "Layout of this space");
        line.rw("cache_line", 0, 8, 0, "Has no effect");
        line.ro("type", 16, 8, 0, "Type 0, one function");
        for (BarSpec b : spec.bars()) {
            declare(b, moved);
        }
        Register subsystem = bank.reg32(0x2C, "SUBSYSTEM", "Who sells it");
        subsystem.ro("vendor", 0, 16, spec.subsystem() & 0xFFFF, "Vendor");
        subsystem.ro("id", 16, 16, spec.subsystem() >>> 16, "Subsystem");
        bank.reg32(0x34, "CAP_POINTER", "The first capability")
                .ro("offset", 0, 8, ConfigSpace.EXPRESS, "PCI Express, then MSI-X, then power management");
        Register interrupt = bank.reg32(0x3C, "INTERRUPT", "INTx");
        interrupt.rw("line", 0, 8, 0, "Has no effect");
        interrupt.ro("pin", 8, 8, 0, "None");
    }

    /** Only the bits above the size can be written: that is all there is to sizing. */
    private void declare(BarSpec b, IntConsumer moved) {
        int log = Long.numberOfTrailingZeros(b.bytes());
        Register low = bank.reg32(ConfigSpace.BAR0 + WORD * b.number(), "BAR" + b.number(), "Window " + b.number());
        low.ro("io", 0, 1, 0, "A memory window");
        low.ro("type", 1, 2, b.wide() ? 2 : 0, "2: 64 bits, with the next register");
        low.ro("prefetchable", 3, 1, b.prefetchable() ? 1 : 0, "Reads have no side effects");
        if (log < HALF) {
            low.rw("address", log, HALF - log, 0, "Address, a multiple of the size");
        }
        low.onWrite(x -> moved.accept(b.number()));
        bars[b.number()] = low;
        if (b.wide()) {
            int from = Math.max(0, log - HALF);
            Register high = bank.reg32(
                    ConfigSpace.BAR0 + WORD * (b.number() + 1),
                    "BAR" + (b.number() + 1),
                    "Upper half of " + b.number());
            high.rw("address", from, HALF - from, 0, "Upper half of the address");
            high.onWrite(x -> moved.accept(b.number()));
        }
    }

    void enable() {
        memory.set(1);
        master.set(1);
        serr.set(1);
    }

    boolean memory() {
        return memory.isSet();
    }

    boolean master() {
        return master.isSet();
    }

    boolean reports() {
        return serr.isSet();
    }

    void systemError() {
        systemError.set(1);
    }

    void targetAbort() {
        targetAbort.set(1);
    }

    void receivedTargetAbort() {
        receivedTargetAbort.set(1);
    }

    void receivedMasterAbort() {
        receivedMasterAbort.set(1);
    }

    void detectedParity() {
        parity.set(1);
    }

    boolean wide(int number) {
        Register low = bars[number];
        if (low == null) {
            throw new InvariantViolation("there is no BAR " + number);
        }
        return (bank.read(low.offset(), WORD) & 4) != 0;
    }

    void place(int number, long address) {
        int at = ConfigSpace.BAR0 + WORD * number;
        bank.write(at, address & 0xFFFF_FFFFL, WORD);
        if (wide(number)) {
            bank.write(at + WORD, address >>> HALF, WORD);
        }
    }

    long address(int number) {
        int at = ConfigSpace.BAR0 + WORD * number;
        long low = bank.read(at, WORD) & ~0xFL;
        return wide(number) ? low | bank.read(at + WORD, WORD) << HALF : low;
    }
}
