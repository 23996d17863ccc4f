package dev.clockwire.pcie.config;

import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.sim.reg.Field;
import dev.clockwire.sim.reg.Register;
import dev.clockwire.sim.reg.RegisterBank;
import java.util.function.BooleanSupplier;

/** The capabilities below 0x100: PCI Express, MSI-X, power management. */
final class ExpressRegisters {
    private static final long MICROSECOND = 1_000_000;
    private static final int POWER = 0x40;
    private static final int EXTENDED_TAGS = 32;
    private static final int TEN_BIT_TAGS = 256;
    /** 256 to 1023. */
    private static final int LARGE_TAGS = 768;

    private final int maxSupported;
    private final Field power;
    private final Field correctableReports;
    private final Field nonFatalReports;
    private final Field fatalReports;
    private final Field requestReports;
    private final Field relaxed;
    private final Field payload;
    private final Field request;
    private final Field correctable;
    private final Field nonFatal;
    private final Field fatal;
    private final Field unsupported;
    private final Field extendedTags;
    private final Field tenBitTags;
    private final Field idBased;
    private final Field timeoutRange;
    private final Field timeoutOff;
    private final Field vectorsMasked;
    private final Field vectorsEnabled;

    ExpressRegisters(RegisterBank bank, ConfigSpec spec, BooleanSupplier pending, Runnable changed) {
        maxSupported = spec.maxPayload();
        Register pm = bank.reg32(POWER, "PM_CAP", "Power management");
        pm.ro("id", 0, 8, 0x01, "Power management");
        pm.ro("next", 8, 8, 0, "The last one");
        pm.ro("version", 16, 3, 3, "Version");
        Register pmcsr = bank.reg32(POWER + 4, "PM_CONTROL", "Power state");
        power = pmcsr.rw("state", 0, 2, 0, "0: works; 3: neither decodes nor sends");
        pmcsr.ro("no_soft_reset", 3, 1, 1, "Keeps its configuration when it is woken");
        pmcsr.onWrite(x -> changed.run());

        PcieLinkSpec link = spec.link();
        int at = ConfigSpace.EXPRESS;
        Register cap = bank.reg32(at, "PCIE_CAP", "PCI Express");
        cap.ro("id", 0, 8, 0x10, "PCI Express");
        cap.ro("next", 8, 8, ConfigSpace.MSIX, "MSI-X");
        cap.ro("version", 16, 4, 2, "Version");
        cap.ro("type", 20, 4, 0, "Endpoint");
        Register devCap = bank.reg32(at + 0x04, "DEVICE_CAP", "What the device can do");
        devCap.ro("mps", 0, 3, sizeCode(maxSupported), "Largest payload, 128 B << n");
        devCap.ro("ext_tag", 5, 1, link.tags() > EXTENDED_TAGS ? 1 : 0, "More than 32 tags");
        devCap.ro("role_based", 15, 1, 1, "Errors of requests that are answered are advisory");
        Register device =
                bank.reg32(at + 0x08, "DEVICE_CONTROL_STATUS", "Control in the lower half, status in the upper");
        correctableReports = device.rw("corr_report", 0, 1, 0, "Report correctable errors");
        nonFatalReports = device.rw("nonfatal_report", 1, 1, 0, "Report errors that are not fatal");
        fatalReports = device.rw("fatal_report", 2, 1, 0, "Report fatal errors");
        requestReports = device.rw("ur_report", 3, 1, 0, "Report unsupported requests");
        relaxed = device.rw("relaxed_ordering", 4, 1, 1, "Writes may carry the relaxed ordering attribute");
        payload = device.rw("mps", 5, 3, 0, "Largest payload, 128 B << n");
        extendedTags = device.rw("ext_tag", 8, 1, link.tags() > EXTENDED_TAGS ? 1 : 0, "More than 32 tags are used");
        device.rw("no_snoop", 11, 1, 1, "Has no effect");
        request = device.rw("mrrs", 12, 3, 2, "Largest read request, 128 B << n");
        correctable = device.rw1c("corr_detected", 16, 1, 0, "A correctable error happened");
        nonFatal = device.rw1c("nonfatal_detected", 17, 1, 0, "An error that is not fatal happened");
        fatal = device.rw1c("fatal_detected", 18, 1, 0, "A fatal error happened");
        unsupported = device.rw1c("ur_detected", 19, 1, 0, "An unsupported request came");
        device.ro(
                "pending", 21, 1, () -> pending.getAsBoolean() ? 1 : 0, "Requests of the function have no answer yet");
        device.onWrite(x -> changed.run());
        Register control2 = link(bank, at, link, spec.maxLanes());
        timeoutRange = control2.rw("timeout", 0, 4, 0, "Completion timeout range; 0: 50 us to 50 ms");
        timeoutOff = control2.rw("timeout_disable", 4, 1, 0, "No completion timeout");
        idBased = control2.rw("ido_request", 8, 1, 0, "Requests may carry the ID-based ordering attribute");
        tenBitTags =
                control2.rw("ten_bit_requester", 12, 1, link.tags() > TEN_BIT_TAGS ? 1 : 0, "10-bit tags are used");
        control2.onWrite(x -> changed.run());
        Register vectors = bank.reg32(ConfigSpace.MSIX, "MSIX_CAP", "MSI-X");
        vectors.ro("id", 0, 8, 0x11, "MSI-X");
        vectors.ro("next", 8, 8, POWER, "Power management");
        vectors.ro("table_size", 16, 11, spec.vectors() - 1L, "Vectors, less one");
        vectorsMasked = vectors.rw("function_mask", 30, 1, 0, "All vectors are masked");
        vectorsEnabled = vectors.rw("enable", 31, 1, 0, "Interrupts are sent");
        vectors.onWrite(x -> changed.run());
        Register table = bank.reg32(ConfigSpace.MSIX + 4, "MSIX_TABLE", "Where the table is");
        table.ro("bir", 0, 3, spec.vectorBar(), "BAR");
        table.ro("offset", 3, 29, spec.tableOffset() >> 3, "Offset in units of 8 B");
        Register pba = bank.reg32(ConfigSpace.MSIX + 8, "MSIX_PBA", "Where the pending bits are");
        pba.ro("bir", 0, 3, spec.vectorBar(), "BAR");
        pba.ro("offset", 3, 29, spec.pendingOffset() >> 3, "Offset in units of 8 B");
    }

    private static Register link(RegisterBank bank, int at, PcieLinkSpec link, int maxLanes) {
        int speed = link.generation().number();
        Register cap = bank.reg32(at + 0x0C, "LINK_CAP", "What the link can do");
        cap.ro("speed", 0, 4, speed, "Generation");
        cap.ro("width", 4, 6, maxLanes, "Lanes");
        Register status =
                bank.reg32(at + 0x10, "LINK_CONTROL_STATUS", "Control in the lower half, status in the upper");
        status.rw(
                "rcb",
                3,
                1,
                link.readBoundary() == 128 ? 1 : 0,
                "Read completion boundary of the root: 0 64 B, 1 128 B");
        status.ro("speed", 16, 4, speed, "Generation");
        status.ro("width", 20, 6, link.lanes(), "Lanes");
        Register cap2 = bank.reg32(at + 0x24, "DEVICE_CAP2", "What the device can do, continued");
        cap2.ro("timeout_ranges", 0, 4, 0xF, "Completion timeout ranges A to D");
        cap2.ro("timeout_disable", 4, 1, 1, "The completion timeout can be turned off");
        cap2.ro("ten_bit_completer", 16, 1, 1, "Answers 10-bit tags");
        cap2.ro("ten_bit_requester", 17, 1, link.tags() > TEN_BIT_TAGS ? 1 : 0, "Sends 10-bit tags");
        return bank.reg32(at + 0x28, "DEVICE_CONTROL2", "Control, continued");
    }

    /** Returns the code of a size: 0 for 128 bytes. */
    static int sizeCode(int bytes) {
        return Integer.numberOfTrailingZeros(bytes) - 7;
    }

    private static int bytes(Field code, int most) {
        return Math.min(most, 128 << Math.min(5, (int) code.get()));
    }

    void program(int maxPayload, int maxReadRequest) {
        payload.set(sizeCode(maxPayload));
        request.set(sizeCode(maxReadRequest));
    }

    /** What is set to more than the device can do, it does as far as it can. */
    int maxPayload() {
        return bytes(payload, maxSupported);
    }

    int maxReadRequest() {
        return bytes(request, 4096);
    }

    /** Ends of the ranges A to D of the base specification, two for each. */
    long completionTimeoutPs(long defaultPs) {
        if (timeoutOff.isSet()) {
            return 0;
        }
        return switch ((int) timeoutRange.get()) {
            case 0b0001 -> 100 * MICROSECOND;
            case 0b0010 -> 10_000 * MICROSECOND;
            case 0b0101 -> 55_000 * MICROSECOND;
            case 0b0110 -> 210_000 * MICROSECOND;
            case 0b1001 -> 900_000 * MICROSECOND;
            case 0b1010 -> 3_500_000 * MICROSECOND;
            case 0b1101 -> 13_000_000 * MICROSECOND;
            case 0b1110 -> 64_000_000 * MICROSECOND;
            default -> defaultPs;
        };
    }

    boolean relaxedOrdering() {
        return relaxed.isSet();
    }

    boolean idBasedOrdering() {
        return idBased.isSet();
    }

    int tags() {
        return tenBitTags.isSet() ? LARGE_TAGS : extendedTags.isSet() ? TEN_BIT_TAGS : EXTENDED_TAGS;
    }

    boolean powered() {
        return power.get() == 0;
    }

    boolean vectorsEnabled() {
        return vectorsEnabled.isSet();
    }

    boolean vectorsMasked() {
        return vectorsMasked.isSet();
    }

    void detectedCorrectable() {
        correctable.set(1);
    }

    void detectedFatal() {
        fatal.set(1);
    }

    void detectedNonFatal() {
        nonFatal.set(1);
    }

    void detectedUnsupported() {
        unsupported.set(1);
    }

    boolean reportsCorrectable() {
        return correctableReports.isSet();
    }

    boolean reports(boolean fatalError) {
        return fatalError ? fatalReports.isSet() : nonFatalReports.isSet();
    }

    boolean reportsUnsupported() {
        return requestReports.isSet();
    }
}
