package dev.clockwire.storage.bdev;

import dev.clockwire.nvme.store.BlockStore;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.storage.reactor.StorageThread;
import org.jspecify.annotations.Nullable;

/**
 * A file behind the kernel's asynchronous I/O, as SPDK's aio module has it: each I/O is a system call of its own, what has ended is read from a
 * ring in user space. Reads and writes only; a flush blocks the thread. What the file holds is a {@link BlockStore}: a real file is one too.
 */
public final class AioBdev extends Bdev {
    private final BlockStore store;
    private final AioSpec spec;
    private final Payload data = new Payload();

    /** Creates the device over a file. */
    public AioBdev(Bdevs bdevs, String name, BlockStore store, AioSpec spec) {
        super(bdevs, name, store.blockBytes(), store.blocks());
        this.store = store;
        this.spec = spec;
    }

    @Override
    public boolean supports(IoType type) {
        return type == IoType.READ || type == IoType.WRITE || type == IoType.FLUSH;
    }

    @Override
    protected @Nullable ModuleChannel moduleChannel(StorageThread thread) {
        return new DoneQueue(thread, name() + ".events", 3);
    }

    @Override
    protected void submit(BdevChannel channel, BdevIo io) {
        if (!(channel.module() instanceof DoneQueue events)) {
            io.complete(BdevStatus.FAILED);
            return;
        }
        channel.cpu().charge(HostCost.SYSCALL, 1);
        if (io.type() != IoType.FLUSH && channel.outstanding() > spec.depth()) {
            io.complete(BdevStatus.NOMEM); // io_submit says EAGAIN
            return;
        }
        AddressSpace memory = channel.cpu().memory();
        int bytes = (int) io.bytes();
        long now = channel.cpu().now();
        data.clear();
        switch (io.type()) {
            case READ -> {
                channel.cpu().charge(spec.kernelPs());
                store.read(io.lba(), (int) io.blocks(), data);
                memory.write(io.va(), data, 0, bytes);
                events.add(0, io, now + spec.kernelPs() + spec.readPs(), BdevStatus.SUCCESS);
            }
            case WRITE -> {
                channel.cpu().charge(spec.kernelPs());
                memory.read(io.va(), bytes, data);
                store.write(io.lba(), (int) io.blocks(), data, 0);
                events.add(1, io, now + spec.kernelPs() + spec.writePs(), BdevStatus.SUCCESS);
            }
            default -> {
                channel.cpu().charge(spec.flushPs());
                events.add(2, io, channel.cpu().now(), BdevStatus.SUCCESS);
            }
        }
    }
}
