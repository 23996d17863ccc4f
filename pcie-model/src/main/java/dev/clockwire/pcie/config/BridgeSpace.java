package dev.clockwire.pcie.config;

import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.reg.Field;
import dev.clockwire.sim.reg.Register;
import dev.clockwire.sim.reg.RegisterBank;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * The configuration space of a port of a switch: a header of type 1 and the PCI Express capability. Bus numbers and windows show what
 * firmware has set up; they cannot be written here. Addresses of 64 bits stand in the prefetchable window.
 */
public final class BridgeSpace implements State {
    private static final int WORD = 4;
    private static final int BYTES = 0x100;
    private static final int SPACE_BYTES = 0x1000;
    private static final int BUS = 8;
    private static final int MEGABYTE_BITS = 20;
    private static final int HALF = 32;
    /** Broadcom PEX890xx, a Gen5 switch (pci.ids). */
    private static final int VENDOR = 0x1000;

    private static final int DEVICE = 0xC030;
    private static final int BRIDGE_CLASS = 0x060400;

    private final BridgeWindows windows;
    private final RegisterBank bank;
    private final Field memory;
    private final Field master;
    private final Field serr;
    private final Field payload;

    /** Which side of the switch a port is. */
    public enum Side {
        /** Towards the root complex: port type 5. */
        UPSTREAM(5),
        /** Towards a device: port type 6. */
        DOWNSTREAM(6);

        private final int type;

        Side(int type) {
            this.type = type;
        }
    }

    /**
     * Creates the space as it is after a reset: it passes nothing on.
     *
     * @param name of the port in its switch
     * @param number of the port, for its link's capability
     * @param link of the port
     */
    public BridgeSpace(SimNode owner, String name, Side side, int number, PcieLinkSpec link, BridgeWindows windows) {
        this.windows = windows;
        bank = new RegisterBank(owner, name + ".config", BYTES, "Configuration space of a switch's port");
        Register id = bank.reg32(0x00, "ID", "Who made it");
        id.ro("vendor", 0, 16, VENDOR, "Vendor");
        id.ro("device", 16, 16, DEVICE, "Device");
        Register command =
                bank.reg32(ConfigSpace.COMMAND, "COMMAND_STATUS", "Command in the lower half, status in the upper");
        memory = command.rw("mem", 1, 1, 0, "Memory requests to the far side of the port pass");
        master = command.rw("bus_master", 2, 1, 0, "Memory requests from the far side of the port pass");
        serr = command.rw("serr", 8, 1, 0, "Has no effect: messages always pass");
        command.ro("cap_list", 20, 1, 1, "There are capabilities");
        Register kind = bank.reg32(0x08, "CLASS", "What it is");
        kind.ro("class", 8, 24, BRIDGE_CLASS, "Bridge, PCI to PCI");
        bank.reg32(0x0C, "HEADER_TYPE", "Layout of this space").ro("type", 16, 8, 1, "Type 1, one function");
        buses();
        ranges();
        bank.reg32(0x34, "CAP_POINTER", "The first capability")
                .ro("offset", 0, 8, ConfigSpace.EXPRESS, "PCI Express, the only one");
        payload = express(side, number, link);
    }

    private void buses() {
        Register bus = bank.reg32(0x18, "BUS_NUMBERS", "The buses at both sides");
        bus.ro("primary", 0, BUS, windows::primary, "Bus that the port is on");
        bus.ro("secondary", 8, BUS, windows::secondary, "Bus behind it");
        bus.ro("subordinate", 16, BUS, windows::subordinate, "Last bus behind it");
        bank.reg32(0x1C, "IO_WINDOW", "I/O behind the port").ro("base", 4, 4, 0xF, "Above the limit: there is none");
    }

    /** A window without addresses has its base above its limit. */
    private void ranges() {
        Register narrow = bank.reg32(0x20, "MEMORY_WINDOW", "Addresses of 32 bits behind the port");
        narrow.ro("base", 4, 12, () -> windows.first(true) >>> MEGABYTE_BITS & 0xFFF, "First address in MiB");
        narrow.ro("limit", 20, 12, () -> windows.last(true) >>> MEGABYTE_BITS & 0xFFF, "Last address in MiB");
        Register wide = bank.reg32(0x24, "PREFETCHABLE_WINDOW", "Addresses of 64 bits behind the port");
        wide.ro("base_type", 0, 4, 1, "64 bits");
        wide.ro("base", 4, 12, () -> windows.first(false) >>> MEGABYTE_BITS & 0xFFF, "First address in MiB, low bits");
        wide.ro("limit_type", 16, 4, 1, "64 bits");
        wide.ro("limit", 20, 12, () -> windows.last(false) >>> MEGABYTE_BITS & 0xFFF, "Last address in MiB, low bits");
        bank.reg32(0x28, "PREFETCHABLE_BASE", "First address, upper half")
                .ro("base", 0, HALF, () -> windows.first(false) >>> HALF, "Upper half");
        bank.reg32(0x2C, "PREFETCHABLE_LIMIT", "Last address, upper half")
                .ro("limit", 0, HALF, () -> windows.last(false) >>> HALF, "Upper half");
    }

    private Field express(Side side, int number, PcieLinkSpec link) {
        int at = ConfigSpace.EXPRESS;
        int speed = link.generation().number();
        Register cap = bank.reg32(at, "PCIE_CAP", "PCI Express");
        cap.ro("id", 0, 8, 0x10, "PCI Express");
        cap.ro("version", 16, 4, 2, "Version");
        cap.ro("type", 20, 4, side.type, "5: upstream port, 6: downstream port of a switch");
        Register devCap = bank.reg32(at + 0x04, "DEVICE_CAP", "What the port can do");
        devCap.ro("mps", 0, 3, ExpressRegisters.sizeCode(link.maxPayload()), "Largest payload, 128 B << n");
        devCap.ro("ext_tag", 5, 1, 1, "Passes tags of 8 bits");
        devCap.ro("role_based", 15, 1, 1, "Errors of requests that are answered are advisory");
        Register device = bank.reg32(at + 0x08, "DEVICE_CONTROL_STATUS", "Control");
        Field mps = device.rw("mps", 5, 3, 0, "Largest payload, 128 B << n; has no effect");
        Register linkCap = bank.reg32(at + 0x0C, "LINK_CAP", "What the link can do");
        linkCap.ro("speed", 0, 4, speed, "Generation");
        linkCap.ro("width", 4, 6, link.lanes(), "Lanes");
        linkCap.ro("port", 24, 8, number, "Number of the port");
        Register status =
                bank.reg32(at + 0x10, "LINK_CONTROL_STATUS", "Control in the lower half, status in the upper");
        status.ro("speed", 16, 4, speed, "Generation");
        status.ro("width", 20, 6, link.lanes(), "Lanes");
        status.ro("active", 29, 1, side == Side.DOWNSTREAM ? 1 : 0, "The data link layer is up; downstream ports only");
        return mps;
    }

    /** Returns the bank, for the documentation. */
    public RegisterBank bank() {
        return bank;
    }

    /** Reads an aligned word of 4 bytes; where nothing is, zero. */
    public int read(int offset) {
        int at = offset & SPACE_BYTES - WORD;
        return at < BYTES ? (int) bank.read(at, WORD) : 0;
    }

    /** Writes some bytes of an aligned word; bit i of the enables is byte i. */
    public void write(int offset, int value, int enables) {
        int at = offset & SPACE_BYTES - WORD;
        if (at < BYTES) {
            bank.writeBytes(at, value & 0xFFFF_FFFFL, enables);
        }
    }

    /** Does what firmware does before time 0: the port passes requests in both directions. */
    public void enumerated(int maxPayload) {
        payload.set(ExpressRegisters.sizeCode(maxPayload));
        memory.set(1);
        master.set(1);
        serr.set(1);
    }

    /** Returns whether memory requests to the far side pass. */
    public boolean decodes() {
        return memory.isSet();
    }

    /** Returns whether memory requests from the far side pass. */
    public boolean masters() {
        return master.isSet();
    }

    @Override
    public void save(Snapshot out) {
        bank.save(out);
    }

    @Override
    public void load(Snapshot in) {
        bank.load(in);
    }
}
