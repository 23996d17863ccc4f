package dev.clockwire.nvme.ctrl;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.nvme.media.Media;
import dev.clockwire.nvme.store.BlockStore;
import dev.clockwire.sim.mem.Payload;
import java.util.Arrays;
import java.util.List;

/** What the commands of I/O queues do, step by step. Each step returns the status that ends the command, or that there is more to come. */
final class IoCommands {
    /** Returned by a step: the command waits for something. */
    static final int MORE = -1;

    /** Largest number of ranges in one dataset management command, and the bytes of a range. */
    private static final int RANGE_BYTES = 16;

    /** PRINFO: action and three checks. */
    private static final int PROTECTION = 0xF << 26;

    private static final int DEALLOCATE = 1 << 2;
    private static final int DEALLOCATE_ZEROES = 1 << 25;

    private static final int TO_MEDIA = 1;
    private static final int FROM_MEDIA = 2;
    private static final int DATA_IN = 3;
    private static final int LAST = 4;
    /** A command of a fused pair that has done its part and waits for the other. */
    static final int HELD = 5;

    private static final int FUSED_WRITE = 6;

    private final DataEngine data;
    private final Media media;
    private final List<BlockStore> stores;
    private final long[] offsets;
    private final int mostBytes;
    private final Payload block = new Payload();
    final BadBlocks badBlocks = new BadBlocks();
    /** Whether the medium can be used. */
    boolean mediaReady;

    /** Creates the commands of a controller. */
    IoCommands(DataEngine data, Media media, List<BlockStore> stores, NvmeSpec spec) {
        this.data = data;
        this.media = media;
        this.stores = stores;
        mostBytes = spec.transferPages() == 0 ? Integer.MAX_VALUE : spec.transferPages() * 4096;
        offsets = new long[stores.size()];
        long at = 0;
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = at;
            at += stores.get(i).blocks() * stores.get(i).blockBytes();
        }
    }

    /** Begins a command; it is checked as a whole before anything happens. */
    int begin(Command c, int page) {
        SqEntry e = c.entry;
        boolean all = e.opcode() == Opcodes.FLUSH && e.nsid() == SqEntry.ALL_NAMESPACES;
        if (!all && (e.nsid() <= 0 || e.nsid() > stores.size())) {
            return known(e.opcode())
                    ? NvmeStatus.INVALID_NAMESPACE.code() | NvmeStatus.DO_NOT_RETRY
                    : NvmeStatus.INVALID_OPCODE.code() | NvmeStatus.DO_NOT_RETRY;
        }
        if (!mediaReady && known(e.opcode())) {
            return NvmeStatus.NAMESPACE_NOT_READY.code();
        }
        if (protects(e)) {
            return NvmeStatus.INVALID_PROTECTION.code() | NvmeStatus.DO_NOT_RETRY;
        }
        return switch (e.opcode()) {
            case Opcodes.FLUSH -> {
                c.phase = LAST;
                c.waits++;
                media.flush(c.slot);
                yield MORE;
            }
            case Opcodes.READ -> transfer(c, page, FROM_MEDIA);
            case Opcodes.WRITE, Opcodes.COMPARE -> transfer(c, page, DATA_IN);
            case Opcodes.WRITE_ZEROES, Opcodes.VERIFY -> untransferred(c);
            case Opcodes.DSM -> ranges(c, page);
            default -> NvmeStatus.INVALID_OPCODE.code() | NvmeStatus.DO_NOT_RETRY;
        };
    }

    /** Whether a command asks for protection information: Identify says that no namespace has any (MC, DPC and DPS are 0). */
    private static boolean protects(SqEntry e) {
        return switch (e.opcode()) {
            case Opcodes.READ, Opcodes.WRITE, Opcodes.COMPARE, Opcodes.WRITE_ZEROES, Opcodes.VERIFY ->
                (e.dword(12) & PROTECTION) != 0;
            default -> false;
        };
    }

    private static boolean known(int opcode) {
        return switch (opcode) {
            case Opcodes.FLUSH, Opcodes.READ, Opcodes.WRITE, Opcodes.COMPARE, Opcodes.WRITE_ZEROES, Opcodes.VERIFY ->
                true;
            default -> opcode == Opcodes.DSM;
        };
    }

    private BlockStore store(Command c) {
        return stores.get(c.entry.nsid() - 1);
    }

    private long address(Command c) {
        return offsets[c.entry.nsid() - 1] + c.entry.slba() * store(c).blockBytes();
    }

    /** Whether blocks lie inside a namespace; the sum may be more than a long holds. */
    private static boolean inside(BlockStore store, long slba, long count) {
        return slba >= 0 && slba < store.blocks() && count <= store.blocks() - slba;
    }

    private int transfer(Command c, int page, int phase) {
        BlockStore store = store(c);
        if (!inside(store, c.entry.slba(), c.entry.blocks())) {
            return NvmeStatus.LBA_OUT_OF_RANGE.code() | NvmeStatus.DO_NOT_RETRY;
        }
        long bytes = (long) c.entry.blocks() * store.blockBytes();
        if (bytes > mostBytes) {
            return NvmeStatus.INVALID_FIELD.code() | NvmeStatus.DO_NOT_RETRY;
        }
        c.phase = phase;
        int bad = data.locate(c, (int) bytes, page);
        if (bad != 0) {
            return bad;
        }
        if (phase == FROM_MEDIA) {
            c.waits++;
            media.read(c.slot, address(c), c.bytes);
            return MORE;
        }
        return c.waits > 0 ? MORE : step(c);
    }

    private int untransferred(Command c) {
        if (!inside(store(c), c.entry.slba(), c.entry.blocks())) {
            return NvmeStatus.LBA_OUT_OF_RANGE.code() | NvmeStatus.DO_NOT_RETRY;
        }
        c.phase = LAST;
        c.waits++;
        long bytes = (long) c.entry.blocks() * store(c).blockBytes(); // no transfer, so no limit but that of the entry
        if (c.entry.opcode() == Opcodes.VERIFY) {
            media.read(c.slot, address(c), bytes);
        } else if ((c.entry.dword(12) & DEALLOCATE_ZEROES) != 0) {
            media.touch(c.slot);
        } else {
            media.write(c.slot, address(c), bytes);
        }
        return MORE;
    }

    private int ranges(Command c, int page) {
        c.phase = DATA_IN;
        int bad = data.locate(c, ((c.entry.dword(10) & 0xFF) + 1) * RANGE_BYTES, page);
        return bad != 0 ? bad : c.waits > 0 ? MORE : step(c);
    }

    /** Goes on with a command that waits for nothing any more. */
    int step(Command c) {
        switch (c.phase) {
            case FROM_MEDIA -> {
                int lost = bad(c, false);
                if (lost != 0) {
                    return lost;
                }
                c.data.clear();
                store(c).read(c.entry.slba(), c.entry.blocks(), c.data);
                data.toHost(c);
                return 0;
            }
            case DATA_IN -> {
                c.phase = TO_MEDIA;
                data.fromHost(c);
                return c.waits > 0 ? MORE : step(c);
            }
            case TO_MEDIA -> {
                c.join();
                return arrived(c);
            }
            default -> {
                return finished(c);
            }
        }
    }

    /** The data of the host are here. */
    private int arrived(Command c) {
        if (c.partner >= 0 && c.entry.opcode() == Opcodes.WRITE) {
            c.phase = HELD;
            return MORE;
        }
        c.phase = LAST;
        c.waits++;
        switch (c.entry.opcode()) {
            case Opcodes.WRITE -> media.write(c.slot, address(c), c.bytes);
            case Opcodes.COMPARE -> media.read(c.slot, address(c), c.bytes);
            default -> {
                int bad = checkRanges(c);
                if (bad != 0) {
                    c.waits--;
                    return bad;
                }
                media.touch(c.slot);
            }
        }
        return MORE;
    }

    /** Whether two commands are a fused pair that there is: compare and write of the same blocks. */
    static boolean fuses(Command first, Command second) {
        SqEntry a = first.entry;
        SqEntry b = second.entry;
        return a.opcode() == Opcodes.COMPARE
                && b.opcode() == Opcodes.WRITE
                && a.nsid() == b.nsid()
                && a.slba() == b.slba()
                && a.blocks() == b.blocks();
    }

    /** Compares for the first of a pair; {@link #writeFused} in the same instant does the rest. Returns the first's status. */
    int compareFused(Command first) {
        block.clear();
        store(first).read(first.entry.slba(), first.entry.blocks(), block);
        return equal(block, first.data) ? 0 : NvmeStatus.COMPARE_FAILURE.code();
    }

    /** Stores what the second of a pair writes, and gives it to the medium. */
    int writeFused(Command second) {
        int lost = bad(second, true);
        if (lost != 0) {
            return lost;
        }
        store(second).write(second.entry.slba(), second.entry.blocks(), second.data, 0);
        second.phase = FUSED_WRITE;
        second.waits++;
        media.write(second.slot, address(second), second.bytes);
        return MORE;
    }

    private int bad(Command c, boolean writes) {
        return badBlocks.touch(c.entry.nsid(), c.entry.slba(), c.entry.blocks(), writes);
    }

    private int finished(Command c) {
        if (c.phase == FUSED_WRITE) {
            return 0;
        }
        boolean writes = c.entry.opcode() == Opcodes.WRITE || c.entry.opcode() == Opcodes.WRITE_ZEROES;
        boolean reads = c.entry.opcode() == Opcodes.COMPARE || c.entry.opcode() == Opcodes.VERIFY;
        int lost = writes || reads ? bad(c, writes) : 0;
        if (lost != 0) {
            return lost;
        }
        if (c.partner >= 0) { // a compare; whether blocks are equal is asked when the write's data are there
            c.phase = HELD;
            return MORE;
        }
        switch (c.entry.opcode()) {
            case Opcodes.WRITE -> store(c).write(c.entry.slba(), c.entry.blocks(), c.data, 0);
            case Opcodes.WRITE_ZEROES -> store(c).zero(c.entry.slba(), c.entry.blocks());
            case Opcodes.COMPARE -> {
                block.clear();
                store(c).read(c.entry.slba(), c.entry.blocks(), block);
                return equal(block, c.data) ? 0 : NvmeStatus.COMPARE_FAILURE.code();
            }
            case Opcodes.DSM -> deallocate(c);
            default -> {
                return 0;
            }
        }
        return 0;
    }

    private static boolean equal(Payload a, Payload b) {
        return (a.isBytes() && b.isBytes())
                ? Arrays.equals(a.array(), 0, a.length(), b.array(), 0, b.length())
                : a.sameContent(b);
    }

    private int checkRanges(Command c) {
        byte[] b = c.data.array();
        for (int at = 0; at < c.bytes; at += RANGE_BYTES) {
            long count = LittleEndian.getU32(b, at + 4);
            if (!inside(store(c), LittleEndian.get64(b, at + 8), count)) {
                return NvmeStatus.LBA_OUT_OF_RANGE.code() | NvmeStatus.DO_NOT_RETRY;
            }
        }
        return 0;
    }

    private void deallocate(Command c) {
        if ((c.entry.dword(11) & DEALLOCATE) == 0) {
            return;
        }
        byte[] b = c.data.array();
        for (int at = 0; at < c.bytes; at += RANGE_BYTES) {
            long count = LittleEndian.getU32(b, at + 4);
            if (count > 0) {
                store(c).zero(LittleEndian.get64(b, at + 8), count);
            }
        }
    }
}
