package dev.clockwire.nvme.ctrl;

import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.nvme.media.Media;
import dev.clockwire.nvme.regs.NvmeRegisters;
import dev.clockwire.nvme.store.BlockStore;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fetches commands, lets them go from step to step, and completes them. Everything here happens in handlers of the controller. */
final class Executor implements State {
    /** Entries asked for in one read. */
    private static final int MOST_ENTRIES = 8;
    /** FUSE of the commands of a pair. */
    private static final int FIRST = 1;

    private static final int SECOND = 2;

    final NvmeSpec spec;
    final Queues queues;
    final NvmeRegisters registers;
    final Interrupts interrupts;
    final DataEngine data;
    final Features features;
    final Events events;
    final LogPages logs = new LogPages();
    private final HostAccess host;
    private final Arbiter arbiter;
    private final Media media;
    private final IoCommands io;
    private final AdminCommands admin;
    private final Command[] commands;
    /** Slots that are free, the last one is next. */
    private final int[] free;

    private final CqEntry entry = new CqEntry();
    private int freeCount;
    /** Slots that reads of entries under way will need. */
    private int promised;

    private int fetching;
    /** Shutdowns that wait for the medium. */
    private int flushing;

    private boolean running;
    /** The firmware has failed: nothing is fetched or completed until a reset. */
    private boolean broken;

    private Runnable drained = () -> {};
    private long completions;

    /** Creates it; {@code host} answers to {@link #answered}, media to {@link #mediaDone}. */
    Executor(NvmeSpec spec, NvmeRegisters registers, Parts parts, List<BlockStore> stores) {
        this.spec = spec;
        this.registers = registers;
        host = parts.host();
        interrupts = parts.interrupts();
        media = parts.media();
        queues = new Queues(spec.ioQueues());
        arbiter = new Arbiter(queues);
        features = new Features(spec, queues, arbiter, interrupts);
        data = new DataEngine(host);
        commands = new Command[spec.commands()];
        free = new int[commands.length];
        for (int i = 0; i < commands.length; i++) {
            commands[i] = new Command(i);
            free[i] = commands.length - 1 - i;
        }
        freeCount = free.length;
        events = new Events(commands, slot -> complete(commands[slot], 0));
        io = new IoCommands(data, media, stores, spec);
        admin = new AdminCommands(this);
    }

    /** What was built before. */
    record Parts(HostAccess host, Interrupts interrupts, Media media) {}

    /** The controller works from now on. */
    void start() {
        running = true;
        broken = false;
        queues.cq(0).open(registers.adminCqBase(), registers.adminCqEntries(), 0, true);
        queues.sq(0).open(registers.adminSqBase(), registers.adminSqEntries(), 0, 0);
        arbiter.begin(registers.isWeighted());
        features.reset();
    }

    /** The firmware fails: commands under way are never heard of again. */
    void fail() {
        broken = true;
        registers.fatal();
    }

    /** The controller stops; {@code then} is called when nothing is under way any more. */
    void stop(Runnable then) {
        running = false;
        queues.closeAll();
        events.reset();
        features.reset();
        for (Command c : commands) {
            c.dead |= c.live;
            if (c.live && c.waits == 0) {
                release(c); // it waits for room, or for an event
            }
        }
        drained = then;
        rest();
    }

    private void rest() {
        if (!running && fetching == 0 && flushing == 0 && freeCount == free.length) {
            Runnable then = drained;
            drained = () -> {};
            then.run();
        }
    }

    /** A doorbell was rung. */
    void doorbell(int queue, boolean completion, int value) {
        if (broken) {
            return;
        }
        boolean known = completion ? queues.hasCq(queue) : queues.hasSq(queue);
        if (!running || !known) {
            registers.doorbellError();
            events.happened(0, Events.INVALID_DOORBELL, Events.ERROR_LOG);
            return;
        }
        boolean good =
                completion ? queues.cq(queue).accepts(value) : queues.sq(queue).accepts(value);
        if (!good) {
            registers.doorbellError();
            events.happened(0, Events.INVALID_VALUE, Events.ERROR_LOG);
        } else if (completion) {
            consumed(queues.cq(queue), value);
        } else if (!queues.sq(queue).deleting) {
            SubmissionQueue q = queues.sq(queue);
            if (q.tap != null) {
                q.tap.told(q.tail, value, host.now());
            }
            q.tail = value;
            arbiter.rang(queue);
            fetch();
        }
    }

    private void consumed(CompletionQueue q, int head) {
        q.head = head;
        while (!q.waiting.isEmpty() && !q.isFull()) {
            post(commands[q.waiting.poll()]);
        }
        fetch();
    }

    /** Asks for entries as long as there are some, and slots and reads for them. */
    private void fetch() {
        while (running && !broken && fetching < spec.fetches() && freeCount > promised) {
            int id = arbiter.choose();
            if (id < 0) {
                return;
            }
            SubmissionQueue q = queues.sq(id);
            int n = Math.min(
                    Math.min(q.pending(), MOST_ENTRIES), Math.min(arbiter.allowance(id), freeCount - promised));
            arbiter.took(id, n);
            host.read(HostAccess.ENTRIES, id, n, q.base + (long) q.fetch * SqEntry.BYTES, n * SqEntry.BYTES);
            q.fetch = (q.fetch + n) % q.size;
            fetching++;
            promised += n;
            q.coming += n;
        }
    }

    /** A read of host memory is done. */
    void answered(DmaRead read) {
        int slot = HostAccess.slot(read.cookie);
        switch (HostAccess.kind(read.cookie)) {
            case HostAccess.ENTRIES -> fetched(slot, HostAccess.index(read.cookie), read);
            case HostAccess.LIST -> moved(commands[slot], read, true);
            default -> moved(commands[slot], read, false);
        }
        fetch();
        rest();
    }

    private void fetched(int queue, int count, DmaRead read) {
        fetching--;
        promised -= count;
        if (!running || broken) {
            return;
        }
        if (read.error != DmaError.NONE) {
            registers.fatal();
            return;
        }
        SubmissionQueue q = queues.sq(queue);
        for (int i = 0; i < count && q.live; i++) {
            q.coming--;
            q.head = (q.head + 1) % q.size;
            Command c = commands[free[--freeCount]];
            c.begin(queue);
            c.watched = q.tap != null;
            c.entry.load(read.into.array(), i * SqEntry.BYTES);
            c.conflict = !q.enter(c.entry.cid());
            q.inside++;
            reached(CommandTap.FETCHED, c, host.now());
            if (q.deleting) {
                complete(c, NvmeStatus.ABORTED_SQ_DELETED.code());
            } else {
                begin(c, q);
            }
        }
    }

    private void begin(Command c, SubmissionQueue q) {
        if (c.isAdmin() && !c.conflict) {
            end(c, admin.begin(c));
            return;
        }
        int fuse = c.conflict ? 0 : c.entry.fuse();
        int first = q.fusedFirst;
        q.fusedFirst = -1;
        if (first >= 0 && fuse == SECOND) {
            pair(commands[first], c);
            return;
        }
        if (first >= 0) {
            complete(commands[first], NvmeStatus.ABORTED_FUSED_MISSING.code());
        }
        switch (fuse) {
            case 0 -> end(c, c.conflict ? NvmeStatus.ID_CONFLICT.code() : io.begin(c, registers.pageBytes()));
            case FIRST -> q.fusedFirst = c.slot;
            case SECOND -> complete(c, NvmeStatus.ABORTED_FUSED_MISSING.code());
            default -> complete(c, NvmeStatus.INVALID_FIELD.code());
        }
    }

    private void pair(Command first, Command second) {
        if (!IoCommands.fuses(first, second)) {
            complete(first, NvmeStatus.INVALID_FIELD.code());
            complete(second, NvmeStatus.INVALID_FIELD.code());
            return;
        }
        first.partner = second.slot;
        second.partner = first.slot;
        end(first, io.begin(first, registers.pageBytes()));
        if (second.partner >= 0) {
            end(second, io.begin(second, registers.pageBytes()));
        }
    }

    /** A command of a pair waits for the other one; the last to come decides for both. */
    private void meet(Command c) {
        Command other = commands[c.partner];
        if (other.phase != IoCommands.HELD || other.waits > 0) {
            return;
        }
        Command first = c.entry.fuse() == FIRST ? c : other;
        Command second = first == c ? other : c;
        int status = io.compareFused(first);
        first.partner = -1;
        second.partner = -1;
        complete(first, status);
        if (status == 0) {
            end(second, io.writeFused(second));
        } else {
            complete(second, NvmeStatus.ABORTED_FUSED_FAILED.code());
        }
    }

    /** One of a pair has failed before they met: the other one fails too, as soon as nothing of it is under way. */
    private void part(Command c) {
        Command other = commands[c.partner];
        c.partner = -1;
        other.partner = -1;
        if (other.waits > 0) {
            other.status = NvmeStatus.ABORTED_FUSED_FAILED.code();
        } else {
            complete(other, NvmeStatus.ABORTED_FUSED_FAILED.code());
        }
    }

    /** Tells who watches the command's queue. */
    private void reached(int step, Command c, long ps) {
        CommandTap tap = queues.sq(c.queue).tap;
        if (tap != null) {
            tap.reached(step, c.entry.cid(), ps);
        }
    }

    /** Has a queue's commands watched, by nobody if the tap is null. */
    void watch(int queue, @Nullable CommandTap tap) {
        queues.sq(queue).tap = tap;
    }

    /** The data of a command have left. */
    void left(int queue, int cid, long ps) {
        CommandTap tap = queues.sq(queue).tap;
        if (tap != null) {
            tap.reached(CommandTap.DATA_OUT, cid, ps);
        }
    }

    private void moved(Command c, DmaRead read, boolean list) {
        int bad = list ? data.listed(c, read, registers.pageBytes()) : data.arrived(c, read);
        if (bad != 0) {
            c.status = c.status == 0 ? bad : c.status;
            c.waits -= list ? 1 : 0;
        }
        if (!list && c.waits == 0) {
            reached(CommandTap.DATA_IN, c, host.now());
        }
        proceed(c);
    }

    /** The host wants the medium to have everything. */
    void shutdown() {
        registers.shutdownStatus(1);
        flushing++;
        media.flush(commands.length);
    }

    /** The medium is done with a command. */
    void mediaDone(int slot) {
        if (slot == commands.length) { // a shutdown has flushed
            if (--flushing == 0) {
                registers.shutdownStatus(2);
            }
            rest();
            return;
        }
        commands[slot].waits--;
        reached(CommandTap.MEDIA, commands[slot], host.now());
        proceed(commands[slot]);
        fetch();
        rest();
    }

    private void proceed(Command c) {
        if (c.waits > 0) {
            return;
        }
        if (c.dead) {
            release(c);
        } else if (c.status != 0) {
            complete(c, c.status);
        } else if (c.aborted) {
            complete(c, NvmeStatus.ABORTED.code());
        } else {
            end(c, c.isAdmin() ? admin.located(c) : io.step(c));
        }
    }

    private void end(Command c, int status) {
        if (status == IoCommands.MORE) {
            if (c.phase == IoCommands.HELD && c.partner >= 0 && c.waits == 0) {
                meet(c);
            }
            return;
        }
        if (c.waits > 0) { // refused while a list is on its way
            c.status = status;
            return;
        }
        complete(c, status);
    }

    private void complete(Command c, int status) {
        c.status = status;
        if (c.partner >= 0) {
            part(c);
        }
        SubmissionQueue q = queues.sq(c.queue);
        if (status != 0) {
            logs.failed(c, status);
        } else if (!c.isAdmin()) {
            logs.done(c.entry.opcode(), c.bytes);
        }
        CompletionQueue cq = queues.cq(q.completion);
        if (cq.isFull() || !cq.waiting.isEmpty()) {
            cq.waiting.add(c.slot);
        } else {
            post(c);
        }
    }

    /** Writes the entry; whatever data there are were written before. */
    private void post(Command c) {
        if (broken) {
            release(c);
            queues.sq(c.queue).inside--;
            return;
        }
        SubmissionQueue q = queues.sq(c.queue);
        CompletionQueue cq = queues.cq(q.completion);
        int phase = cq.phase;
        entry.set(c.result, q.head, q.id, c.entry.cid(), c.status, phase);
        host.write(cq.next(), entry.bytes(), CqEntry.BYTES);
        completions++;
        reached(CommandTap.COMPLETED, c, host.now());
        if (cq.interrupts) {
            interrupts.completed(cq.vector);
        }
        if (!c.conflict) {
            q.leave(c.entry.cid());
        }
        release(c);
        q.inside--;
        if (q.isEmpty() && q.deleting) {
            for (Command d : commands) {
                if (d.live && d.isAdmin() && d.entry.opcode() == Opcodes.DELETE_SQ && d.phase == q.id) {
                    complete(d, admin.deleted(d));
                }
            }
        }
    }

    private void release(Command c) {
        c.live = false;
        free[freeCount++] = c.slot;
    }

    /** Ends what can be ended of a queue's commands early. */
    void abortAll(int queue) {
        int held = queues.sq(queue).fusedFirst;
        queues.sq(queue).fusedFirst = -1;
        if (held >= 0) {
            complete(commands[held], NvmeStatus.ABORTED_SQ_DELETED.code());
        }
        for (Command c : commands) {
            if (c.live && c.queue == queue && c.status == 0) {
                c.status = NvmeStatus.ABORTED_SQ_DELETED.code();
            }
        }
    }

    /** Ends a command early; returns whether there was one that could be. */
    boolean abort(int queue, int cid) {
        for (Command c : commands) {
            if (c.live && c.queue == queue && c.entry.cid() == cid && !c.dead) {
                if (events.forget(c.slot)) {
                    complete(c, NvmeStatus.ABORTED.code());
                    return true;
                }
                if (c.waits > 0 && !c.isAdmin()) {
                    c.aborted = true;
                    return true;
                }
            }
        }
        return false;
    }

    /** Makes blocks of the medium bad, in one of the ways of {@link BadBlocks}. */
    void spoil(int nsid, long slba, long blocks, int kind, long times) {
        io.badBlocks.add(nsid, slba, blocks, kind, times);
    }

    /** Whether the medium can be used from now on; commands that need it are refused if not. */
    void mediaReady(boolean is) {
        io.mediaReady = is;
    }

    /** Returns how many commands of an opcode the admin queue has under way. */
    int admins(int opcode) {
        int n = 0;
        for (Command c : commands) {
            n += c.live && !c.dead && c.isAdmin() && c.entry.opcode() == opcode ? 1 : 0;
        }
        return n;
    }

    /** Whether an address means the controller's own memory. */
    boolean isOwn(long address) {
        return host.isOwn(address);
    }

    /** Returns how many commands are under way. */
    int active() {
        return commands.length - freeCount;
    }

    /** Returns the completions written. */
    long completions() {
        return completions;
    }

    @Override
    public void save(Snapshot out) {
        queues.save(out);
        features.save(out);
        events.save(out);
        logs.save(out);
        arbiter.save(out);
        for (Command c : commands) {
            c.save(out);
        }
        out.putInt(freeCount);
        for (int i = 0; i < freeCount; i++) {
            out.putInt(free[i]);
        }
        io.badBlocks.save(out);
        out.putBoolean(io.mediaReady);
        out.putInt(promised);
        out.putInt(fetching);
        out.putInt(flushing);
        out.putBoolean(running);
        out.putBoolean(broken);
        out.putLong(completions);
    }

    @Override
    public void load(Snapshot in) {
        queues.load(in);
        features.load(in);
        events.load(in);
        logs.load(in);
        arbiter.load(in);
        for (Command c : commands) {
            c.load(in);
            if (c.live && !c.dead && !c.conflict) {
                queues.sq(c.queue).enter(c.entry.cid());
            }
        }
        freeCount = in.getInt();
        Arrays.fill(free, 0);
        for (int i = 0; i < freeCount; i++) {
            free[i] = in.getInt();
        }
        io.badBlocks.load(in);
        io.mediaReady = in.getBoolean();
        promised = in.getInt();
        fetching = in.getInt();
        flushing = in.getInt();
        running = in.getBoolean();
        broken = in.getBoolean();
        completions = in.getLong();
    }
}
