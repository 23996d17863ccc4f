package dev.clockwire.storage.nvmf.target;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.storage.bdev.BdevChannel;
import dev.clockwire.storage.bdev.BdevStatus;
import dev.clockwire.storage.bdev.IoType;
import dev.clockwire.storage.reactor.Errno;
import org.jspecify.annotations.Nullable;

/** What the commands of an I/O queue do: each becomes one I/O of a block device, a dataset management one for each range. */
final class IoCommands {
    private static final int RANGE = 16;
    private static final int DEALLOCATE = 4;
    private static final int NO_ENTRY = 0;
    /** Part in a fused pair. */
    private static final int FIRST = 1;

    private final NvmfTarget target;

    IoCommands(NvmfTarget target) {
        this.target = target;
    }

    void execute(NvmfRequest r) {
        SubsystemChannels channels = r.qpair().channels;
        int nsid = r.cmd.nsid();
        boolean all = nsid == SqEntry.ALL_NAMESPACES && r.cmd.opcode() == Opcodes.FLUSH;
        BdevChannel channel = channels == null ? null : channels.channel(all ? 1 : nsid);
        if (channel == null) {
            r.refuse(NvmeStatus.INVALID_NAMESPACE);
            return;
        }
        if (r.cmd.fuse() != 0) {
            fused(r, channel);
            return;
        }
        switch (r.cmd.opcode()) {
            case Opcodes.READ -> transfer(r, channel, IoType.READ);
            case Opcodes.WRITE -> transfer(r, channel, IoType.WRITE);
            case Opcodes.COMPARE -> {
                if (target.isLinux()) {
                    r.refuse(NvmeStatus.INVALID_OPCODE);
                } else {
                    transfer(r, channel, IoType.COMPARE);
                }
            }
            case Opcodes.WRITE_ZEROES -> {
                if (isInside(r, channel)) {
                    submit(r, channel, IoType.WRITE_ZEROES, r.cmd.slba(), r.cmd.blocks(), 0);
                }
            }
            case Opcodes.FLUSH -> flush(r, channel);
            case Opcodes.DSM -> manage(r, channel);
            default -> r.refuse(NvmeStatus.INVALID_OPCODE);
        }
    }

    /**
     * A compare and a write that are one: the first waits for the second, and the write is done only if the compare found no difference. Both
     * are on the same blocks; the transport has seen to it that they come one behind the other.
     */
    private void fused(NvmfRequest r, BdevChannel channel) {
        NvmfQpair q = r.qpair();
        NvmfRequest first = q.fusedFirst;
        if (target.isLinux() || r.cmd.opcode() != (r.cmd.fuse() == FIRST ? Opcodes.COMPARE : Opcodes.WRITE)) {
            q.fusedFirst = null;
            r.refuse(target.isLinux() ? NvmeStatus.INVALID_FIELD : NvmeStatus.INVALID_OPCODE);
            if (first != null) {
                first.end(NvmeStatus.ABORTED_FUSED_MISSING);
            }
            return;
        }
        if (r.cmd.fuse() == FIRST) {
            q.fusedFirst = r;
            return;
        }
        q.fusedFirst = null;
        if (first == null) {
            r.end(NvmeStatus.ABORTED_FUSED_FAILED);
        } else if (first.cmd.slba() != r.cmd.slba() || first.cmd.blocks() != r.cmd.blocks()) {
            first.refuse(NvmeStatus.INVALID_FIELD);
            r.refuse(NvmeStatus.INVALID_FIELD);
        } else {
            first.then = r;
            transfer(first, channel, IoType.COMPARE);
            if (first.then != null && first.status != 0) {
                first.then = null;
                r.end(NvmeStatus.ABORTED_FUSED_FAILED);
            }
        }
    }

    /** The compare of a fused pair has ended. */
    private void compared(NvmfRequest first, NvmfRequest second) {
        SubsystemChannels channels = second.qpair().channels;
        BdevChannel channel = channels == null ? null : channels.channel(second.cmd.nsid());
        if (first.status != 0 || channel == null) {
            second.end(NvmeStatus.ABORTED_FUSED_FAILED);
        } else {
            transfer(second, channel, IoType.WRITE);
        }
    }

    private static boolean isInside(NvmfRequest r, BdevChannel channel) {
        long slba = r.cmd.slba();
        if (slba < 0 || slba > channel.bdev().blocks() - r.cmd.blocks()) {
            r.refuse(NvmeStatus.LBA_OUT_OF_RANGE);
            return false;
        }
        return true;
    }

    /** The range is looked at before the length, as SPDK does. */
    private void transfer(NvmfRequest r, BdevChannel channel, IoType type) {
        if (!isInside(r, channel)) {
            return;
        }
        if ((long) r.cmd.blocks() * channel.bdev().blockBytes() > r.length) {
            r.refuse(NvmeStatus.SGL_BAD_LENGTH);
            return;
        }
        submit(r, channel, type, r.cmd.slba(), r.cmd.blocks(), r.va);
    }

    private void flush(NvmfRequest r, BdevChannel channel) {
        if (channel.bdev().supports(IoType.FLUSH)) {
            submit(r, channel, IoType.FLUSH, 0, channel.bdev().blocks(), 0);
        } else {
            r.end(0); // nothing is held back
        }
    }

    private void submit(NvmfRequest r, BdevChannel channel, IoType type, long lba, long blocks, long va) {
        int rc = channel.submit(type, lba, blocks, va, r, NO_ENTRY);
        if (rc == -Errno.ENOMEM) {
            r.qpair().group().pendingBdevIo++;
            rc = channel.awaitIo(() -> submit(r, channel, type, lba, blocks, va)) == 0 ? 0 : rc;
        }
        if (rc != 0) {
            refused(r, rc);
        }
    }

    private static void refused(NvmfRequest r, int rc) {
        if (r.pieces > 1) {
            r.status = NvmeStatus.INTERNAL_ERROR.code();
            r.pieces--;
        } else {
            r.end(rc == -Errno.ENOTSUP ? NvmeStatus.INVALID_OPCODE : NvmeStatus.INTERNAL_ERROR);
        }
    }

    /** Deallocates each range; other hints are taken and do nothing. */
    private void manage(NvmfRequest r, BdevChannel channel) {
        int count = (r.cmd.dword(10) & 0xFF) + 1;
        if (r.length < count * RANGE) {
            r.refuse(NvmeStatus.SGL_BAD_LENGTH);
            return;
        }
        if ((r.cmd.dword(11) & DEALLOCATE) == 0) {
            r.end(0);
            return;
        }
        byte[] ranges = new byte[count * RANGE];
        r.fetch(r.va, ranges, ranges.length);
        for (int i = 0; i < count; i++) {
            long blocks = LittleEndian.getU32(ranges, i * RANGE + 4);
            long lba = LittleEndian.get64(ranges, i * RANGE + 8);
            if (lba < 0 || lba > channel.bdev().blocks() - blocks) {
                r.refuse(NvmeStatus.LBA_OUT_OF_RANGE);
                return;
            }
            r.pieces += blocks > 0 ? 1 : 0;
        }
        if (r.pieces == 0) {
            r.end(0);
            return;
        }
        for (int i = 0; i < count; i++) {
            long blocks = LittleEndian.getU32(ranges, i * RANGE + 4);
            if (blocks > 0) {
                submit(r, channel, IoType.UNMAP, LittleEndian.get64(ranges, i * RANGE + 8), blocks, 0);
            }
        }
    }

    /** An I/O has ended: its request, unless it waits for others. */
    static void done(NvmfRequest r, BdevStatus how) {
        if (how != BdevStatus.SUCCESS) {
            r.status =
                    how == BdevStatus.MISCOMPARE ? NvmeStatus.COMPARE_FAILURE.code() : NvmeStatus.INTERNAL_ERROR.code();
        }
        if (r.pieces > 1) {
            r.pieces--;
            return;
        }
        if (r.status == 0) {
            count(r, r.qpair().controller);
        }
        NvmfRequest second = r.then;
        r.then = null;
        r.end(r.status);
        if (second != null) {
            r.qpair().target.ioCommands().compared(r, second);
        }
    }

    private static void count(NvmfRequest r, @Nullable Controller c) {
        if (c == null) {
            return;
        }
        int units = r.length >> 9;
        if (r.cmd.opcode() == Opcodes.READ) {
            c.reads++;
            c.readUnits += units;
        } else if (r.cmd.opcode() == Opcodes.WRITE) {
            c.writes++;
            c.writtenUnits += units;
        }
    }
}
