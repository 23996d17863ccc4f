package dev.clockwire.nvme.ctrl;

import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.endpoint.PcieEndpoint;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.state.Token;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads and writes of host memory by the controller. All writes go through one port, so they reach memory in the order asked for. */
final class HostAccess {
    /** A read of submission entries; its slot is the queue, its index how many. */
    static final int ENTRIES = 0;
    /** A read of a PRP list or SGL segment. */
    static final int LIST = 1;
    /** A read of data. */
    static final int DATA = 2;

    private static final int KIND_SHIFT = 56;
    private static final int INDEX_SHIFT = 24;
    private static final long INDEX_MASK = 0xFFFF_FFFFL;
    private static final long SLOT_MASK = (1L << INDEX_SHIFT) - 1;
    private static final int LISTS_WINDOW = 16;
    private static final int CID_BITS = 16;
    private static final int LAST_CID = 0xFFFF;

    private final SimNode node;
    private final ControllerMemory memory;
    private final EventPort reads;
    private final EventPort writes;
    private final EventPort replies;
    private final EventPort written;
    private final Pool<DmaRead> readPool = new Pool<>(DmaRead::new);
    private final Pool<DmaWrite> writePool = new Pool<>(DmaWrite::new);
    private final int[] windows;

    /**
     * Creates the paths.
     *
     * @param memory of the controller itself
     * @param answer takes reads that are done, in phase 1; afterwards they are used again
     * @param left is told of writes with a cookie
     */
    HostAccess(
            SimNode node,
            PcieEndpoint endpoint,
            NvmeSpec spec,
            ControllerMemory memory,
            Consumer<DmaRead> answer,
            Left left) {
        this.memory = memory;
        this.node = node;
        reads = endpoint.readPort("nvme");
        writes = endpoint.writePort("nvme");
        windows = new int[] {spec.fetches(), LISTS_WINDOW, spec.dataReads()};
        replies = new EventPort(node, "replies") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (token instanceof DmaRead read) {
                    answer.accept(read);
                    readPool.give(read);
                }
            }
        };
        written = new EventPort(node, "written") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (token instanceof DmaWrite write) {
                    left.left((int) (write.cookie >>> CID_BITS) - 1, (int) write.cookie & LAST_CID, write.leftPs);
                    writePool.give(write);
                }
            }
        };
    }

    /** Returns the time. */
    long now() {
        return node.now();
    }

    /** Whether an address means the controller's own memory. */
    boolean isOwn(long address) {
        return memory.has(address, 1);
    }

    static int kind(long cookie) {
        return (int) (cookie >>> KIND_SHIFT);
    }

    static int index(long cookie) {
        return (int) (cookie >>> INDEX_SHIFT & INDEX_MASK);
    }

    static int slot(long cookie) {
        return (int) (cookie & SLOT_MASK);
    }

    /**
     * Reads memory.
     *
     * @param kind one of this class's kinds; each has its own window
     * @param slot of the command, or the queue
     */
    void read(int kind, int slot, int index, long address, int bytes) {
        DmaRead r = readPool.take();
        r.address = address;
        r.length = bytes;
        r.flow = kind;
        r.window = windows[kind];
        r.cookie = (long) kind << KIND_SHIFT | (long) index << INDEX_SHIFT | slot;
        r.reply = null;
        r.replyPort = replies;
        r.into.clear();
        r.status = CompletionStatus.SC;
        r.error = DmaError.NONE;
        if (!memory.read(r, node.now() + 1)) {
            reads.send(node.now() + 1, 0, 0, 0, r);
        }
    }

    /** Is told when watched data have left. */
    interface Left {
        /** The last bit of data of a command is away. */
        void left(int queue, int cid, long ps);
    }

    /** Returns what marks the last write of a command's data, so that it is told when they have left. */
    static long last(int queue, int cid) {
        return (queue + 1L) << CID_BITS | cid;
    }

    /** Writes part of a payload to memory; {@code cookie} is 0, or of {@link #last}. */
    void write(long address, Payload from, int off, int bytes, long cookie) {
        DmaWrite w = take(address, bytes);
        w.cookie = cookie;
        w.donePort = cookie == 0 ? null : written;
        w.data.appendFrom(from, off, bytes);
        if (!memory.write(w, node.now() + 1)) {
            writes.send(node.now() + 1, 0, 0, 0, w);
        }
    }

    /** Writes bytes to memory. */
    void write(long address, byte[] from, int bytes) {
        DmaWrite w = take(address, bytes);
        w.data.appendBytes(from, 0, bytes);
        writes.send(node.now() + 1, 0, 0, 0, w);
    }

    private DmaWrite take(long address, int bytes) {
        DmaWrite w = writePool.take();
        w.address = address;
        w.length = bytes;
        w.offset = 0;
        w.cookie = 0;
        w.data.clear();
        w.done = null;
        w.donePort = null;
        w.home = writePool;
        return w;
    }
}
