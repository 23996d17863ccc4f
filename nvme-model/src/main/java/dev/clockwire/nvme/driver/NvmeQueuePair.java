package dev.clockwire.nvme.driver;

import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import org.jspecify.annotations.Nullable;

/**
 * A submission and a completion queue with their doorbells. Commands have tags, each with room for a PRP list; their identifiers are tag and
 * generation ({@link #cid}). One core uses it.
 *
 * <p>A completion is believed if its queue, its identifier and its place in the submission ring can be; one that is not ends nothing, and the command
 * that it was about is for a timeout, as in Linux. What no host can tell: a status or a result of the entry that was there a lap ago in front of an
 * identifier that is right, and an old identifier whose tag has meanwhile been used as often as there are generations (13 in rings of powers of two up
 * to 4096), or a multiple of that.
 */
public final class NvmeQueuePair implements State {
    /** Entries of a PRP list: one page less what else a tracker holds. */
    public static final int MOST_ENTRIES = 503;

    private static final int PAGE = 4096;
    private static final int SLOT = 8;
    private static final int DOORBELL = 4;

    private final Cpu cpu;
    private final QueuePlace place;
    /** Whether the submission ring is in the controller. */
    private final boolean stores;

    private final boolean delayed;
    private final NvmeDone done;
    private final CommandIds ids;
    private final SqEntry entry = new SqEntry();
    private final byte[] bytes = new byte[SqEntry.BYTES];
    private final CqEntry completion = new CqEntry();
    private int tail;
    private int rung;
    /** Where the controller reads next, as completions tell. */
    private int head;

    private int cqHead;
    private int cqTold;
    private int phase = 1;
    private int outstanding;
    private long submitted;
    private long completed;
    private long sqDoorbells;
    private long cqDoorbells;
    private long unknown;
    private long stale;
    private @Nullable RingTap tap;

    /** Observes the submission ring. */
    public interface RingTap {
        /** A command was written into a slot. */
        void placed(int slot, int tag);

        /** The doorbell for entries up to a slot leaves the core. */
        void rung(int from, int to, long ps);
    }

    /**
     * Where a queue pair lies.
     *
     * @param id its number, 0 for the admin queues
     * @param entries of each ring
     * @param sq address of the submission ring; where there is no memory of the host it is stored to as one of the controller's
     * @param cq address of the completion ring, all zeros
     * @param lists address of a page for each tag, 0 = no lists
     * @param sqDoorbell bus address
     * @param cqDoorbell bus address
     */
    public record QueuePlace(int id, int entries, long sq, long cq, long lists, long sqDoorbell, long cqDoorbell) {}

    /**
     * Takes a queue pair over that the controller knows.
     *
     * @param delayed the submission doorbell rings once at the end of {@link #poll}, or by {@link #ring}
     */
    public NvmeQueuePair(Cpu cpu, QueuePlace place, boolean delayed, NvmeDone done) {
        this.cpu = cpu;
        this.place = place;
        this.delayed = delayed;
        this.done = done;
        ids = new CommandIds(place.entries());
        stores = cpu.memory().at(place.sq(), SqEntry.BYTES) == null;
    }

    /** Has the submission ring observed; null ends that. */
    public void observe(@Nullable RingTap by) {
        tap = by;
    }

    /** Returns where it lies. */
    public QueuePlace place() {
        return place;
    }

    /** Returns how many commands may be submitted now. */
    public int free() {
        return place.entries() - 1 - (tail - head + place.entries()) % place.entries();
    }

    /** Returns the commands that have not ended. */
    public int outstanding() {
        return outstanding;
    }

    /**
     * Submits a command as it is, but for its identifier.
     *
     * @param tag not in use, 0 to one less than the entries
     * @return false if the ring is full
     */
    public boolean submit(SqEntry command, int tag) {
        if (free() == 0) {
            return false;
        }
        if (!ids.isFree(tag)) {
            throw new ConfigurationException(
                    cpu.name(),
                    cpu.now(),
                    "tag " + tag + " of queue " + place.id() + ": must be free and in 0.." + (place.entries() - 1));
        }
        cpu.charge(HostCost.POST, 1);
        command.store(bytes, 0);
        LittleEndian.put16(bytes, 2, ids.take(tag));
        long at = place.sq() + (long) tail * SqEntry.BYTES;
        if (stores) {
            cpu.mmioWrite(at, bytes, 0, SqEntry.BYTES);
        } else {
            cpu.memory().putBytes(at, bytes, 0, SqEntry.BYTES);
        }
        if (tap != null) {
            tap.placed(tail, tag);
        }
        tail = (tail + 1) % place.entries();
        outstanding++;
        submitted++;
        if (!delayed) {
            ring();
        }
        return true;
    }

    /**
     * Submits a read, write or compare.
     *
     * @param opcode of {@link Opcodes}
     * @param va address of the data, a multiple of 4
     * @param bytes that the blocks have together
     * @return false if the ring is full
     */
    public boolean transfer(int opcode, int nsid, long slba, int blocks, long va, int bytes, int tag) {
        if (free() == 0) {
            return false;
        }
        entry.clear().command(opcode, tag, nsid).blocks(slba, blocks);
        point(entry, va, bytes, tag);
        return submit(entry, tag);
    }

    /** Submits a flush of a namespace; returns false if the ring is full. */
    public boolean flush(int nsid, int tag) {
        return submit(entry.clear().command(Opcodes.FLUSH, tag, nsid), tag);
    }

    /** Sets PRP 1 and 2, and writes the tag's list if they do not suffice. */
    public void point(SqEntry command, long va, int bytes, int tag) {
        long first = Math.min(bytes, PAGE - (va & PAGE - 1));
        long rest = bytes - first;
        long next = va + first;
        if (rest <= PAGE) {
            command.prp(va, rest <= 0 ? 0 : next);
            return;
        }
        int entries = (int) ((rest + PAGE - 1) / PAGE);
        if (entries > MOST_ENTRIES || place.lists() == 0) {
            throw new ConfigurationException(
                    cpu.name(),
                    cpu.now(),
                    bytes + " B need a PRP list of " + entries + " entries: there are "
                            + (place.lists() == 0 ? 0 : MOST_ENTRIES));
        }
        long list = place.lists() + (long) tag * PAGE;
        for (int i = 0; i < entries; i++) {
            cpu.memory().putLong(list + (long) i * SLOT, next + (long) i * PAGE);
        }
        command.prp(va, list);
    }

    /** Whether there are commands that the doorbell has not told of: the next {@link #poll} costs a store even if it finds nothing. */
    public boolean isBehind() {
        return rung != tail;
    }

    /** Rings the submission doorbell if there is something new. */
    public void ring() {
        if (rung != tail) {
            int from = rung;
            rung = tail;
            sqDoorbells++;
            cpu.mmioWrite(place.sqDoorbell(), tail, DOORBELL);
            if (tap != null) {
                tap.rung(from, tail, cpu.now());
            }
        }
    }

    /**
     * Hands over completions until there is none, then rings the doorbells. An empty look costs a poll, an entry what it takes to read it.
     *
     * @param most completions
     * @return how many there were
     */
    public int poll(int most) {
        int found = 0;
        while (found < most && isNext()) {
            cpu.charge(HostCost.COMPLETION, 1);
            take();
            found++;
        }
        if (found == 0) {
            cpu.charge(HostCost.POLL, 1);
        } else if (cqTold != cqHead) {
            cqTold = cqHead;
            cqDoorbells++;
            cpu.mmioWrite(place.cqDoorbell(), cqHead, DOORBELL);
        }
        ring();
        return found;
    }

    /** Whether a completion is there; to be asked for by programs that want to know without paying. */
    public boolean isNext() {
        return (cpu.memory().getByte(next() + CqEntry.BYTES - 2) & 1) == phase;
    }

    /** Returns the address of the next completion: a core that is idle watches its {@link CqEntry#BYTES}. */
    public long next() {
        return place.cq() + (long) cqHead * CqEntry.BYTES;
    }

    private void take() {
        cpu.memory().getBytes(next(), bytes, 0, CqEntry.BYTES);
        completion.load(bytes, 0);
        if (++cqHead == place.entries()) {
            cqHead = 0;
            phase ^= 1;
        }
        int tag = ids.tag(completion.cid());
        boolean known = ids.isUsed(tag);
        if (!known || ids.cid(tag) != completion.cid() || completion.sqId() != place.id() || !follows()) {
            unknown++;
            stale += known ? 1 : 0;
            return;
        }
        head = completion.sqHead();
        ids.free(tag);
        outstanding--;
        completed++;
        done.done(tag, completion.status(), completion.result());
    }

    /** Whether the controller can have read as far as the completion says: not behind what it said before, not past what it was told of. */
    private boolean follows() {
        int entries = place.entries();
        int to = completion.sqHead();
        return to < entries && (to - head + entries) % entries <= (rung - head + entries) % entries;
    }

    /** Returns the identifier of the command that uses a tag, or was the last to use it: what Abort asks for. */
    public int cid(int tag) {
        return ids.cid(tag);
    }

    /** Returns the tag of a command's identifier, {@link QueuePlace#entries} or more if it is none of this queue. */
    public int tag(int cid) {
        return ids.tag(cid);
    }

    /** Returns the commands submitted. */
    public long submitted() {
        return submitted;
    }

    /** Returns the commands that have ended. */
    public long completed() {
        return completed;
    }

    /** Returns how often the submission doorbell was rung. */
    public long sqDoorbells() {
        return sqDoorbells;
    }

    /** Returns how often the completion doorbell was rung. */
    public long cqDoorbells() {
        return cqDoorbells;
    }

    /** Returns completions that ended nothing: of commands that nobody has submitted, or not believed for another reason. */
    public long unknown() {
        return unknown;
    }

    /** Returns those of {@link #unknown} whose tag is in use: of an earlier command, or torn. */
    public long stale() {
        return stale;
    }

    @Override
    public void save(Snapshot out) {
        ids.save(out);
        out.putInt(tail);
        out.putInt(rung);
        out.putInt(head);
        out.putInt(cqHead);
        out.putInt(cqTold);
        out.putInt(phase);
        out.putInt(outstanding);
        out.putLong(submitted);
        out.putLong(completed);
        out.putLong(sqDoorbells);
        out.putLong(cqDoorbells);
        out.putLong(unknown);
        out.putLong(stale);
    }

    @Override
    public void load(Snapshot in) {
        ids.load(in);
        tail = in.getInt();
        rung = in.getInt();
        head = in.getInt();
        cqHead = in.getInt();
        cqTold = in.getInt();
        phase = in.getInt();
        outstanding = in.getInt();
        submitted = in.getLong();
        completed = in.getLong();
        sqDoorbells = in.getLong();
        cqDoorbells = in.getLong();
        unknown = in.getLong();
        stale = in.getLong();
    }
}
