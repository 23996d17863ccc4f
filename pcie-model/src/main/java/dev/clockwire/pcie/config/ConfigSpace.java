package dev.clockwire.pcie.config;

import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.reg.RegisterBank;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The configuration space of a function of type 0: header, power management, PCI Express, MSI-X and, from 0x100 on, advanced error
 * reporting and, on request, address translation services. The host reads and writes it with configuration requests; the function asks it what it may do.
 */
public final class ConfigSpace implements State {
    /** Command and status. */
    public static final int COMMAND = 0x04;
    /** First base address register. */
    public static final int BAR0 = 0x10;
    /** Place of the PCI Express capability; its device control is at 0x68, as in ConnectX. */
    public static final int EXPRESS = 0x60;
    /** Place of the MSI-X capability. */
    public static final int MSIX = 0x9C;
    /** Place of advanced error reporting. */
    public static final int AER = 0x100;
    /** Place of address translation services, of a function that has them. */
    public static final int ATS = 0x140;

    private static final int WORD = 4;
    private static final int PLAIN_BYTES = 0x100;
    private static final int SPACE_BYTES = 0x1000;
    private static final int SMALLEST_TRANSLATION = 12;

    private final ConfigSpec spec;
    private final RegisterBank bank;
    private final HeaderRegisters header;
    private final ExpressRegisters express;
    private final ErrorRegisters errors;
    private final SimNode owner;
    private @Nullable TranslationRegisters translation;
    private ConfigListener listener = ConfigListener.NONE;
    private Runnable vectors = () -> {};

    /**
     * Creates the space as it is after a reset: no window decodes, nothing may be sent.
     *
     * @param pending whether requests of the function have no answer yet
     */
    public ConfigSpace(SimNode owner, ConfigSpec spec, BooleanSupplier pending) {
        this.spec = spec;
        this.owner = owner;
        bank = new RegisterBank(owner, "config", PLAIN_BYTES, "Configuration space: header and capabilities");
        header = new HeaderRegisters(bank, spec, this::changed, number -> listener.moved(number, barAddress(number)));
        express = new ExpressRegisters(bank, spec, pending, this::changed);
        errors = new ErrorRegisters(owner, header, express);
    }

    private void changed() {
        listener.changed();
        vectors.run();
    }

    /** Says who wants to hear of changes that may let interrupts pass; one at most. */
    public void onVectors(Runnable who) {
        vectors = who;
    }

    /** Says who wants to hear of changes; one at most. */
    public void listen(ConfigListener who) {
        listener = who;
    }

    /** Returns what the function says of itself. */
    public ConfigSpec spec() {
        return spec;
    }

    /** Returns the banks, for the documentation: plain, advanced error reporting and, where they are, address translation services. */
    public List<RegisterBank> banks() {
        return translation == null ? List.of(bank, errors.bank()) : List.of(bank, errors.bank(), translation.bank());
    }

    /** Adds address translation services, switched off; before time 0. */
    public void offerTranslation() {
        translation = new TranslationRegisters(owner, this::changed);
        errors.follow(ATS);
    }

    /** Returns whether the function may ask for translations and send translated addresses. */
    public boolean translates() {
        return translation != null && translation.enabled();
    }

    /** Returns the binary logarithm of the bytes of the smallest translation (STU), 12 to 43. */
    public int translationShift() {
        return SMALLEST_TRANSLATION + (translation == null ? 0 : translation.unit());
    }

    /** Lets the function use address translation services, if it has them, as the driver of an IOMMU does. */
    public void enableTranslation() {
        if (translation != null) {
            translation.enable();
        }
    }

    /** Returns error status and its reports. */
    public ErrorRegisters errors() {
        return errors;
    }

    /** Reads an aligned word of 4 bytes; where nothing is, zero. */
    public int read(int offset) {
        int at = offset & SPACE_BYTES - WORD;
        if (at < PLAIN_BYTES) {
            return (int) bank.read(at, WORD);
        }
        if (at - AER < ErrorRegisters.BYTES) {
            return (int) errors.bank().read(at - AER, WORD);
        }
        return isTranslation(at) && translation != null
                ? (int) translation.bank().read(at - ATS, WORD)
                : 0;
    }

    /** Writes some bytes of an aligned word; bit i of the enables is byte i. */
    public void write(int offset, int value, int enables) {
        int at = offset & SPACE_BYTES - WORD;
        if (at < PLAIN_BYTES) {
            bank.writeBytes(at, value & 0xFFFF_FFFFL, enables);
        } else if (at - AER < ErrorRegisters.BYTES) {
            errors.bank().writeBytes(at - AER, value & 0xFFFF_FFFFL, enables);
        } else if (isTranslation(at) && translation != null) {
            translation.bank().writeBytes(at - ATS, value & 0xFFFF_FFFFL, enables);
        }
    }

    private static boolean isTranslation(int at) {
        return at >= ATS && at - ATS < TranslationRegisters.BYTES;
    }

    /** Does what firmware does before time 0: sizes of packets, then windows, memory and bus mastering on. */
    public void enumerated() {
        PcieLinkSpec link = spec.link();
        express.program(link.maxPayload(), link.maxReadRequest());
        header.enable();
        changed();
    }

    /** Resets the function: translations are off and forgotten. Error status, masks, severities and the header log survive it. */
    public void reset() {
        bank.reset();
        if (translation != null) {
            translation.bank().reset();
        }
        for (BarSpec b : spec.bars()) {
            listener.moved(b.number(), barAddress(b.number()));
        }
        changed();
    }

    /** Returns whether the windows decode. */
    public boolean decodes() {
        return header.memory() && express.powered();
    }

    /** Returns whether the function may send requests and interrupts. */
    public boolean masters() {
        return header.master() && express.powered();
    }

    /** Returns whether the function may set the relaxed ordering attribute. */
    public boolean relaxedOrdering() {
        return express.relaxedOrdering();
    }

    /** Returns whether the function may set the ID-based ordering attribute. */
    public boolean idBasedOrdering() {
        return express.idBasedOrdering();
    }

    /** Returns how many tags the function may use: 32, 256 or the 768 that need ten bits. */
    public int tags() {
        return express.tags();
    }

    /** Returns the largest payload that the function is set to, in bytes. */
    public int maxPayload() {
        return express.maxPayload();
    }

    /** Returns the largest read request that the function is set to, in bytes. */
    public int maxReadRequest() {
        return express.maxReadRequest();
    }

    /**
     * Returns how long the function waits for a completion, in ps; 0 for ever, if device control 2 says so. A range is taken at its end.
     *
     * @param defaultPs what it does in the default range
     */
    public long completionTimeoutPs(long defaultPs) {
        return express.completionTimeoutPs(defaultPs);
    }

    /** Returns whether MSI-X is on. */
    public boolean vectorsEnabled() {
        return express.vectorsEnabled();
    }

    /** Returns whether all vectors are masked. */
    public boolean vectorsMasked() {
        return express.vectorsMasked();
    }

    /** Turns MSI-X on or off and masks all vectors or none, as a driver does. */
    public void setVectors(boolean enabled, boolean masked) {
        write(MSIX, (enabled ? 1 << 31 : 0) | (masked ? 1 << 30 : 0), 0b1000);
    }

    /** Sets a window, both halves. */
    public void place(int number, long address) {
        header.place(number, address);
    }

    /** Returns where a window is. */
    public long barAddress(int number) {
        return header.address(number);
    }

    @Override
    public void save(Snapshot out) {
        bank.save(out);
        errors.bank().save(out);
        if (translation != null) {
            translation.bank().save(out);
        }
        out.putLong(errors.messages());
    }

    @Override
    public void load(Snapshot in) {
        bank.load(in);
        errors.bank().load(in);
        if (translation != null) {
            translation.bank().load(in);
        }
        errors.setMessages(in.getLong());
        for (BarSpec b : spec.bars()) {
            listener.moved(b.number(), barAddress(b.number()));
        }
    }
}
