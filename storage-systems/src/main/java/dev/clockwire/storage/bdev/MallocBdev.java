package dev.clockwire.storage.bdev;

import dev.clockwire.nvme.store.MemoryStore;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.storage.reactor.StorageThread;
import org.jspecify.annotations.Nullable;

/** A device in memory. The core copies when an I/O is submitted, as SPDK's software does without an engine; a poller ends it. */
public final class MallocBdev extends Bdev {
    private final MemoryStore store;
    private final Payload data = new Payload();
    private final Payload other = new Payload();

    /** Creates a device of zeros. */
    public MallocBdev(Bdevs bdevs, String name, int blockBytes, long blocks) {
        this(
                bdevs,
                new MemoryStore(
                        name,
                        blockBytes,
                        blocks,
                        bdevs.reactors().host().memory().mode()),
                name);
    }

    /** The store is made first: what it refuses has not become a device. */
    private MallocBdev(Bdevs bdevs, MemoryStore store, String name) {
        super(bdevs, name, store.blockBytes(), store.blocks());
        this.store = store;
    }

    @Override
    public boolean supports(IoType type) {
        return true;
    }

    @Override
    protected @Nullable ModuleChannel moduleChannel(StorageThread thread) {
        return new DoneQueue(thread, name() + ".done", 1);
    }

    @Override
    protected void submit(BdevChannel channel, BdevIo io) {
        AddressSpace memory = channel.cpu().memory();
        int bytes = (int) io.bytes(); // of what is moved; more may be given up or zeroed
        BdevStatus how = BdevStatus.SUCCESS;
        if (io.type() != IoType.FLUSH) {
            channel.cpu().charge(HostCost.COPY_BYTE, io.bytes());
        }
        switch (io.type()) {
            case READ -> {
                data.clear();
                store.read(io.lba(), (int) io.blocks(), data);
                memory.write(io.va(), data, 0, bytes);
            }
            case WRITE -> {
                data.clear();
                memory.read(io.va(), bytes, data);
                store.write(io.lba(), (int) io.blocks(), data, 0);
            }
            case UNMAP, WRITE_ZEROES -> store.zero(io.lba(), io.blocks());
            case COMPARE -> how = compare(memory, io, bytes) ? BdevStatus.SUCCESS : BdevStatus.MISCOMPARE;
            case FLUSH -> {}
        }
        if (channel.module() instanceof DoneQueue q) {
            q.add(0, io, channel.cpu().now(), how);
        }
    }

    private boolean compare(AddressSpace memory, BdevIo io, int bytes) {
        data.clear();
        store.read(io.lba(), (int) io.blocks(), data);
        other.clear();
        memory.read(io.va(), bytes, other);
        return data.sameContent(other);
    }

    @Override
    public void save(Snapshot out) {
        super.save(out);
        store.save(out);
    }

    @Override
    public void load(Snapshot in) {
        super.load(in);
        store.load(in);
    }
}
