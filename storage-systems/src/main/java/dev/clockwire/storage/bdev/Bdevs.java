package dev.clockwire.storage.bdev;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.storage.reactor.IoDevice;
import dev.clockwire.storage.reactor.MsgFn;
import dev.clockwire.storage.reactor.ObjectPool;
import dev.clockwire.storage.reactor.Reactors;
import dev.clockwire.storage.reactor.StorageThread;
import java.util.ArrayList;
import java.util.List;

/** The block devices of one process by name, and the pool of their I/Os. */
public final class Bdevs implements IoDevice<Object>, State {
    private final Reactors reactors;
    private final BdevSpec spec;
    private final ObjectPool pool;
    private final MsgFn finish;
    private final List<Bdev> bdevs = new ArrayList<>();
    private final List<BdevIo> ios = new ArrayList<>();
    private final List<BdevIo> free = new ArrayList<>();

    /** Creates the layer without devices. */
    public Bdevs(Reactors reactors, BdevSpec spec) {
        this.reactors = reactors;
        this.spec = spec;
        pool = new ObjectPool("bdev_io", spec.ioPool());
        finish = reactors.function(
                "bdev.finish", (io, b) -> ios.get((int) io).channel().finish(ios.get((int) io)));
        reactors.register(this);
    }

    /**
     * Returns a device.
     *
     * @throws ConfigurationException if there is none of that name
     */
    public Bdev bdev(String name) {
        for (Bdev b : bdevs) {
            if (b.name().equals(name)) {
                return b;
            }
        }
        throw new ConfigurationException("no bdev '" + name + "'"
                + Nearest.hint(name, bdevs.stream().map(Bdev::name).toList()));
    }

    /** Returns the devices in the order they were made. */
    public List<Bdev> all() {
        return List.copyOf(bdevs);
    }

    void add(Bdev bdev) {
        for (Bdev b : bdevs) {
            if (b.name().equals(bdev.name())) {
                throw new ConfigurationException("bdev '" + bdev.name() + "' exists already");
            }
        }
        bdevs.add(bdev);
        reactors.register(bdev);
    }

    /**
     * Takes a device away: its name is free, and so is the device below it. That I/Os of it are under way its caller has excluded.
     *
     * @throws ConfigurationException if a thread has a channel to it
     */
    public void remove(Bdev bdev) {
        if (bdev.isOpen()) {
            throw new ConfigurationException("bdev '" + bdev.name() + "' is in use");
        }
        bdevs.remove(bdev);
        for (Bdev below : bdevs) {
            if (bdev.name().equals(below.claimedBy())) {
                below.release();
            }
        }
    }

    /** Returns the reactors. */
    public Reactors reactors() {
        return reactors;
    }

    /** Returns what the layer costs. */
    public BdevSpec spec() {
        return spec;
    }

    /** Returns the pool of I/Os. */
    public ObjectPool pool() {
        return pool;
    }

    MsgFn finish() {
        return finish;
    }

    BdevIo io() {
        if (free.isEmpty()) {
            BdevIo io = new BdevIo(ios.size());
            ios.add(io);
            return io;
        }
        return free.remove(free.size() - 1);
    }

    void free(BdevIo io) {
        free.add(io);
    }

    @Override
    public String name() {
        return "bdev layer";
    }

    @Override
    public Object open(StorageThread thread) {
        return new BdevThread(this);
    }

    @Override
    public void close(Object context) {
        ((BdevThread) context).close();
    }

    @Override
    public void save(Snapshot out) {
        pool.save(out);
    }

    @Override
    public void load(Snapshot in) {
        pool.load(in);
    }
}
