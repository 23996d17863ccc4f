package dev.clockwire.storage.nvmf.target;

import dev.clockwire.nvme.fabrics.DiscoveryLog;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.storage.nvmf.subsystem.Namespace;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.nvmf.subsystem.TransportId;
import java.util.ArrayList;
import java.util.List;

/** What Get Log Page returns. */
final class TargetLogs {
    private static final byte[] NONE = {};
    private static final int ERRORS = 128 * 64;
    private static final int HEALTH = 512;
    private static final int KELVIN = 273;
    private static final int UNITS = 1000;
    private static final int EFFECTS = 4096;
    private static final int CHANGED = 4096;
    private static final int IO = 1024;
    private static final int[] ADMIN_EFFECTS = {
        Opcodes.GET_LOG_PAGE,
        Opcodes.IDENTIFY,
        Opcodes.ABORT,
        Opcodes.SET_FEATURES,
        Opcodes.GET_FEATURES,
        Opcodes.ASYNC_EVENT,
        Opcodes.KEEP_ALIVE
    };
    private static final int[] LINUX_IO = {Opcodes.FLUSH, Opcodes.WRITE, Opcodes.READ, Opcodes.WRITE_ZEROES, Opcodes.DSM
    };
    private static final int[] SPDK_IO = {
        Opcodes.FLUSH, Opcodes.WRITE, Opcodes.READ, Opcodes.COMPARE, Opcodes.WRITE_ZEROES, Opcodes.DSM
    };

    private final NvmfTarget target;

    TargetLogs(NvmfTarget target) {
        this.target = target;
    }

    /** Returns a page, empty if a controller has none of the number. */
    byte[] page(int number, Controller c) {
        if (c.isDiscovery()) {
            return number == DiscoveryLog.PAGE ? discovery(c) : NONE;
        }
        return switch (number) {
            case 0x01 -> new byte[ERRORS];
            case 0x02 -> health(c);
            case 0x03 -> firmware();
            case SessionEvents.NAMESPACE_LOG -> changed(c);
            case 0x05 -> effects();
            case 0x0C -> target.isLinux() ? access(c) : NONE;
            default -> NONE;
        };
    }

    /** Subsystems that the host may use, at each of their addresses. */
    private byte[] discovery(Controller c) {
        List<DiscoveryLog.Entry> entries = new ArrayList<>();
        List<TransportId> places = new ArrayList<>();
        for (Subsystem s : target.subsystems()) {
            for (TransportId at : s.listeners()) {
                if (!places.contains(at)) {
                    places.add(at);
                }
                int kind = s.kind() == Subsystem.Kind.DISCOVERY ? DiscoveryLog.CURRENT : DiscoveryLog.NVM;
                if (s.allows(c.hostNqn())) {
                    entries.add(new DiscoveryLog.Entry(
                            kind,
                            places.indexOf(at),
                            target.limits().maxAdminDepth(),
                            at.trsvcid(),
                            s.nqn(),
                            at.traddr()));
                }
            }
        }
        return new DiscoveryLog(target.generation(), entries).page();
    }

    /** A Linux target tells no temperature and no spare. */
    private byte[] health(Controller c) {
        byte[] b = new byte[HEALTH];
        if (!target.isLinux()) {
            LittleEndian.put16(b, 1, KELVIN);
            LittleEndian.put8(b, 3, 100);
            LittleEndian.put8(b, 4, 10);
        }
        LittleEndian.put64(b, 32, (c.readUnits + UNITS - 1) / UNITS);
        LittleEndian.put64(b, 48, (c.writtenUnits + UNITS - 1) / UNITS);
        LittleEndian.put64(b, 64, c.reads);
        LittleEndian.put64(b, 80, c.writes);
        return b;
    }

    private byte[] firmware() {
        byte[] b = new byte[HEALTH];
        LittleEndian.put8(b, 0, 1);
        String revision = target.isLinux() ? "6.1.0-57" : "26.09   ";
        for (int i = 0; i < revision.length(); i++) {
            b[8 + i] = (byte) revision.charAt(i);
        }
        return b;
    }

    private static byte[] changed(Controller c) {
        byte[] b = new byte[CHANGED];
        int[] nsids = c.events().changedNamespaces();
        for (int i = 0; i < nsids.length && 4 * i < b.length; i++) {
            LittleEndian.put32(b, 4 * i, nsids[i]);
        }
        return b;
    }

    /** A Linux target does not tell which commands change content; SPDK does. */
    private byte[] effects() {
        byte[] b = new byte[EFFECTS];
        for (int op : ADMIN_EFFECTS) {
            LittleEndian.put32(b, 4 * op, 1);
        }
        for (int op : target.isLinux() ? LINUX_IO : SPDK_IO) {
            boolean changes = op == Opcodes.WRITE || op == Opcodes.WRITE_ZEROES || op == Opcodes.DSM;
            LittleEndian.put32(b, IO + 4 * op, changes && !target.isLinux() ? 3 : 1);
        }
        return b;
    }

    /** All namespaces are in one group, which is reached the best way. */
    private static byte[] access(Controller c) {
        List<Namespace> all = c.subsystem().namespaces();
        byte[] b = new byte[48 + 4 * all.size()];
        LittleEndian.put16(b, 8, 1);
        LittleEndian.put32(b, 16, 1);
        LittleEndian.put32(b, 20, all.size());
        LittleEndian.put8(b, 32, 1);
        for (int i = 0; i < all.size(); i++) {
            LittleEndian.put32(b, 48 + 4 * i, all.get(i).nsid());
        }
        return b;
    }
}
