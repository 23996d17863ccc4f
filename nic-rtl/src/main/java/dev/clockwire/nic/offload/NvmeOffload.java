package dev.clockwire.nic.offload;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.OffloadQueue;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.doorbell.Doorbell;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.profile.OffloadSpec;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.endpoint.MmioWrite;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.state.Token;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves NVMe-oF reads, writes and flushes without a core. It stands in front of the completion unit and takes the capsules of queue pairs that are marked; each becomes
 * a command in the submission ring of an SSD, whose doorbell it rings from device to device; the completions come into a window of the NIC; data
 * and response go back as two WQEs of the queue pair. The data of a write are fetched first, by an RDMA READ. What is no capsule, and all that fails, goes on to the completion unit and the host's core.
 *
 * <p>Nobody here checks the key in a capsule: it is the host's, and its NIC does when the data come. What is checked is the command.
 */
public final class NvmeOffload extends SimModule {
    /** Event of {@link #control}: a queue pair, a = slot, is marked no more; what it holds is free. */
    public static final int RELEASE = 1;

    private static final int SYNC = 1;
    private static final int STORES = 1024;
    private static final int WRITES = 1 << 16;

    private final Channel<Doorbell> doorbells;
    private final Channel<Doorbell> toScheduler;
    private final Channel<Completion> sends;
    private final Channel<Completion> otherSends;
    private final Channel<Completion> receives;
    private final Channel<Completion> otherReceives;
    private final Inlet<MmioWrite> stores;
    private final Inlet<DmaWrite> written;
    private final EventPort writes;
    private final EventPort control;
    private final Pool<Doorbell> pool;
    private final Consumer<MmioWrite> recycle;
    private final DeviceParts parts;
    private final OffloadSpec spec;
    private final OffloadState s;
    private final Capsule capsule = new Capsule();
    private final Payload found = new Payload();
    private final ResponseWqes responses = new ResponseWqes();
    private final byte[] word = new byte[Integer.BYTES];
    private @Nullable OffloadDisk disk;

    /** What the block is joined to: doorbells and completions of both sides, as they come and as they go on. */
    public record Paths(
            Channel<Doorbell> doorbells,
            Channel<Doorbell> toScheduler,
            Channel<Completion> sends,
            Channel<Completion> otherSends,
            Channel<Completion> receives,
            Channel<Completion> otherReceives) {}

    /**
     * Creates the block.
     *
     * @param writes the endpoint's port for what it writes
     * @param pool where doorbells come from; the scheduler gives them back
     * @param recycle takes stores that are done
     */
    public NvmeOffload(
            Scope parent,
            Clock clock,
            OffloadSpec spec,
            Paths paths,
            EventPort writes,
            Pool<Doorbell> pool,
            Consumer<MmioWrite> recycle,
            DeviceParts parts) {
        super(parent, "offload", clock);
        this.spec = spec;
        this.writes = writes;
        this.pool = pool;
        this.recycle = recycle;
        this.parts = parts;
        doorbells = paths.doorbells.to(this);
        toScheduler = paths.toScheduler.from(this);
        sends = paths.sends.to(this);
        otherSends = paths.otherSends.from(this);
        receives = paths.receives.to(this);
        otherReceives = paths.otherReceives.from(this);
        stores = new Inlet<>(this, "stores", STORES, SYNC);
        written = new Inlet<>(this, "written", WRITES, SYNC);
        s = state(new OffloadState(spec.contexts()));
        control = new EventPort(this, "control") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                release(s.queue((int) a));
            }
        };
    }

    /** Returns the inlet for what the SSD writes into the window: completions. */
    public Inlet<MmioWrite> stores() {
        return stores;
    }

    /** Returns the port for {@link #RELEASE}. */
    public EventPort control() {
        return control;
    }

    /** Sets the SSD; before the first queue pair is marked. */
    public void serve(OffloadDisk ssd) {
        disk = ssd;
    }

    /** Returns the commands that it can keep at a time. */
    public int contexts() {
        return spec.contexts();
    }

    /** Returns capsules that were taken. */
    public long taken() {
        return s.taken;
    }

    /** Returns those of them that were answered with an error without asking the SSD. */
    public long refused() {
        return s.refused;
    }

    /** Returns responses that the host has acknowledged. */
    public long responses() {
        return s.responses;
    }

    /** Returns queue pairs that were given up, and completions of the SSD that made no sense. */
    public long failures() {
        return s.failures;
    }

    private void release(OffloadState.Queue q) {
        while (q.responding.size() > 0) {
            s.free.add(q.responding.remove());
        }
        q.received = 0;
        q.posted = 0;
        q.acknowledged = 0;
        q.failed = false;
        wake();
    }

    @Override
    protected boolean tick(long cycle) {
        boolean did = false;
        while (written.valid(cycle)) {
            DmaWrite w = written.take(cycle);
            if (w.cookie > 0) {
                s.toRing.add((int) w.cookie - 1);
            }
            parts.writes().give(w);
            did = true;
        }
        did |= answered(cycle);
        did |= received(cycle);
        did |= sent(cycle);
        OffloadDisk ssd = disk;
        if (ssd != null) {
            did |= submit(ssd, cycle);
            did |= respond(ssd, cycle);
            did |= ring(ssd, cycle);
        } else {
            did |= pass(doorbells, toScheduler, cycle);
        }
        if (!did) {
            await(s.toDisk, cycle);
            await(s.toHost, cycle);
        }
        return did;
    }

    private void await(IntQueue queue, long cycle) {
        if (queue.size() > 0 && s.commands[queue.first()].due > cycle) {
            wakeAt(s.commands[queue.first()].due);
        }
    }

    private static <T extends Token> boolean pass(Channel<T> from, Channel<T> to, long cycle) {
        if (!from.valid(cycle) || !to.ready(cycle)) {
            return false;
        }
        to.put(cycle, from.take(cycle));
        return true;
    }

    /** Takes a completion that the SSD has written. */
    private boolean answered(long cycle) {
        if (!stores.valid(cycle)) {
            return false;
        }
        MmioWrite w = stores.take(cycle);
        OffloadDisk ssd = disk;
        int context = Capsule.get16(w.data, 12);
        boolean expected = ssd != null
                && w.length == Capsule.COMPLETION
                && w.offset == (long) s.cqHead * Capsule.COMPLETION
                && (w.data[14] & 1) == s.phase
                && context < s.commands.length
                && s.commands[context].atDisk;
        if (!expected || ssd == null) {
            s.failures++;
            recycle.accept(w);
            return true;
        }
        s.sqHead = Capsule.get16(w.data, 8);
        s.cqHead = (s.cqHead + 1) % ssd.entries();
        s.phase ^= s.cqHead == 0 ? 1 : 0;
        OffloadState.Command c = s.commands[context];
        c.atDisk = false;
        c.status = Capsule.get16(w.data, 14) >>> 1;
        c.result = Capsule.get64(w.data, 0);
        c.due = cycle + spec.cycles();
        recycle.accept(w);
        s.toHost.add(context);
        writeInt(ssd.cqDoorbell(), s.cqHead, false);
        return true;
    }

    private boolean received(long cycle) {
        if (!receives.valid(cycle)) {
            return false;
        }
        Completion done = receives.bits();
        QpContext qp = parts.table().qp(done.qpn);
        OffloadQueue marked = qp == null ? null : qp.offload;
        OffloadDisk ssd = disk;
        if (qp == null || marked == null || ssd == null) {
            return pass(receives, otherReceives, cycle);
        }
        OffloadState.Queue q = s.queue(qp.slot);
        if (q.failed || done.opcode != Cqe.RESP_SEND || done.byteCount < Capsule.BYTES) {
            return otherReceives.ready(cycle) && fail(q) && pass(receives, otherReceives, cycle);
        }
        if (s.free.size() == 0) {
            return false;
        }
        receives.take(cycle);
        found.clear();
        int buffer = done.wqeCounter & marked.entries() - 1;
        parts.chipMemory().read(marked.capsules() + (long) buffer * marked.capsuleBytes(), Capsule.BYTES, found);
        take(capsule.of(found), qp, q, marked, ssd, cycle);
        parts.completions().give(done);
        return true;
    }

    private boolean fail(OffloadState.Queue q) {
        s.failures += q.failed ? 0 : 1;
        q.failed = true;
        return true;
    }

    /** Makes a context of a capsule; its buffer is posted again at once. */
    private void take(
            Capsule in, QpContext qp, OffloadState.Queue q, OffloadQueue marked, OffloadDisk ssd, long cycle) {
        int context = s.free.remove();
        OffloadState.Command c = s.commands[context];
        s.taken++;
        q.received++;
        writeInt(qp.recordAddress, (int) (marked.entries() + q.received) & 0xFFFF, true);
        c.slot = qp.slot;
        c.cid = in.cid();
        c.opcode = in.opcode();
        c.address = in.address();
        c.key = in.key();
        c.sqhd = (int) (q.received % marked.queueSize());
        c.result = 0;
        c.status = in.check(ssd);
        c.due = cycle + spec.cycles();
        boolean moves = c.status == Capsule.SUCCESS && c.opcode != Capsule.FLUSH;
        c.length = moves ? in.blocks() * ssd.blockBytes() : 0;
        c.invalidates = moves && in.wantsInvalidate();
        c.fetches = moves && c.opcode == Capsule.WRITE;
        if (c.status != Capsule.SUCCESS) {
            s.refused++;
            s.toHost.add(context);
            return;
        }
        in.forDisk(context, ssd, c.length);
        System.arraycopy(in.bytes, 0, c.entry, 0, Capsule.BYTES);
        (c.fetches ? s.toHost : s.toDisk).add(context);
    }

    private boolean sent(long cycle) {
        if (!sends.valid(cycle)) {
            return false;
        }
        QpContext qp = parts.table().qp(sends.bits().qpn);
        if (qp == null || qp.offload == null) {
            return pass(sends, otherSends, cycle);
        }
        OffloadState.Queue q = s.queue(qp.slot);
        if (q.failed || sends.bits().opcode != Cqe.REQ || q.responding.size() == 0) {
            return otherSends.ready(cycle) && fail(q) && pass(sends, otherSends, cycle);
        }
        parts.completions().give(sends.take(cycle));
        int context = q.responding.remove();
        OffloadState.Command c = s.commands[context];
        q.acknowledged = c.index + blocks(c) & 0xFFFF;
        if (c.fetches) {
            c.fetches = false;
            c.due = cycle + spec.cycles();
            s.toDisk.add(context);
        } else {
            s.responses++;
            s.free.add(context);
        }
        return true;
    }

    /** Hands the next command to the SSD: the entry first, then the doorbell, which cannot pass it. */
    private boolean submit(OffloadDisk ssd, long cycle) {
        int next = (s.sqTail + 1) % ssd.entries();
        if (s.toDisk.size() == 0 || s.commands[s.toDisk.first()].due > cycle || next == s.sqHead) {
            return false;
        }
        OffloadState.Command c = s.commands[s.toDisk.remove()];
        c.atDisk = true;
        write(ssd.sq() + (long) s.sqTail * Capsule.BYTES, c.entry, Capsule.BYTES, 0);
        s.sqTail = next;
        writeInt(ssd.sqDoorbell(), s.sqTail, false);
        return true;
    }

    private static int blocks(OffloadState.Command c) {
        return brings(c) ? 2 : 1;
    }

    /** Whether data go with the response. */
    private static boolean brings(OffloadState.Command c) {
        return c.opcode == Capsule.READ && c.length > 0 && c.status == Capsule.SUCCESS;
    }

    private byte[] block(OffloadState.Command c, int number, int qpn, OffloadDisk ssd, int context) {
        return c.fetches
                ? responses.fetch(c, qpn, ssd, context)
                : responses.block(c, brings(c) && number == 0, number, qpn, ssd, context);
    }

    /** Writes the WQEs of the next response, or the one that fetches a write's data, into the send ring. */
    private boolean respond(OffloadDisk ssd, long cycle) {
        if (s.toHost.size() == 0 || s.commands[s.toHost.first()].due > cycle) {
            return false;
        }
        OffloadState.Command c = s.commands[s.toHost.first()];
        QpContext qp = parts.table().at(c.slot);
        OffloadState.Queue q = s.queue(c.slot);
        if (q.failed || qp.offload == null) {
            s.free.add(s.toHost.remove());
            return true;
        }
        int ring = 1 << qp.logSqBlocks;
        if ((q.posted - q.acknowledged & 0xFFFF) + blocks(c) > ring) {
            return false;
        }
        int context = s.toHost.remove();
        c.index = q.posted;
        for (int i = 0; i < blocks(c); i++) {
            int at = c.index + i & ring - 1;
            boolean last = i + 1 == blocks(c);
            write(
                    qp.sqBase + (long) at * Wqe.BLOCK,
                    block(c, i, qp.qpn, ssd, context),
                    Wqe.BLOCK,
                    last ? context + 1 : 0);
        }
        q.posted = q.posted + blocks(c) & 0xFFFF;
        q.responding.add(context);
        return true;
    }

    /** Passes doorbells of the host on and, in turns with them, announces WQEs of responses. */
    private boolean ring(OffloadDisk ssd, long cycle) {
        if (s.toRing.size() == 0 || (s.rangLast && doorbells.valid(cycle))) {
            boolean passed = pass(doorbells, toScheduler, cycle);
            s.rangLast &= !passed;
            return passed;
        }
        if (!toScheduler.ready(cycle)) {
            return false;
        }
        int context = s.toRing.first();
        OffloadState.Command c = s.commands[context];
        QpContext qp = parts.table().at(c.slot);
        Doorbell d = pool.take();
        d.qpn = qp.qpn;
        d.producer = c.index + s.half + 1 & 0xFFFF;
        Wqe wqe = parts.wqes().take();
        wqe.unread = false;
        wqe.opaque = false;
        System.arraycopy(block(c, s.half, qp.qpn, ssd, context), 0, wqe.raw, 0, Wqe.BLOCK);
        wqe.parse(false);
        wqe.qpn = qp.qpn;
        wqe.journey = 0;
        d.wqe = wqe;
        toScheduler.put(cycle, d);
        s.half++;
        if (s.half == blocks(c)) {
            s.half = 0;
            s.toRing.remove();
        }
        s.rangLast = true;
        return true;
    }

    private void writeInt(long address, int value, boolean bigEndian) {
        for (int i = 0; i < Integer.BYTES; i++) {
            word[i] = (byte) (value >>> (8 * (bigEndian ? Integer.BYTES - 1 - i : i)));
        }
        write(address, word, Integer.BYTES, 0);
    }

    private void write(long address, byte[] bytes, int length, int cookie) {
        DmaWrite w = parts.writes().take();
        w.relaxed = false;
        w.address = address;
        w.length = length;
        w.offset = 0;
        w.key = 0;
        w.part = 0;
        w.cookie = cookie;
        w.data.clear();
        w.data.appendBytes(bytes, 0, length);
        w.journey = 0;
        w.stage = 0;
        w.done = written;
        writes.send(now() + 1, 0, 0, 0, w);
    }
}
