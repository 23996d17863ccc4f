package dev.clockwire.nic.offload;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.OffloadNamespace;
import dev.clockwire.nic.context.OffloadQueue;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.doorbell.Doorbell;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.CqeSyndrome;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.profile.OffloadSpec;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.endpoint.MmioWrite;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves NVMe-oF reads, writes and flushes without a core. It stands in front of the completion unit and takes the capsules of queue pairs that are marked; each becomes
 * a command in the submission ring of an SSD, whose doorbell it rings from device to device; the completions come into a window of the NIC; data
 * and response go back as two WQEs of the queue pair. The data of a write are fetched first, by an RDMA READ, or stood in the capsule. What is no capsule, and all that fails, goes on to the completion unit and the host's core.
 *
 * <p>A queue pair with {@link OffloadQueue.Software} is shared with a program: commands that the offload does not execute are written into the
 * program's buffers and their completions passed on. The program gives buffers back and posts WQEs by stores into the window behind that of the
 * SSDs' completions; they go into the send ring between the offload's own.
 *
 * <p>Nobody here checks the key in a capsule: it is the host's, and its NIC does when the data come. What is checked is the command.
 */
public final class NvmeOffload extends SimModule {
    /** Event of {@link #control}: a queue pair, a = slot, is marked no more; what it holds is free. */
    public static final int RELEASE = 1;

    private static final int SYNC = 1;
    private static final int STORES = 1024;
    private static final int WRITES = 1 << 16;
    /** Bytes of the window that completions of SSDs come into; behind it come the stores of software. */
    public static final int COMPLETIONS = 16 << 10;

    private final Channel<Completion> receives;
    private final Channel<Completion> otherReceives;
    private final Inlet<MmioWrite> stores;
    private final EventPort control;
    private final Consumer<MmioWrite> recycle;
    private final DeviceParts parts;
    private final OffloadSpec spec;
    private final OffloadState s;
    private final Capsule capsule = new Capsule();
    private final Payload found = new Payload();
    private final List<OffloadDisk> disks = new ArrayList<>();
    private final OffloadWrites dma;
    private final SendSide sendSide;

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
        this.recycle = recycle;
        this.parts = parts;
        receives = paths.receives.to(this);
        otherReceives = paths.otherReceives.from(this);
        stores = new Inlet<>(this, "stores", STORES, SYNC);
        Inlet<DmaWrite> written = new Inlet<>(this, "written", WRITES, SYNC);
        s = state(new OffloadState(spec.contexts()));
        dma = new OffloadWrites(this, writes, written, parts);
        sendSide = new SendSide(
                paths.doorbells.to(this),
                paths.toScheduler.from(this),
                paths.sends.to(this),
                paths.otherSends.from(this),
                pool,
                parts,
                spec,
                s,
                disks,
                dma);
        control = new EventPort(this, "control") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                release((int) a);
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

    /**
     * Adds an SSD; returns its number. Its completion ring lies behind those of the SSDs before it.
     *
     * @throws ConfigurationException if the window has no room for it
     */
    public int serve(OffloadDisk ssd) {
        if (windowUsed() + ssd.entries() * Capsule.COMPLETION > COMPLETIONS) {
            throw new ConfigurationException("offload: a ring of " + ssd.entries()
                    + " completions: the window has room for " + (COMPLETIONS - windowUsed()) / Capsule.COMPLETION);
        }
        s.disk(disks.size());
        disks.add(ssd);
        return disks.size() - 1;
    }

    /** Returns the bytes of the window that completion rings take. */
    public int windowUsed() {
        int bytes = 0;
        for (int i = 0; i < disks.size(); i++) {
            bytes += disks.get(i).entries() * Capsule.COMPLETION;
        }
        return bytes;
    }

    /** Returns the SSDs. */
    public List<OffloadDisk> disks() {
        return List.copyOf(disks);
    }

    /** Returns the index behind the last block in the send ring of a queue pair that is marked. */
    public int posted(QpContext qp) {
        return s.queue(qp.slot).posted;
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

    /** Returns commands that went to software. */
    public long passed() {
        return s.passed;
    }

    /** Returns responses that the host has acknowledged. */
    public long responses() {
        return s.responses;
    }

    /** Returns queue pairs that were given up, and completions of the SSD that made no sense. */
    public long failures() {
        return s.failures;
    }

    /** What is at an SSD or in a pipe finds out later that its queue pair is gone. */
    private void release(int slot) {
        OffloadState.Queue q = s.queue(slot);
        while (q.responding.size() > 0) {
            int context = q.responding.remove();
            if (s.commands[context].announced) {
                s.free(context);
            }
        }
        for (OffloadState.Command c : s.commands) {
            c.slot = c.slot == slot ? OffloadState.Command.NONE : c.slot;
        }
        q.received = 0;
        q.posted = 0;
        q.acknowledged = 0;
        q.underWay = 0;
        q.buffers = null;
        q.failed = false;
        q.told = false;
        wake();
    }

    @Override
    protected boolean tick(long cycle) {
        boolean did = dma.returned(cycle, s.toRing);
        did |= answered(cycle);
        did |= received(cycle);
        did |= sendSide.sent(cycle);
        for (int i = 0; i < disks.size(); i++) {
            did |= submit(disks.get(i), s.disk(i), cycle);
        }
        did |= sendSide.respond(cycle);
        did |= sendSide.ring(cycle);
        if (!did) {
            for (int i = 0; i < disks.size(); i++) {
                await(s.disk(i).waiting, cycle);
            }
            await(s.toHost, cycle);
        }
        return did;
    }

    private void await(IntQueue queue, long cycle) {
        if (queue.size() > 0 && s.commands[queue.first()].due > cycle) {
            wakeAt(s.commands[queue.first()].due);
        }
    }

    static <T extends Token> boolean pass(Channel<T> from, Channel<T> to, long cycle) {
        if (!from.valid(cycle) || !to.ready(cycle)) {
            return false;
        }
        to.put(cycle, from.take(cycle));
        return true;
    }

    /** Takes a completion that an SSD has written, or a store of software. */
    private boolean answered(long cycle) {
        if (!stores.valid(cycle)) {
            return false;
        }
        if (stores.bits().offset >= COMPLETIONS) {
            return software(cycle);
        }
        MmioWrite w = stores.take(cycle);
        int number = 0;
        long offset = w.offset;
        while (number < disks.size() && offset >= (long) disks.get(number).entries() * Capsule.COMPLETION) {
            offset -= (long) disks.get(number++).entries() * Capsule.COMPLETION;
        }
        if (number == disks.size() || !completes(disks.get(number), s.disk(number), number, w, offset, cycle)) {
            s.failures++;
        }
        recycle.accept(w);
        return true;
    }

    /** Returns whether a completion makes sense. */
    private boolean completes(OffloadDisk ssd, OffloadState.Disk d, int number, MmioWrite w, long offset, long cycle) {
        int context = Capsule.get16(w.data, 12);
        boolean expected = w.length == Capsule.COMPLETION
                && offset == (long) d.cqHead * Capsule.COMPLETION
                && (w.data[14] & 1) == d.phase
                && context < s.commands.length
                && s.commands[context].atDisk
                && s.commands[context].disk == number;
        if (!expected) {
            return false;
        }
        d.sqHead = Capsule.get16(w.data, 8) % ssd.entries();
        d.cqHead = (d.cqHead + 1) % ssd.entries();
        d.phase ^= d.cqHead == 0 ? 1 : 0;
        OffloadState.Command c = s.commands[context];
        c.atDisk = false;
        c.status = Capsule.get16(w.data, 14) >>> 1;
        c.result = Capsule.get64(w.data, 0);
        c.due = cycle + spec.cycles();
        s.toHost.add(context);
        dma.writeInt(ssd.cqDoorbell(), d.cqHead, false);
        return true;
    }

    /** A WQE of software for a queue pair that it shares with the offload, or a buffer that it gives back. */
    private boolean software(long cycle) {
        MmioWrite w = stores.bits();
        boolean posts = w.length == Wqe.BLOCK;
        int qpn = (w.data[4] & 0xFF) << 16 | (w.data[5] & 0xFF) << 8 | (w.data[6] & 0xFF);
        QpContext qp = parts.table().qp(posts ? qpn : Capsule.get32(w.data, 0) & 0xFF_FFFF);
        OffloadQueue marked = qp == null ? null : qp.offload;
        OffloadQueue.Software shared = marked == null ? null : marked.software();
        if (qp == null || shared == null || (!posts && w.length != Long.BYTES)) {
            s.failures++;
        } else if (posts) {
            if (s.freeSoftware.size() == 0) {
                return false;
            }
            int context = s.freeSoftware.remove();
            OffloadState.Command c = s.commands[context];
            c.slot = qp.slot;
            c.due = cycle;
            c.softwareIndex = (w.data[1] & 0xFF) << 8 | (w.data[2] & 0xFF);
            System.arraycopy(w.data, 0, c.entry, 0, Wqe.BLOCK);
            s.toHost.add(context);
        } else {
            OffloadState.Queue q = s.queue(qp.slot);
            IntQueue buffers = q.buffers(shared.slots());
            int buffer = Capsule.get32(w.data, 4);
            if (buffer < 0 || buffer >= shared.slots() || buffers.size() == shared.slots()) {
                s.failures++;
            } else {
                buffers.add(buffer);
                q.underWay--;
            }
        }
        recycle.accept(stores.take(cycle));
        return true;
    }

    private boolean received(long cycle) {
        if (!receives.valid(cycle)) {
            return false;
        }
        Completion done = receives.bits();
        QpContext qp = parts.table().qp(done.qpn);
        OffloadQueue marked = qp == null ? null : qp.offload;
        if (qp == null || marked == null || done.isEnd()) {
            return pass(receives, otherReceives, cycle);
        }
        OffloadState.Queue q = s.queue(qp.slot);
        OffloadQueue.Software shared = marked.software();
        boolean isCapsule = done.opcode == Cqe.RESP_SEND && done.byteCount >= Capsule.BYTES;
        if (q.failed || !isCapsule) {
            return otherReceives.ready(cycle) && noCapsule(q, shared != null, cycle);
        }
        found.clear();
        long at = marked.capsules() + (long) (done.wqeCounter & marked.entries() - 1) * marked.capsuleBytes();
        parts.chipMemory().read(at, Capsule.BYTES, found);
        capsule.of(found);
        OffloadNamespace namespace = marked.namespace(capsule.nsid());
        int most = namespace == null ? 0 : disks.get(namespace.disk()).mostBytes();
        int status = capsule.check(namespace, most, done.byteCount - Capsule.BYTES);
        if (shared != null && (status != Capsule.SUCCESS || s.free.size() == 0 || q.underWay == shared.slots())) {
            return otherReceives.ready(cycle) && toSoftware(qp, q, marked, shared, at, cycle);
        }
        if (s.free.size() == 0) {
            return false;
        }
        receives.take(cycle);
        take(qp, q, marked, namespace, status, at, cycle);
        parts.completions().give(done);
        return true;
    }

    /** Passes the completion of what is no capsule on; a program that shares the queue pair has nothing of it in its buffers. */
    private boolean noCapsule(OffloadState.Queue q, boolean isShared, long cycle) {
        Completion done = receives.take(cycle);
        fail(s, q, done.syndrome != CqeSyndrome.of(WcStatus.WR_FLUSH_ERR));
        if (isShared && done.syndrome == 0) {
            failed(done, done.byteCount < Capsule.BYTES ? WcStatus.LOC_LEN_ERR : WcStatus.REM_INV_REQ_ERR);
        }
        otherReceives.put(cycle, done);
        return true;
    }

    /** Writes a command into a buffer of software and passes its completion on; a host that sends too many loses the queue pair. */
    private boolean toSoftware(
            QpContext qp,
            OffloadState.Queue q,
            OffloadQueue marked,
            OffloadQueue.Software shared,
            long at,
            long cycle) {
        Completion done = receives.take(cycle);
        if (q.underWay == shared.slots()) {
            fail(s, q, true);
            otherReceives.put(cycle, failed(done, WcStatus.LOC_QP_OP_ERR));
            return true;
        }
        int buffer = q.buffers(shared.slots()).remove();
        arrived(qp, q, marked);
        s.passed++;
        Capsule.put16(capsule.bytes, 16, head(q, marked));
        dma.write(shared.commands() + (long) buffer * Capsule.BYTES, capsule.bytes, Capsule.BYTES, 0);
        int behind = Math.min(done.byteCount - Capsule.BYTES, shared.dataBytes());
        if (behind > 0) {
            dma.copy(at + Capsule.BYTES, shared.data() + (long) buffer * shared.dataBytes(), behind);
        }
        done.wqeCounter = buffer;
        otherReceives.put(cycle, done);
        return true;
    }

    /** Gives a queue pair up; always true. What counts is what software is told of, once. */
    static boolean fail(OffloadState s, OffloadState.Queue q, boolean counts) {
        s.failures += q.told || !counts ? 0 : 1;
        q.told |= counts;
        q.failed = true;
        return true;
    }

    /** Makes a completion that of a receive that failed: software has no work request of what went wrong. */
    static Completion failed(Completion done, WcStatus how) {
        done.opcode = Cqe.RESP_ERR;
        done.syndrome = CqeSyndrome.of(how);
        done.wqeCounter = 0;
        done.byteCount = 0;
        return done;
    }

    /** A capsule has come and was read: its receive is posted again. */
    private void arrived(QpContext qp, OffloadState.Queue q, OffloadQueue marked) {
        q.received++;
        q.underWay++;
        dma.writeInt(qp.recordAddress, (int) (marked.entries() + q.received) & 0xFFFF, true);
    }

    private static int head(OffloadState.Queue q, OffloadQueue marked) {
        return marked.queueSize() == 0 ? 0xFFFF : (int) (q.received % marked.queueSize());
    }

    /** Makes a context of the capsule. */
    private void take(
            QpContext qp,
            OffloadState.Queue q,
            OffloadQueue marked,
            @Nullable OffloadNamespace namespace,
            int status,
            long at,
            long cycle) {
        int context = s.free.remove();
        OffloadState.Command c = s.commands[context];
        s.taken++;
        arrived(qp, q, marked);
        c.slot = qp.slot;
        c.cid = capsule.cid();
        c.opcode = capsule.opcode();
        c.address = capsule.address();
        c.key = capsule.key();
        c.sqhd = head(q, marked);
        c.result = 0;
        c.status = status;
        c.due = cycle + spec.cycles();
        c.length = 0;
        c.invalidates = false;
        c.fetches = false;
        if (namespace == null || status != Capsule.SUCCESS) {
            s.refused++;
            s.toHost.add(context);
            return;
        }
        OffloadDisk ssd = disks.get(namespace.disk());
        c.disk = namespace.disk();
        c.stagingKey = namespace.stagingKey();
        c.length = c.opcode == Capsule.FLUSH ? 0 : capsule.blocks() * namespace.blockBytes();
        c.invalidates = c.length > 0 && capsule.wantsInvalidate();
        boolean inside = capsule.isInside();
        c.fetches = c.opcode == Capsule.WRITE && !inside;
        if (inside) {
            dma.copy(at + Capsule.BYTES + c.address, ssd.stagingOf(context), c.length);
        }
        capsule.forDisk(context, ssd, namespace.diskNsid(), c.length);
        System.arraycopy(capsule.bytes, 0, c.entry, 0, Capsule.BYTES);
        (c.fetches ? s.toHost : s.disk(c.disk).waiting).add(context);
    }

    /** Hands the next command to an SSD: the entry first, then the doorbell, which cannot pass it. */
    private boolean submit(OffloadDisk ssd, OffloadState.Disk d, long cycle) {
        int next = (d.sqTail + 1) % ssd.entries();
        if (d.waiting.size() == 0 || s.commands[d.waiting.first()].due > cycle) {
            return false;
        }
        if (s.commands[d.waiting.first()].slot == OffloadState.Command.NONE) {
            s.free(d.waiting.remove());
            return true;
        }
        if (next == d.sqHead) {
            return false;
        }
        OffloadState.Command c = s.commands[d.waiting.remove()];
        c.atDisk = true;
        dma.write(ssd.sq() + (long) d.sqTail * Capsule.BYTES, c.entry, Capsule.BYTES, 0);
        d.sqTail = next;
        dma.writeInt(ssd.sqDoorbell(), d.sqTail, false);
        return true;
    }
}
