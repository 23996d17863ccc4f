package dev.clockwire.storage.perf;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.bdev.BdevChannel;
import dev.clockwire.storage.bdev.BdevDone;
import dev.clockwire.storage.bdev.BdevStatus;
import dev.clockwire.storage.bdev.IoType;
import dev.clockwire.storage.reactor.Errno;
import org.jspecify.annotations.Nullable;

/** A channel of a block device under a load, as SPDK's bdevperf has it. The load begins where it is started: on the channel's thread. */
public final class BdevQueue implements PerfQueue {
    private static final int PAGE = 4096;

    private final BdevChannel channel;
    private final BdevDone done = this::done;
    private @Nullable PerfUser user;

    /** Creates it. */
    public BdevQueue(BdevChannel channel) {
        this.channel = channel;
    }

    @Override
    public String name() {
        return channel.bdev().name();
    }

    @Override
    public int blockBytes() {
        return channel.bdev().blockBytes();
    }

    @Override
    public long blocks() {
        return channel.bdev().blocks();
    }

    @Override
    public Cpu cpu() {
        return channel.cpu();
    }

    @Override
    public int lcore() {
        return channel.thread().reactor().lcore();
    }

    @Override
    public long allocate(String what, long bytes) {
        return channel.cpu()
                .memory()
                .allocate(what, bytes, Allocation.Kind.BULK, PAGE)
                .address();
    }

    @Override
    public void start(PerfUser load) {
        user = load;
        load.begin();
    }

    @Override
    public void submit(IoType type, long lba, int blocks, long va, int tag) {
        int rc = channel.submit(type, lba, blocks, va, done, tag);
        if (rc == -Errno.ENOMEM) {
            int waits = channel.awaitIo(() -> submit(type, lba, blocks, va, tag));
            rc = waits == 0 ? 0 : rc;
        }
        if (rc != 0) {
            throw new ConfigurationException(
                    type + " of " + blocks + " blocks on bdev " + channel.bdev() + " is refused: errno " + -rc);
        }
    }

    private void done(long tag, BdevStatus status) {
        PerfUser u = user;
        if (u != null) {
            u.ended((int) tag, status == BdevStatus.SUCCESS);
        }
    }
}
