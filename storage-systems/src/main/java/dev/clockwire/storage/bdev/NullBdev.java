package dev.clockwire.storage.bdev;

import dev.clockwire.storage.reactor.StorageThread;
import org.jspecify.annotations.Nullable;

/** A device that does nothing: reads leave memory as it is, writes are lost. What the layer itself costs can be seen with it. */
public final class NullBdev extends Bdev {
    /** Creates the device. */
    public NullBdev(Bdevs bdevs, String name, int blockBytes, long blocks) {
        super(bdevs, name, blockBytes, blocks);
    }

    @Override
    public boolean supports(IoType type) {
        return type == IoType.READ || type == IoType.WRITE || type == IoType.WRITE_ZEROES;
    }

    @Override
    protected @Nullable ModuleChannel moduleChannel(StorageThread thread) {
        return new DoneQueue(thread, name() + ".done", 1);
    }

    @Override
    protected void submit(BdevChannel channel, BdevIo io) {
        if (channel.module() instanceof DoneQueue q) {
            q.add(0, io, channel.cpu().now(), BdevStatus.SUCCESS);
        }
    }
}
