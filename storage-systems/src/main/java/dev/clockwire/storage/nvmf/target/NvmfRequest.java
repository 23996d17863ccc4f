package dev.clockwire.storage.nvmf.target;

import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.storage.bdev.BdevDone;
import dev.clockwire.storage.bdev.BdevStatus;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One command in a queue of a target: what it says, where its data are, and what becomes of it. A transport has its own kind. */
abstract class NvmfRequest implements BdevDone {
    private final Payload content = new Payload();
    final SqEntry cmd = new SqEntry();
    final CqEntry rsp = new CqEntry();
    /** First byte of its data in the target's memory. */
    long va;
    /** Bytes of its data, 0 if there are none. */
    int length;

    long result;
    int status;
    /** I/Os of the block device that it waits for, of a dataset management. */
    int pieces;
    /** Number of this abort while another thread sees to it, else -1. */
    int aborting = -1;

    /** The second of a fused pair, which waits for this one. */
    @Nullable
    NvmfRequest then;

    NvmfRequest() {}

    /** Returns the queue. */
    abstract NvmfQpair qpair();

    /** Returns its place, see {@link NvmfQpair#request}. */
    abstract int slot();

    /** Is told, once, that result and status stand. */
    abstract void executed();

    /** Forgets the command before. */
    final void begin() {
        va = 0;
        length = 0;
        result = 0;
        status = 0;
        pieces = 0;
        aborting = -1;
        then = null;
    }

    final void end(int how) {
        status = how;
        executed();
    }

    final void end(NvmeStatus how) {
        end(how.code());
    }

    /** Ends it with an error that would come again. */
    final void refuse(NvmeStatus how) {
        end(how.code() | NvmeStatus.DO_NOT_RETRY);
    }

    final CpuCore cpu() {
        return qpair().group().thread().reactor().core();
    }

    /** Gives the host the bytes from a place on, and zeros behind them; ends well. */
    final void answer(byte[] page, int from) {
        if (length > 0) {
            byte[] bytes = Arrays.copyOfRange(page, Math.min(from, page.length), Math.min(from, page.length) + length);
            content.clear();
            content.appendBytes(bytes, 0, length);
            cpu().memory().write(va, content, 0, length);
        }
        end(0);
    }

    /** Copies bytes out of a data buffer. Where a host has sent bytes there are bytes, whatever the payload mode is. */
    final void fetch(long from, byte[] to, int bytes) {
        content.clear();
        cpu().memory().read(from, bytes, content);
        content.copyTo(0, to, 0, bytes);
    }

    /** Returns whether data go to the controller; of a fabrics command its type says it. */
    final boolean toController() {
        return Opcodes.toController(kind());
    }

    /** Returns whether data go to the host. */
    final boolean toHost() {
        return Opcodes.toHost(kind());
    }

    final int kind() {
        return cmd.opcode() == Opcodes.FABRICS ? cmd.bytes()[4] : cmd.opcode();
    }

    @Override
    public final void done(long tag, BdevStatus how) {
        IoCommands.done(this, how);
    }
}
