package dev.clockwire.nvme.ctrl;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** What Get Log Page returns: errors, health, firmware, changed namespaces, effects of commands. */
final class LogPages implements State {
    private static final int ENTRIES = 16;
    private static final int ENTRY = 64;
    private static final int HEALTH = 512;
    private static final int[] ADMIN = {
        Opcodes.DELETE_SQ,
        Opcodes.CREATE_SQ,
        Opcodes.GET_LOG_PAGE,
        Opcodes.DELETE_CQ,
        Opcodes.CREATE_CQ,
        Opcodes.IDENTIFY,
        Opcodes.ABORT,
        Opcodes.SET_FEATURES,
        Opcodes.GET_FEATURES,
        Opcodes.ASYNC_EVENT,
        Opcodes.KEEP_ALIVE
    };
    private static final int[] IO = {
        Opcodes.FLUSH, Opcodes.WRITE, Opcodes.READ, Opcodes.COMPARE, Opcodes.WRITE_ZEROES, Opcodes.DSM, Opcodes.VERIFY
    };

    private final byte[] errors = new byte[ENTRIES * ENTRY];
    private long errorCount;
    private long blocksRead;
    private long blocksWritten;
    private long reads;
    private long writes;

    LogPages() {}

    /** A command of an I/O queue ended well. */
    void done(int opcode, int bytes) {
        if (opcode == Opcodes.READ || opcode == Opcodes.COMPARE) {
            reads++;
            blocksRead += bytes / 512;
        } else if (opcode == Opcodes.WRITE) {
            writes++;
            blocksWritten += bytes / 512;
        }
    }

    /** A command failed: the newest error comes first. */
    void failed(Command c, int status) {
        System.arraycopy(errors, 0, errors, ENTRY, errors.length - ENTRY);
        Arrays.fill(errors, 0, ENTRY, (byte) 0);
        LittleEndian.put64(errors, 0, ++errorCount);
        LittleEndian.put16(errors, 8, c.queue);
        LittleEndian.put16(errors, 10, c.entry.cid());
        LittleEndian.put16(errors, 12, status << 1);
        LittleEndian.put16(errors, 14, 0xFFFF);
        LittleEndian.put64(errors, 16, c.isAdmin() ? 0 : c.entry.slba());
        LittleEndian.put32(errors, 24, c.entry.nsid());
    }

    /** Returns a page, empty if there is none of the number. */
    byte[] page(int number) {
        return switch (number) {
            case 1 -> errors.clone();
            case 2 -> health();
            case 3 -> firmware();
            case 4 -> new byte[4096];
            case 5 -> effects();
            default -> new byte[0];
        };
    }

    private byte[] health() {
        byte[] b = new byte[HEALTH];
        LittleEndian.put16(b, 1, 310); // 37 degrees C
        LittleEndian.put8(b, 3, 100); // all of the spare is left
        LittleEndian.put8(b, 4, 10);
        LittleEndian.put64(b, 32, (blocksRead + 999) / 1000);
        LittleEndian.put64(b, 48, (blocksWritten + 999) / 1000);
        LittleEndian.put64(b, 64, reads);
        LittleEndian.put64(b, 80, writes);
        LittleEndian.put64(b, 176, errorCount);
        return b;
    }

    private static byte[] firmware() {
        byte[] b = new byte[HEALTH];
        LittleEndian.put8(b, 0, 1);
        b[8] = '1';
        b[9] = '.';
        b[10] = '0';
        return b;
    }

    private static byte[] effects() {
        byte[] b = new byte[4096];
        for (int op : ADMIN) {
            LittleEndian.put32(b, 4 * op, 1);
        }
        for (int op : IO) {
            boolean changes = op == Opcodes.WRITE || op == Opcodes.WRITE_ZEROES || op == Opcodes.DSM;
            LittleEndian.put32(b, 1024 + 4 * op, changes ? 3 : 1);
        }
        return b;
    }

    @Override
    public void save(Snapshot out) {
        out.putBytes(errors, 0, errors.length);
        out.putLong(errorCount);
        out.putLong(blocksRead);
        out.putLong(blocksWritten);
        out.putLong(reads);
        out.putLong(writes);
    }

    @Override
    public void load(Snapshot in) {
        in.getBytes(errors, 0, errors.length);
        errorCount = in.getLong();
        blocksRead = in.getLong();
        blocksWritten = in.getLong();
        reads = in.getLong();
        writes = in.getLong();
    }
}
