package dev.clockwire.storage.bdev;

import dev.clockwire.nvme.driver.NvmeDone;
import dev.clockwire.nvme.driver.NvmeQueuePair;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.storage.reactor.Poller;
import dev.clockwire.storage.reactor.PollerState;
import dev.clockwire.storage.reactor.StorageThread;
import org.jspecify.annotations.Nullable;

/** A thread's queue pair of an SSD, with the poller that takes what has ended and then rings the doorbells. All its devices share it. */
final class NvmeChannel implements NvmeDone {
    private static final int MOST_PER_POLL = 128;
    private static final int PAGE = 4096;
    private static final int DEALLOCATE = 4;

    private final NvmeSsd ssd;
    private final StorageThread thread;
    private final Poller poller;
    private final SqEntry entry = new SqEntry();
    private final byte[] range = new byte[16];
    private @Nullable NvmeQueuePair pair;
    private @Nullable BdevIo[] ios = {};
    private long[] sincePs = {};
    private int[] free = {};
    private int freeCount;
    private int perPoll;
    private boolean failed;
    private boolean ready;
    /** I/Os that came before the queue pair was made. */
    private final IoQueue early = new IoQueue();

    NvmeChannel(NvmeSsd ssd, StorageThread thread, String name) {
        this.ssd = ssd;
        this.thread = thread;
        poller = thread.poller(name, this::poll);
    }

    StorageThread thread() {
        return thread;
    }

    CpuCore cpu() {
        return thread.reactor().core();
    }

    @Nullable
    NvmeQueuePair pair() {
        return pair;
    }

    void use(NvmeQueuePair made) {
        pair = made;
    }

    /** The SSD has answered: the queue pair can be used, or never will be. */
    void made(int status) {
        NvmeQueuePair p = pair;
        ready = true;
        if (status != 0 || p == null) {
            failed = true;
            submitEarly();
            return;
        }
        int entries = p.place().entries();
        perPoll = Math.max(1, Math.min(MOST_PER_POLL, entries / 4));
        ios = new BdevIo[Math.max(1, entries - perPoll)];
        sincePs = new long[ios.length];
        free = new int[ios.length];
        freeCount = 0;
        for (int i = free.length - 1; i >= 0; i--) {
            free[freeCount++] = i;
        }
        poller.register(0);
        submitEarly();
    }

    /** Nobody uses it any more: it stops looking. */
    void stop() {
        ready = true;
        failed = true;
        if (poller.state() != PollerState.UNREGISTERED) {
            poller.unregister();
        }
    }

    /** Whether an I/O has been under way for longer than a time. */
    boolean isLate(long limitPs) {
        long now = cpu().now();
        for (int tag = 0; tag < ios.length; tag++) {
            if (ios[tag] != null && now - sincePs[tag] > limitPs) {
                return true;
            }
        }
        return false;
    }

    /** The SSD is being reset: what comes meanwhile waits. */
    void halt() {
        ready = false;
        if (poller.state() != PollerState.UNREGISTERED) {
            poller.unregister();
        }
    }

    /** The SSD has been reset: what was under way has failed. */
    void failAll() {
        pair = null;
        for (int tag = 0; tag < ios.length; tag++) {
            BdevIo io = ios[tag];
            ios[tag] = null;
            if (io != null) {
                io.complete(BdevStatus.FAILED);
            }
        }
    }

    private void submitEarly() {
        for (int left = early.count(); left > 0; left--) {
            BdevIo io = early.removeFirst();
            if (io.channel().bdev() instanceof NvmeBdev device) {
                submit(device, io);
            }
        }
    }

    private int poll(Poller self) {
        NvmeQueuePair p = pair;
        if (p == null) {
            return 0;
        }
        long rung = p.sqDoorbells();
        int n = p.poll(perPoll);
        if (n == 0 && p.sqDoorbells() == rung) {
            self.watch(p.next(), CqEntry.BYTES);
        }
        return n;
    }

    void submit(NvmeBdev device, BdevIo io) {
        NvmeQueuePair p = pair;
        if (!ready) {
            early.addLast(io);
        } else if (failed || io.blocks() > limit(device, io.type())) {
            io.complete(BdevStatus.FAILED);
        } else if (freeCount == 0 || p == null || !send(p, device, io)) {
            io.complete(BdevStatus.NOMEM);
        }
    }

    private long limit(NvmeBdev device, IoType type) {
        return type == IoType.UNMAP || type == IoType.FLUSH
                ? device.blocks()
                : type == IoType.WRITE_ZEROES ? 1 << Short.SIZE : ssd.mostBlocks(device.blockBytes());
    }

    private boolean send(NvmeQueuePair p, NvmeBdev device, BdevIo io) {
        int tag = free[freeCount - 1];
        int nsid = device.nsid();
        int blocks = (int) io.blocks();
        boolean sent = switch (io.type()) {
            case READ -> transfer(p, Opcodes.READ, nsid, io, tag);
            case WRITE -> transfer(p, Opcodes.WRITE, nsid, io, tag);
            case COMPARE -> transfer(p, Opcodes.COMPARE, nsid, io, tag);
            case FLUSH -> p.flush(nsid, tag);
            case WRITE_ZEROES ->
                p.submit(entry.clear().command(Opcodes.WRITE_ZEROES, tag, nsid).blocks(io.lba(), blocks), tag);
            case UNMAP -> unmap(p, nsid, io, tag);
        };
        if (sent) {
            freeCount--;
            sincePs[tag] = cpu().now();
            ios[tag] = io;
        }
        return sent;
    }

    private static boolean transfer(NvmeQueuePair p, int opcode, int nsid, BdevIo io, int tag) {
        return p.transfer(opcode, nsid, io.lba(), (int) io.blocks(), io.va(), (int) io.bytes(), tag);
    }

    private boolean unmap(NvmeQueuePair p, int nsid, BdevIo io, int tag) {
        if (p.free() == 0) {
            return false;
        }
        long list = p.place().lists() + (long) tag * PAGE;
        LittleEndian.put64(range, 0, io.blocks() << Integer.SIZE);
        LittleEndian.put64(range, 8, io.lba());
        cpu().memory().putBytes(list, range, 0, range.length);
        return p.submit(
                entry.clear().command(Opcodes.DSM, tag, nsid).prp(list, 0).dword(11, DEALLOCATE), tag);
    }

    @Override
    public void done(int tag, int status, long result) {
        BdevIo io = ios[tag];
        ios[tag] = null;
        free[freeCount++] = tag;
        if (io != null) {
            io.complete(
                    status == 0
                            ? BdevStatus.SUCCESS
                            : status == NvmeStatus.COMPARE_FAILURE.code() ? BdevStatus.MISCOMPARE : BdevStatus.FAILED);
        }
    }
}
