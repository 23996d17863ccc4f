package dev.clockwire.storage.nvmf.initiator;

import dev.clockwire.nvme.format.Identify;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a host asks a controller before it uses it, in SPDK's order: VS, CAP, CC, CSTS, enable, wait for ready, Identify, events, number of
 * queues, namespaces.
 */
public final class ControllerInit {
    static final int BYTES = 4096;
    private static final int CAP = 0x00;
    private static final int VS = 0x08;
    private static final int CC = 0x14;
    private static final int CSTS = 0x1C;
    private static final int READY = 1;
    private static final int FATAL = 2;
    private static final int SHUTDOWN_SHIFT = 2;
    private static final int SHUTDOWN_MASK = 3;
    private static final int SHUT_DOWN = 2;
    private static final int SHUTDOWN_NORMAL = 1 << 14;
    /** Enabled, entries of 64 and 16 bytes, pages of 4 KiB, round robin. */
    private static final int ENABLE = 0x0046_0001;

    private static final long US = 1_000_000L;
    private static final long MS = 1_000 * US;
    private static final int TO_SHIFT = 24;
    private static final long HALF_SECOND_PS = 500 * MS;
    /** A shutdown may take RTD3E, or so long at least: SPDK's. */
    private static final long SHUTDOWN_PS = 10_000 * MS;

    private static final int CSS_SHIFT = 37;
    private static final int CSS_SEVERAL = 1 << 6;
    private static final int CSS_ALL = 6 << 4;
    private static final int ENTRIES_MASK = 0xFFFF;
    private static final int NUMBER_OF_QUEUES = 0x07;
    private static final int EVENT_CONFIGURATION = 0x0B;
    private static final int NAMESPACES_CHANGED = 1 << 8;

    private final RemoteController controller;
    private final InitiatorSpec spec;
    private final SqEntry entry = new SqEntry();
    private final List<Namespace> namespaces = new ArrayList<>();
    private byte[] identity = {};
    private long version;
    private long cap;
    private int cc;
    private int granted;

    /** A namespace as the controller describes it. */
    public record Namespace(int nsid, long blocks, int blockBytes) {}

    ControllerInit(RemoteController controller, InitiatorSpec spec) {
        this.controller = controller;
        this.spec = spec;
    }

    void begin() {
        namespaces.clear();
        controller.propertyGet(VS, Integer.BYTES, vs -> {
            version = vs;
            controller.propertyGet(CAP, Long.BYTES, x -> {
                cap = x;
                controller.propertyGet(CC, Integer.BYTES, this::checkEnabled);
            });
        });
    }

    private void checkEnabled(long value) {
        cc = (int) value;
        if ((cc & 1) == 0) {
            controller.propertyGet(CSTS, Integer.BYTES, csts -> enable());
            return;
        }
        cc &= ~1;
        controller.propertySet(CC, cc, x -> waitFor(0, readyBy(), this::enable));
    }

    private void enable() {
        boolean several = ((int) (cap >>> CSS_SHIFT) & CSS_SEVERAL) != 0;
        cc = ENABLE | (several ? CSS_ALL : 0);
        controller.propertySet(CC, cc, x -> waitFor(READY, readyBy(), this::identify));
    }

    /** Returns when CSTS.RDY must have changed: behind CAP.TO, as in SPDK; where that is 0, behind the time of an admin command. */
    private long readyBy() {
        long limit = readyPs();
        return limit == 0 ? Long.MAX_VALUE : controller.now() + limit;
    }

    private long readyPs() {
        long limit = (cap >>> TO_SHIFT & 0xFF) * HALF_SECOND_PS;
        return limit == 0 ? spec.adminTimeoutPs() : limit;
    }

    private void waitFor(int readyBit, long byPs, Runnable then) {
        controller.propertyGet(CSTS, Integer.BYTES, csts -> {
            if ((csts & FATAL) != 0) {
                controller.broken("CSTS.CFS is set");
            } else if ((csts & READY) == readyBit) {
                then.run();
            } else if (controller.now() > byPs) {
                controller.silent("CSTS.RDY did not become " + readyBit + " within " + readyPs() / MS + " ms");
            } else {
                controller.later(() -> waitFor(readyBit, byPs, then));
            }
        });
    }

    private void identify() {
        ask(Identify.CONTROLLER, 0, "Identify controller", () -> {
            identity = controller.bytes(Identify.BYTES);
            if (isDiscovery()) {
                granted = 0;
                controller.initialised();
                return;
            }
            entry.clear()
                    .command(Opcodes.SET_FEATURES, 0, 0)
                    .dword(10, EVENT_CONFIGURATION)
                    .dword(11, NAMESPACES_CHANGED & LittleEndian.get32(identity, 92));
            controller.must(entry, 0, 0, "Set Features 0Bh", x -> {
                controller.awaitEvent();
                queues();
            });
        });
    }

    private void ask(int cns, int nsid, String what, Runnable then) {
        entry.clear().command(Opcodes.IDENTIFY, 0, nsid).dword(10, cns);
        controller.must(entry, controller.page(), Identify.BYTES, what, x -> then.run());
    }

    private void queues() {
        int asked = Math.max(1, spec.ioQueues()) - 1;
        entry.clear()
                .command(Opcodes.SET_FEATURES, 0, 0)
                .dword(10, NUMBER_OF_QUEUES)
                .dword(11, asked << Short.SIZE | asked);
        controller.must(entry, 0, 0, "Set Features 07h", result -> {
            granted = 1 + (int) Math.min(result & ENTRIES_MASK, result >>> Short.SIZE & ENTRIES_MASK);
            ask(Identify.ACTIVE_LIST, 0, "Identify active namespaces", () -> describe(list(), 0));
        });
    }

    private List<Integer> list() {
        byte[] b = controller.bytes(Identify.BYTES);
        List<Integer> active = new ArrayList<>();
        for (int at = 0; at < b.length && LittleEndian.get32(b, at) != 0; at += Integer.BYTES) {
            active.add(LittleEndian.get32(b, at));
        }
        return active;
    }

    private void describe(List<Integer> active, int index) {
        if (index == active.size()) {
            controller.initialised();
            return;
        }
        int nsid = active.get(index);
        ask(Identify.NAMESPACE, nsid, "Identify namespace " + nsid, () -> {
            byte[] b = controller.bytes(Identify.BYTES);
            int format = b[26] & 0xF;
            namespaces.add(new Namespace(nsid, LittleEndian.get64(b, 0), 1 << b[128 + 4 * format + 2]));
            describe(active, index + 1);
        });
    }

    void shutDown() {
        long limit = Math.max(SHUTDOWN_PS, identity.length == 0 ? 0 : LittleEndian.get32(identity, 88) * US);
        controller.propertySet(CC, cc | SHUTDOWN_NORMAL, x -> waitForShutdown(controller.now() + limit, limit));
    }

    private void waitForShutdown(long byPs, long limit) {
        controller.propertyGet(CSTS, Integer.BYTES, csts -> {
            if ((csts >>> SHUTDOWN_SHIFT & SHUTDOWN_MASK) == SHUT_DOWN) {
                controller.shutDown();
            } else if (controller.now() > byPs) {
                controller.silent("CSTS.SHST did not become 2 within " + limit / MS + " ms");
            } else {
                controller.later(() -> waitForShutdown(byPs, limit));
            }
        });
    }

    /** Returns the version, as the register VS has it. */
    public long version() {
        return version;
    }

    /** Returns the register CAP. */
    public long cap() {
        return cap;
    }

    /** Returns the entries that a queue has at most. */
    public int queueEntries() {
        return (int) (cap & ENTRIES_MASK) + 1;
    }

    /** Returns the I/O queues that the controller allows. */
    public int grantedQueues() {
        return granted;
    }

    /** Returns the namespaces. */
    public List<Namespace> namespaces() {
        return List.copyOf(namespaces);
    }

    /** Returns the bytes of data that fit into a capsule; 0 if data would not follow the command at once. */
    public int inCapsule() {
        return identity.length == 0 || LittleEndian.get16(identity, 1800) != 0
                ? 0
                : LittleEndian.get32(identity, 1792) * 16 - SqEntry.BYTES;
    }

    /** Returns the largest transfer in bytes; 0 = any. */
    public long largestTransfer() {
        int mdts = identity.length == 0 ? 0 : identity[77] & 0xFF;
        return mdts == 0 ? 0 : 4096L << mdts;
    }

    /** Whether it takes Keep Alive, and the host wants to send it. */
    public boolean keepsAlive() {
        return spec.keepAliveMs() > 0 && identity.length > 0 && LittleEndian.get16(identity, 320) != 0;
    }

    /** Whether it is a discovery controller. */
    public boolean isDiscovery() {
        return identity.length > 0 && identity[111] == 2;
    }

    /** Returns serial number, model and firmware, without blanks at their ends. */
    public List<String> names() {
        return List.of(text(4, 20), text(24, 40), text(64, 8));
    }

    private String text(int at, int length) {
        return identity.length == 0 ? "" : new String(identity, at, length, StandardCharsets.US_ASCII).strip();
    }
}
