package dev.clockwire.nvme.media;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes on their way to the units: which commands wait for room, how much waits for a program, what each unit programs. */
final class WriteBuffer implements State {
    private static final int NONE = -1;
    private static final int FIRST = 16;
    private static final int WORDS = 4;
    /** Programs among which the work of a collection is divided: collections give way to the host. */
    private static final int INSTALMENTS = 16;
    /** Programs of each unit after which what it owes no longer tells where it began: many times the instalments. */
    private static final int ROUNDS = 16 * INSTALMENTS;
    /** Places in a program at which one may be found. */
    private static final int PARTS = 1024;

    private final WriteBufferSpec spec;
    private final @Nullable FlashMap map;
    private final @Nullable GcSpec gc;
    private final long readPs;
    /** When each unit is done with its reads; shared with the medium. */
    private final long[] unitFree;
    /** When the program of each unit ends; in the past = it has none. */
    private final long[] programEnd;

    private final long[] programs;
    private int nextUnit;

    private long level;
    private long unprogrammed;
    private long putTotal;
    private long programmedTotal;
    private long admittedAt;

    /** Commands that wait, oldest first: tag, bytes (0 = a flush), time or total to be programmed, and address of each. */
    private long[] queue = new long[FIRST * WORDS];

    /** Pages that are in the buffer and not programmed, in their order. */
    private int[] pages = new int[FIRST];

    /** Time that each unit has still to work for room that it has given away already. */
    private final long[] owed;

    private int pageHead;
    private int pageCount;

    private int head;
    private int count;

    WriteBuffer(MediaSpec medium, long[] unitFree) {
        spec = medium.buffer();
        gc = medium.gc();
        map = gc == null ? null : new FlashMap(gc, unitFree.length);
        readPs = medium.readPs();
        this.unitFree = unitFree;
        owed = new long[unitFree.length];
        programEnd = new long[unitFree.length];
        programs = new long[unitFree.length];
    }

    /**
     * Has an SSD that is steady be in the middle of writes at random: the buffer is full, each unit is somewhere in a program, and owes the work that
     * such writes leave behind. Returns whether there are programs now.
     */
    boolean begin(long now) {
        FlashMap flash = map;
        GcSpec how = gc;
        if (flash == null || how == null || !how.steady() || spec.programBytes() < GcSpec.PAGE) {
            return false;
        }
        RandomStream random = RandomStream.named(how.pages(), "flash.buffer");
        for (int i = 0; i < ROUNDS * programs.length; i++) {
            fill(random, how, spec.programBytes());
            place(flash, how, i % programs.length, spec.programBytes());
        }
        for (int unit = 0; unit < programs.length && level + spec.programBytes() <= spec.bytes(); unit++) {
            fill(random, how, spec.programBytes());
            long takes = spec.programPs() + place(flash, how, unit, spec.programBytes());
            programs[unit] = spec.programBytes();
            programEnd[unit] = now + Math.max(1, takes / PARTS * (1 + random.below(PARTS)));
            level += spec.programBytes();
        }
        unprogrammed = (spec.bytes() - level) / GcSpec.PAGE * GcSpec.PAGE;
        fill(random, how, unprogrammed);
        level += unprogrammed;
        putTotal = level;
        flash.forget();
        return true;
    }

    /** Puts pages at random behind those that wait. */
    private void fill(RandomStream random, GcSpec how, long bytes) {
        for (long i = 0; i < bytes / GcSpec.PAGE; i++) {
            addPage(random.below(how.pages()));
        }
    }

    boolean isEmpty() {
        return level == 0 && count == 0;
    }

    /** Returns when a unit can begin to read. */
    long readAt(int unit, long from) {
        long free = Math.max(from, unitFree[unit]);
        if (programs[unit] == 0 || programEnd[unit] <= free) {
            return free;
        }
        return spec.suspendPs() == 0 ? programEnd[unit] : free + spec.suspendPs();
    }

    /** A unit reads until a time; a program that it stops for that takes so much longer. */
    void occupy(int unit, long until, long readPs) {
        if (programs[unit] > 0 && programEnd[unit] > until - readPs) {
            programEnd[unit] += readPs + spec.suspendPs();
        }
        unitFree[unit] = until;
    }

    /** A command's data are there from a time on and want room. */
    void put(int tag, long from, long bytes, long address) {
        long n = map == null ? bytes : pagesOf(address, bytes) * (long) GcSpec.PAGE;
        putTotal += n;
        add(tag, n, from, address);
    }

    /** A command waits until what was put before is programmed. */
    void flush(int tag, long from) {
        admittedAt = Math.max(admittedAt, from);
        add(tag, 0, putTotal, 0);
    }

    /** Returns how many pages an I/O touches: a part of a page is programmed as a whole one. */
    private static long pagesOf(long address, long bytes) {
        return ((address + bytes - 1) / GcSpec.PAGE - address / GcSpec.PAGE) + 1;
    }

    private void add(int tag, long bytes, long value, long address) {
        int room = queue.length / WORDS;
        if (count == room) {
            long[] more = new long[queue.length * 2];
            for (int i = 0; i < count; i++) {
                System.arraycopy(queue, (head + i) % room * WORDS, more, i * WORDS, WORDS);
            }
            queue = more;
            head = 0;
            room *= 2;
        }
        int at = (head + count++) % room * WORDS;
        queue[at] = tag;
        queue[at + 1] = bytes;
        queue[at + 2] = value;
        queue[at + 3] = address;
    }

    /** Returns the next command whose wait is over, -1 if none is; {@link #admittedAt} says when at the earliest. */
    int admitted() {
        if (count == 0) {
            return NONE;
        }
        int at = head * WORDS;
        long bytes = queue[at + 1];
        boolean isFlush = bytes == 0;
        if (isFlush ? programmedTotal < queue[at + 2] : level > 0 && level + bytes > spec.bytes()) {
            return NONE;
        }
        admittedAt = isFlush ? 0 : queue[at + 2];
        level += bytes;
        unprogrammed += bytes;
        if (map != null) {
            for (int i = 0; i < bytes / GcSpec.PAGE; i++) {
                addPage(map.page(queue[at + 3] + (long) i * GcSpec.PAGE));
            }
        }
        head = (head + 1) % (queue.length / WORDS);
        count--;
        return (int) queue[at];
    }

    private void addPage(int page) {
        if (pageCount == pages.length) {
            int[] more = new int[2 * pages.length];
            for (int i = 0; i < pageCount; i++) {
                more[i] = pages[(pageHead + i) % pages.length];
            }
            pages = more;
            pageHead = 0;
        }
        pages[(pageHead + pageCount++) % pages.length] = page;
    }

    /** Gives pages their places in a unit; returns how long it makes room in between: some of what it owes, as programs come. */
    private long place(FlashMap flash, GcSpec how, int unit, long bytes) {
        long cost = 0;
        for (long left = bytes; left > 0; left -= GcSpec.PAGE) {
            cost += flash.write(unit, pages[pageHead]);
            pageHead = (pageHead + 1) % pages.length;
            pageCount--;
        }
        long erasures = cost >>> Integer.SIZE;
        long moved = cost & 0xFFFF_FFFFL;
        int group = spec.programBytes() / GcSpec.PAGE; // a unit reads and programs so many at a time
        owed[unit] += erasures * (how.blockPages() / group * readPs + how.erasePs())
                + (moved + group - 1) / group * spec.programPs();
        long part = (owed[unit] + INSTALMENTS - 1) / INSTALMENTS;
        owed[unit] -= part;
        return part;
    }

    /** Returns where pages lie, null if nobody keeps book of that. */
    @Nullable
    FlashMap map() {
        return map;
    }

    long admittedAt() {
        return admittedAt;
    }

    /** Gives a page to a unit that programs nothing, in turns; returns the unit, -1 if there is no page or no unit. */
    int program(long now) {
        boolean hurry = count > 0; // a flush, or a command too large for what is free
        long n = Math.min(unprogrammed, spec.programBytes());
        if (n == 0 || (n < spec.programBytes() && !hurry)) {
            return NONE;
        }
        for (int i = 0; i < programEnd.length; i++) {
            int unit = nextUnit;
            nextUnit = (nextUnit + 1) % programEnd.length;
            if (programs[unit] == 0) {
                programs[unit] = n;
                long room = map == null || gc == null ? 0 : place(map, gc, unit, n);
                programEnd[unit] = Math.max(now, unitFree[unit]) + spec.programPs() + room;
                unprogrammed -= n;
                return unit;
            }
        }
        return NONE;
    }

    long programEnd(int unit) {
        return programEnd[unit];
    }

    /** The program of a unit should be over; returns false if reads have prolonged it. */
    boolean programmed(int unit, long now) {
        if (programEnd[unit] > now) {
            return false;
        }
        level -= programs[unit];
        programmedTotal += programs[unit];
        programs[unit] = 0;
        return true;
    }

    @Override
    public void save(Snapshot out) {
        out.putLongs(programEnd);
        out.putLongs(programs);
        out.putLongs(owed);
        out.putInt(nextUnit);
        out.putLong(level);
        out.putLong(unprogrammed);
        out.putLong(putTotal);
        out.putLong(programmedTotal);
        out.putLong(admittedAt);
        out.putInt(count);
        for (int i = 0; i < count * WORDS; i++) {
            out.putLong(queue[(head * WORDS + i) % queue.length]);
        }
        out.putInt(pageCount);
        for (int i = 0; i < pageCount; i++) {
            out.putInt(pages[(pageHead + i) % pages.length]);
        }
        if (map != null) {
            map.save(out);
        }
    }

    @Override
    public void load(Snapshot in) {
        in.getLongs(programEnd);
        in.getLongs(programs);
        in.getLongs(owed);
        nextUnit = in.getInt();
        level = in.getLong();
        unprogrammed = in.getLong();
        putTotal = in.getLong();
        programmedTotal = in.getLong();
        admittedAt = in.getLong();
        int n = in.getInt();
        head = 0;
        count = 0;
        Arrays.fill(queue, 0);
        for (int i = 0; i < n; i++) {
            add((int) in.getLong(), in.getLong(), in.getLong(), in.getLong());
        }
        pageHead = 0;
        pageCount = 0;
        for (int i = in.getInt(); i > 0; i--) {
            addPage(in.getInt());
        }
        if (map != null) {
            map.load(in);
        }
    }
}
