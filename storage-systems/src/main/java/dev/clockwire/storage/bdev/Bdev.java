package dev.clockwire.storage.bdev;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.storage.reactor.IoDevice;
import dev.clockwire.storage.reactor.StorageThread;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A block device. Threads use it through {@link BdevChannel channels}; a module says what an I/O does. */
public abstract class Bdev implements IoDevice<BdevChannel>, State {
    private final Bdevs bdevs;
    private final String name;
    private final int blockBytes;
    private final long blocks;
    private final List<BdevChannel> open = new ArrayList<>();
    private final IoStat closed = new IoStat();
    private @Nullable String claimedBy;
    private String uuid = "";

    /**
     * Makes a device known.
     *
     * @param blockBytes a power of two, 512 to 65536
     * @throws ConfigurationException if the name is taken or there are no blocks
     */
    protected Bdev(Bdevs bdevs, String name, int blockBytes, long blocks) {
        if (blockBytes < 512 || blockBytes > 65_536 || Integer.bitCount(blockBytes) != 1) {
            throw new ConfigurationException(
                    "bdev " + name + ": blocks of " + blockBytes + " B: must be a power of two, 512 to 65536");
        }
        if (blocks < 1 || blocks > Long.MAX_VALUE / blockBytes) {
            throw new ConfigurationException(
                    "bdev " + name + ": " + blocks + " blocks: must be 1 to " + Long.MAX_VALUE / blockBytes);
        }
        this.bdevs = bdevs;
        this.name = name;
        this.blockBytes = blockBytes;
        this.blocks = blocks;
        bdevs.add(this);
    }

    /** Begins an I/O, which {@link BdevIo#complete} ends. */
    protected abstract void submit(BdevChannel channel, BdevIo io);

    /** Returns whether the device can do such I/Os. */
    public abstract boolean supports(IoType type);

    /** Makes what a channel of this device needs; none unless overridden. */
    protected @Nullable ModuleChannel moduleChannel(StorageThread thread) {
        return null;
    }

    /** Is told that an I/O of the device below has ended, for which one of this device was handed down. */
    protected void belowDone(BdevIo io, BdevStatus how) {
        io.complete(how);
    }

    /** Returns the layer. */
    public final Bdevs bdevs() {
        return bdevs;
    }

    @Override
    public final String name() {
        return name;
    }

    /**
     * Gives the device a UUID; without one it has that of its name.
     *
     * @throws ConfigurationException if it is none
     */
    public final void identify(String other) {
        uuid = Uuids.checked(other);
    }

    /** Returns the UUID that was given, empty if none was. */
    public final String givenUuid() {
        return uuid;
    }

    /** Returns the UUID. */
    public final String uuid() {
        return uuid.isEmpty() ? Uuids.of("bdev", name) : uuid;
    }

    /** Returns the bytes of a block. */
    public final int blockBytes() {
        return blockBytes;
    }

    /** Returns the number of blocks. */
    public final long blocks() {
        return blocks;
    }

    /**
     * Makes a device the part of another one.
     *
     * @throws ConfigurationException if it is that already
     */
    public final void claim(String owner) {
        if (claimedBy != null) {
            throw new ConfigurationException(
                    "bdev " + name + " is claimed by " + claimedBy + ", not to be had by " + owner);
        }
        claimedBy = owner;
    }

    /** Ends a claim. */
    public final void release() {
        claimedBy = null;
    }

    /** Returns who claims it, null if nobody does. */
    public final @Nullable String claimedBy() {
        return claimedBy;
    }

    @Override
    public final BdevChannel open(StorageThread thread) {
        BdevChannel c = new BdevChannel(this, thread, moduleChannel(thread));
        open.add(c);
        return c;
    }

    @Override
    public final void close(BdevChannel channel) {
        channel.close();
        open.remove(channel);
        closed.add(channel.stat());
    }

    /** Returns whether a thread has a channel to it. */
    public final boolean isOpen() {
        return !open.isEmpty();
    }

    /** Returns the sum over all channels, those that have ended too. */
    public final IoStat iostat() {
        IoStat sum = new IoStat();
        sum.add(closed);
        for (BdevChannel c : open) {
            sum.add(c.stat());
        }
        return sum;
    }

    @Override
    public void save(Snapshot out) {
        closed.save(out);
    }

    @Override
    public void load(Snapshot in) {
        closed.load(in);
    }

    @Override
    public String toString() {
        return name;
    }
}
