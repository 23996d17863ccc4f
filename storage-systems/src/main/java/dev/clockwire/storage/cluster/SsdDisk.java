package dev.clockwire.storage.cluster;

import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.driver.NvmeDriver;
import dev.clockwire.nvme.driver.NvmeQueuePair;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.store.BlockStore;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.pcie.host.InterruptVector;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An NVMe SSD on the host's root complex, driven by the worker from user space; interrupts wake a worker that sleeps. Transfers are cut to what the SSD takes. */
public final class SsdDisk extends Disk {
    private static final int VECTOR = 1;
    private static final int ENTRIES = 256;
    private static final int PAGE = 4096;
    private static final int NSID = 1;
    private static final int POLL = 32;

    private final Host host;
    private final NvmeController ssd;
    private final InterruptVector vector;
    private final int most;
    private final Deque<Io> spare = new ArrayDeque<>();
    private final List<Lane> lanes = new ArrayList<>();
    private int users = 1;
    private @Nullable Worker worker;
    private @Nullable NvmeDriver driver;

    /** A worker's queue pair. */
    private static final class Lane {
        final Worker worker;
        final Deque<Io> waiting = new ArrayDeque<>();
        final Io[] byTag = new Io[ENTRIES];
        final int[] freeTags = new int[ENTRIES];
        int free;

        @Nullable
        NvmeQueuePair queue;

        @Nullable
        QueueSource source;

        Lane(Worker worker) {
            this.worker = worker;
        }

        void open(int entries) {
            free = 0;
            for (int tag = entries - 2; tag >= 0; tag--) {
                freeTags[free++] = tag;
            }
        }
    }

    /** One I/O, in pieces; used again. */
    private static final class Io {
        boolean write;
        long offset;
        int length;
        int begun;
        int open;
        long va;
        long token;
        boolean failed;

        @Nullable
        DiskDone done;
    }

    /**
     * Adds an SSD to a host that is being built.
     *
     * @param busDevice PCI identifier of its function
     */
    public SsdDisk(Sim sim, String name, Host host, NvmeSpec spec, int busDevice, BlockStore store) {
        super(name, store.blocks() * store.blockBytes());
        this.host = host;
        if (store.blockBytes() != BLOCK) {
            throw new ConfigurationException(name + ": blocks of " + store.blockBytes() + " B: must be " + BLOCK);
        }
        ssd = new NvmeController(sim.root(), name, spec, busDevice, List.of(store));
        host.attach(ssd.endpoint(), 0);
        vector = host.addVector(name, this::interrupted);
        most = (spec.transferPages() == 0 ? 256 : spec.transferPages()) * PAGE;
    }

    /** Returns the SSD. */
    public NvmeController ssd() {
        return ssd;
    }

    private void interrupted() {
        for (int i = 0; i < lanes.size(); i++) {
            QueueSource s = lanes.get(i).source;
            if (s != null) {
                lanes.get(i).worker.ready(s);
            }
        }
    }

    @Override
    public void lanes(int most) {
        users = most;
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
    public void join(Worker by, Runnable ready) {
        NvmeDriver d = driver;
        if (d == null) {
            throw new InvariantViolation(name() + " is joined before it is attached");
        }
        Lane lane = new Lane(by);
        lanes.add(lane);
        first().post((a, b) -> step(lane, d, ready), 0, 0);
    }

    @Override
    public void attach(Worker by, Runnable ready) {
        worker = by;
        lanes.clear();
        Lane lane = new Lane(by);
        lanes.add(lane);
        NvmeDriver d = new NvmeDriver(by.core(), ssd.endpoint().barAddress(0), users);
        driver = d;
        if (!by.spec().polls()) {
            long message = host.memory()
                    .allocate(name() + ".msi", 64, Allocation.Kind.REAL, 64)
                    .address();
            vector.at(message);
            ssd.vectors().program(VECTOR, message, VECTOR);
            var config = ssd.endpoint().config();
            if (config == null) {
                throw new InvariantViolation(name() + " has no configuration space");
            }
            config.setVectors(true, false);
            d.interruptBy(VECTOR);
        }
        by.post((a, b) -> step(lane, d, ready), 0, 0);
    }

    /** Goes on with attaching, again and again: registers are loads, for which the core waits. */
    private void step(Lane lane, NvmeDriver d, Runnable ready) {
        if (d != driver) {
            return;
        }
        d.poll();
        if (d.stage() == NvmeDriver.Stage.FAILED) {
            throw new ConfigurationException(name(), first().now(), "cannot be attached: " + d.failure());
        }
        if (d.stage() == NvmeDriver.Stage.READY && lane.queue == null) {
            int entries = Math.min(ENTRIES, d.maxEntries());
            lane.queue = d.createQueuePair(
                    lane.worker.core(),
                    entries,
                    true,
                    (tag, status, result) -> ended(lane, tag, status),
                    status -> made(lane, d, status, ready));
            lane.open(entries);
        }
        if (lane.source == null) {
            first().post((a, b) -> step(lane, d, ready), 0, 0);
        }
    }

    private void made(Lane lane, NvmeDriver d, int status, Runnable ready) {
        NvmeQueuePair q = lane.queue;
        if (d != driver || q == null) {
            return;
        }
        if (status != 0) {
            throw new ConfigurationException(name(), first().now(), "no queue pair: status " + status);
        }
        QueueSource s = new QueueSource(q);
        lane.source = s;
        lane.worker.add(s);
        ready.run();
    }

    /** The queue pair, polled by the worker or announced by its interrupt. */
    private static final class QueueSource extends Source {
        private final NvmeQueuePair queue;

        QueueSource(NvmeQueuePair queue) {
            this.queue = queue;
        }

        @Override
        public int poll() {
            int n = queue.poll(POLL);
            queue.ring();
            return n;
        }

        @Override
        public long watchAddress() {
            return queue.next();
        }

        @Override
        public void arm() {
            // the vector is never masked
        }

        @Override
        public boolean isReady() {
            return queue.isNext();
        }
    }

    @Override
    protected void submit(Worker by, boolean write, long offset, int length, long va, DiskDone done, long token) {
        Lane lane = lane(by);
        Io io = spare.isEmpty() ? new Io() : spare.pop();
        io.write = write;
        io.offset = offset;
        io.length = length;
        io.begun = 0;
        io.open = 0;
        io.va = va;
        io.token = token;
        io.failed = fails(by.now());
        io.done = done;
        lane.waiting.add(io);
        push(lane);
    }

    private Lane lane(Worker by) {
        for (int i = 0; i < lanes.size(); i++) {
            if (lanes.get(i).worker == by) {
                return lanes.get(i);
            }
        }
        throw new InvariantViolation(name() + " is used by a worker that has not joined");
    }

    /** Submits pieces of what waits as long as there are tags. */
    private void push(Lane lane) {
        NvmeQueuePair q = lane.queue;
        if (q == null || lane.source == null) {
            throw new InvariantViolation(name() + " is used before it is attached");
        }
        while (lane.free > 0 && !lane.waiting.isEmpty()) {
            Io io = lane.waiting.peek();
            int n = Math.min(most, io.length - io.begun);
            int tag = lane.freeTags[--lane.free];
            lane.byTag[tag] = io;
            long at = io.offset + io.begun;
            int opcode = io.write ? Opcodes.WRITE : Opcodes.READ;
            if (!q.transfer(opcode, NSID, at / BLOCK, n / BLOCK, io.va + io.begun, n, tag)) {
                lane.freeTags[lane.free++] = tag;
                break;
            }
            io.begun += n;
            io.open++;
            if (io.begun == io.length) {
                lane.waiting.remove();
            }
        }
        q.ring();
    }

    private void ended(Lane lane, int tag, int status) {
        Io io = lane.byTag[tag];
        lane.freeTags[lane.free++] = tag;
        io.failed |= status != 0;
        io.open--;
        if (io.open == 0 && io.begun == io.length) {
            Worker by = lane.worker;
            long late = latePs(by.now());
            if (late > 0) {
                by.after(late, (a, b) -> tell(io), 0, 0);
            } else {
                tell(io);
            }
        }
        if (!lane.waiting.isEmpty()) {
            push(lane);
        }
    }

    private void tell(Io io) {
        DiskDone done = io.done;
        long token = io.token;
        boolean ok = !io.failed;
        io.done = null;
        spare.push(io);
        if (done != null) {
            done.done(token, ok);
        }
    }

    @Override
    protected void powerLost() {
        driver = null;
        lanes.clear();
    }
}
