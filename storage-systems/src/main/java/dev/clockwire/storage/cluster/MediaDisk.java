package dev.clockwire.storage.cluster;

import dev.clockwire.nvme.media.Media;
import dev.clockwire.nvme.media.MediaSpec;
import dev.clockwire.nvme.store.MemoryStore;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The medium of an SSD without the SSD: the same times inside, no queues, no TLPs. For runs in which many disks must cost little; named
 * {@code --ssd media}.
 */
public final class MediaDisk extends Disk {
    private static final int TAGS = 256;

    private final Host host;
    private final Media media;
    private final MemoryStore store;
    private final @Nullable Io[] ios = new Io[TAGS];
    private int made;
    private final Deque<Io> free = new ArrayDeque<>();
    private final Deque<Io> waiting = new ArrayDeque<>();
    private final Deque<Io> spare = new ArrayDeque<>();
    private @Nullable Worker worker;
    /** All workers that use it, the first one too. */
    private final List<Worker> users = new ArrayList<>();

    /** One I/O; used again. */
    private static final class Io {
        final Payload data = new Payload();
        int tag;
        boolean write;
        long offset;
        int length;
        long va;
        long token;
        boolean failed;
        boolean ended;

        @Nullable
        DiskDone done;

        @Nullable
        Worker owner;
    }

    /** Creates a disk of zeros in a host that is being built. */
    public MediaDisk(String name, Host host, MediaSpec spec, long bytes, PayloadMode mode) {
        super(name, bytes);
        this.host = host;
        store = new MemoryStore(name, BLOCK, bytes / BLOCK, mode);
        media = new Media(host, name, spec, TAGS, this::ended);
    }

    /** Returns an I/O with a tag, null if all are under way; they are made when they are first needed. */
    private @Nullable Io tagged() {
        Io io = free.poll();
        if (io == null && made < TAGS) {
            io = new Io();
            io.tag = made;
            ios[made++] = io;
        }
        return io;
    }

    @Override
    public void attach(Worker by, Runnable ready) {
        drop();
        worker = by;
        users.clear();
        users.add(by);
        by.post((a, b) -> ready.run(), 0, 0);
    }

    @Override
    public void join(Worker by, Runnable ready) {
        users.add(by);
        first().post((a, b) -> ready.run(), 0, 0);
    }

    @Override
    protected Worker first() {
        Worker by = worker;
        if (by == null) {
            throw new InvariantViolation(name() + " is used before it is attached");
        }
        return by;
    }

    @Override
    protected void submit(Worker by, boolean write, long offset, int length, long va, DiskDone done, long token) {
        by.core().charge(HostCost.POST, 1);
        Io io = tagged();
        boolean now = io != null;
        if (io == null) {
            io = spare.isEmpty() ? new Io() : spare.pop();
            waiting.add(io);
        }
        io.write = write;
        io.offset = offset;
        io.length = length;
        io.va = va;
        io.token = token;
        io.done = done;
        io.owner = by;
        if (now) {
            begin(io);
        }
    }

    private Io of(int tag) {
        return Objects.requireNonNull(ios[tag]);
    }

    private void begin(Io io) {
        io.failed = fails(host.now());
        if (io.write) {
            io.data.clear();
            host.memory().read(io.va, io.length, io.data);
            media.write(io.tag, io.offset, io.length);
        } else {
            media.read(io.tag, io.offset, io.length);
        }
    }

    private void ended(int tag) {
        Io io = of(tag);
        Worker by = io.owner;
        if (by == null) { // the power failed meanwhile
            release(io);
            return;
        }
        long late = latePs(host.now());
        if (io.write && !io.failed) {
            store.write(io.offset / BLOCK, io.length / BLOCK, io.data, 0);
        } else if (late == 0 && users.contains(by)) {
            fetch(io);
        }
        if (users.contains(by)) {
            io.ended = true;
            by.handOver(late == 0 ? this::tell : this::wait, tag, late, host.now());
        } else {
            release(io);
        }
    }

    private void fetch(Io io) {
        if (!io.write && !io.failed) {
            io.data.clear();
            store.read(io.offset / BLOCK, io.length / BLOCK, io.data);
            host.memory().write(io.va, io.data, 0, io.length);
        }
    }

    /** The disk is slow: a timer, so that the worker goes on with everything else. What a slow read brings is what is there at its end. */
    private void wait(long tag, long late) {
        Worker by = of((int) tag).owner;
        if (by != null) {
            by.after(late, this::late, tag, 0);
        }
    }

    private void late(long tag, long unused) {
        Io io = of((int) tag);
        if (io.owner != null) {
            fetch(io);
        }
        tell(tag, 0);
    }

    private void tell(long tag, long unused) {
        Io io = of((int) tag);
        DiskDone done = io.done;
        long token = io.token;
        boolean ok = !io.failed;
        Worker by = io.owner;
        if (by != null) {
            by.core().charge(HostCost.COMPLETION, 1);
        }
        release(io);
        if (done != null) {
            done.done(token, ok);
        }
    }

    private void release(Io io) {
        Io next = waiting.poll();
        io.done = null;
        io.owner = null;
        io.ended = false;
        if (next == null) {
            free.add(io);
            return;
        }
        io.write = next.write;
        io.offset = next.offset;
        io.length = next.length;
        io.va = next.va;
        io.token = next.token;
        io.done = next.done;
        io.owner = next.owner;
        spare.push(next);
        begin(io);
    }

    @Override
    protected void powerLost() {
        waiting.clear();
        for (int i = 0; i < made; i++) {
            of(i).owner = null;
            of(i).done = null;
        }
    }

    /** Whoever asked is gone: what is under way must not come behind what is written from now on. */
    private void drop() {
        powerLost();
        for (int i = 0; i < made; i++) {
            if (of(i).ended) {
                release(of(i)); // nobody was left to be told
            }
        }
    }
}
