package dev.clockwire.storage.nvmf.target;

import dev.clockwire.nvme.format.Identify;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.storage.nvmf.subsystem.Namespace;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.nvmf.subsystem.SubsystemSpec;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** What a target says of itself. SPDK's values: its {@code lib/nvmf/ctrlr.c} of 26.09; Linux's: read from captures of 6.1. */
final class IdentifyPages {
    private static final int PAGE = 4096;
    private static final int SQE = 64;
    private static final int UNIT = 16;
    private static final int INTEL = 0x8086;
    private static final int DISCOVERY = 2;
    private static final int NATURAL = 4096;
    private static final int UUID = 3;
    private static final int NGUID = 2;
    private static final int EUI64 = 1;
    private static final int COMMAND_SET = 4;

    private IdentifyPages() {}

    /** Returns what a controller says of itself. */
    static byte[] controller(Controller c) {
        byte[] b = new byte[Identify.BYTES];
        SubsystemSpec s = c.subsystem().spec();
        TransportSpec limits = c.target().limits();
        boolean linux = c.target().isLinux();
        text(b, 4, 20, s.serial());
        text(b, 24, 40, s.model());
        text(b, 64, 8, linux ? "6.1.0-57" : "26.09");
        LittleEndian.put8(b, 72, 6); // recommended burst: 64 commands
        LittleEndian.put8(b, 77, Integer.numberOfTrailingZeros(limits.maxIoBytes() / PAGE));
        LittleEndian.put16(b, 78, c.cntlid());
        LittleEndian.put32(b, 80, c.properties().version());
        LittleEndian.put8(b, 111, c.isDiscovery() ? DISCOVERY : 1);
        LittleEndian.put8(b, 258, 3); // aborts at a time, 0's based
        LittleEndian.put8(b, 259, SessionEvents.LIMIT - 1);
        LittleEndian.put8(b, 260, 3); // one firmware slot, read only
        LittleEndian.put8(b, 512, 0x66);
        LittleEndian.put8(b, 513, 0x44);
        LittleEndian.put32(b, 536, 0x0010_0005); // SGLs: any, keyed, offset in the capsule
        byte[] name = s.nqn().getBytes(StandardCharsets.UTF_8);
        System.arraycopy(name, 0, b, 768, name.length);
        LittleEndian.put32(b, 1792, (SQE + limits.inCapsuleBytes()) / UNIT);
        LittleEndian.put32(b, 1796, 1);
        LittleEndian.put8(b, 1803, linux ? 1 : TransportSpec.MAX_DESCRIPTORS);
        if (linux) {
            linux(b, s);
        } else {
            spdk(b, c, limits);
        }
        return b;
    }

    private static void spdk(byte[] b, Controller c, TransportSpec limits) {
        LittleEndian.put16(b, 0, INTEL);
        LittleEndian.put16(b, 2, INTEL);
        LittleEndian.put8(b, 73, 0xE4);
        LittleEndian.put8(b, 74, 0xD2);
        LittleEndian.put8(b, 75, 0x5C);
        LittleEndian.put8(b, 76, 3); // several ports, several controllers
        LittleEndian.put32(b, 92, c.isDiscovery() ? 1 << 31 : 1 << 8);
        LittleEndian.put32(b, 96, 1); // host identifiers of 16 bytes
        LittleEndian.put8(b, 261, 4); // log pages with an offset
        LittleEndian.put8(b, 262, 127);
        LittleEndian.put16(b, 320, limits.kas());
        LittleEndian.put16(b, 514, limits.maxQueueDepth());
        if (!c.isDiscovery()) {
            LittleEndian.put32(b, 516, c.subsystem().lastNsid());
            LittleEndian.put32(b, 540, c.subsystem().lastNsid());
            LittleEndian.put16(b, 520, 0x0D); // compare, dataset management, write zeroes
            LittleEndian.put16(b, 522, 1); // compare and write can be fused
            LittleEndian.put8(b, 525, 7); // a write cache; a flush reaches all namespaces
        }
    }

    /** CMIC, OAES, CTRATT, LPA, KAS, ANA, MAXCMD, NN, ONCS, VWC, NWPC, MNAN and a power state. */
    private static void linux(byte[] b, SubsystemSpec s) {
        LittleEndian.put8(b, 76, 0x0B);
        LittleEndian.put32(b, 92, 0x900);
        LittleEndian.put32(b, 96, 0x41);
        LittleEndian.put8(b, 261, 7);
        LittleEndian.put8(b, 262, 127);
        LittleEndian.put16(b, 320, 10);
        LittleEndian.put8(b, 342, 10);
        LittleEndian.put8(b, 343, 0x1F);
        LittleEndian.put32(b, 344, 128);
        LittleEndian.put32(b, 348, 128);
        LittleEndian.put16(b, 514, 1024);
        LittleEndian.put32(b, 516, s.maxNamespaces());
        LittleEndian.put16(b, 520, 0x0C);
        LittleEndian.put8(b, 525, 1);
        LittleEndian.put8(b, 531, 1);
        LittleEndian.put32(b, 540, s.maxNamespaces());
        LittleEndian.put16(b, 2048, 2500);
        LittleEndian.put32(b, 2052, 16);
        LittleEndian.put32(b, 2056, 4);
    }

    private static void text(byte[] b, int at, int length, String text) {
        Arrays.fill(b, at, at + length, (byte) ' ');
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(ascii, 0, b, at, Math.min(length, ascii.length));
    }

    /** Returns the numbers of a subsystem's namespaces above one. */
    static byte[] active(Subsystem s, int above) {
        byte[] b = new byte[Identify.BYTES];
        int at = 0;
        for (int nsid = Math.max(0, above) + 1; above >= 0 && nsid <= s.lastNsid() && at < b.length; nsid++) {
            if (s.namespace(nsid) != null) {
                LittleEndian.put32(b, at, nsid);
                at += 4;
            }
        }
        return b;
    }

    /** Returns what a namespace says of itself; a Linux target tells the natural block of the device below, 4 KiB. */
    static byte[] namespace(Namespace n, boolean linux) {
        byte[] b = new byte[Identify.BYTES];
        long blocks = n.bdev().blocks();
        LittleEndian.put64(b, 0, blocks);
        LittleEndian.put64(b, 8, blocks);
        LittleEndian.put64(b, 16, blocks);
        LittleEndian.put8(b, 30, 1); // may be shared
        LittleEndian.put8(b, 130, Integer.numberOfTrailingZeros(n.bdev().blockBytes()));
        if (linux) {
            int natural = Math.max(0, NATURAL / n.bdev().blockBytes() - 1);
            LittleEndian.put8(b, 24, 0x12);
            for (int at : new int[] {34, 36, 38, 64, 66}) {
                LittleEndian.put16(b, at, natural);
            }
            LittleEndian.put32(b, 92, 1); // ANA group
        }
        byte[] nguid = identifier(n.nguid(), linux ? n.uuid() : null);
        System.arraycopy(nguid, 0, b, 104, nguid.length);
        byte[] eui = HexFormat.of().parseHex(n.eui64());
        System.arraycopy(eui, 0, b, 120, eui.length);
        return b;
    }

    /** Returns given bytes; a Linux target makes what was not given of the UUID. */
    private static byte[] identifier(String given, @Nullable String uuid) {
        return HexFormat.of().parseHex(given.isEmpty() && uuid != null ? uuid.replace("-", "") : given);
    }

    /** Returns the identification descriptors of a namespace. */
    static byte[] descriptors(Namespace n) {
        byte[] b = new byte[Identify.BYTES];
        int at = descriptor(b, 0, UUID, n.uuid().replace("-", ""));
        at = descriptor(b, at, NGUID, n.nguid());
        at = descriptor(b, at, EUI64, n.eui64());
        descriptor(b, at, COMMAND_SET, "00");
        return b;
    }

    private static int descriptor(byte[] b, int at, int type, String hex) {
        if (hex.isEmpty()) {
            return at;
        }
        byte[] id = HexFormat.of().parseHex(hex);
        LittleEndian.put8(b, at, type);
        LittleEndian.put8(b, at + 1, id.length);
        System.arraycopy(id, 0, b, at + 4, id.length);
        return at + 4 + id.length;
    }
}
