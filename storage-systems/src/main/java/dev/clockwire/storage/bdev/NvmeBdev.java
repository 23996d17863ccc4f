package dev.clockwire.storage.bdev;

import dev.clockwire.nvme.driver.NvmeDriver;
import dev.clockwire.storage.reactor.StorageThread;
import org.jspecify.annotations.Nullable;

/** A namespace of an SSD of this host. What its queue pair has no tracker for waits at the channel. */
public final class NvmeBdev extends Bdev {
    private final NvmeSsd ssd;
    private final int nsid;

    NvmeBdev(Bdevs bdevs, NvmeSsd ssd, String name, NvmeDriver.Namespace namespace) {
        super(bdevs, name, namespace.blockBytes(), namespace.blocks());
        this.ssd = ssd;
        nsid = namespace.nsid();
    }

    /** Returns the SSD. */
    public NvmeSsd ssd() {
        return ssd;
    }

    /** Returns its number there. */
    public int nsid() {
        return nsid;
    }

    @Override
    public boolean supports(IoType type) {
        return true;
    }

    @Override
    protected @Nullable ModuleChannel moduleChannel(StorageThread thread) {
        return new Use(ssd.channel(thread));
    }

    /** Queue pairs stay when channels end. */
    private record Use(NvmeChannel channel) implements ModuleChannel {
        @Override
        public void close() {}
    }

    @Override
    protected void submit(BdevChannel channel, BdevIo io) {
        if (channel.module() instanceof Use use) {
            use.channel().submit(this, io);
        }
    }
}
