package dev.clockwire.nvme.media;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** Writes on their way to the units: which commands wait for room, how much waits for a program, what each unit programs. */
final class WriteBuffer implements State {
    private static final int NONE = -1;
    private static final int FIRST = 16;

    private final WriteBufferSpec spec;
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

    /** Commands that wait, oldest first: tag, bytes (0 = a flush) and time, or total to be programmed, of each. */
    private long[] queue = new long[FIRST * 3];

    private int head;
    private int count;

    WriteBuffer(WriteBufferSpec spec, long[] unitFree) {
        this.spec = spec;
        this.unitFree = unitFree;
        programEnd = new long[unitFree.length];
        programs = new long[unitFree.length];
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
    void put(int tag, long from, int bytes) {
        putTotal += bytes;
        add(tag, bytes, from);
    }

    /** A command waits until what was put before is programmed. */
    void flush(int tag, long from) {
        admittedAt = Math.max(admittedAt, from);
        add(tag, 0, putTotal);
    }

    private void add(int tag, long bytes, long value) {
        int room = queue.length / 3;
        if (count == room) {
            long[] more = new long[queue.length * 2];
            for (int i = 0; i < count; i++) {
                System.arraycopy(queue, (head + i) % room * 3, more, i * 3, 3);
            }
            queue = more;
            head = 0;
            room *= 2;
        }
        int at = (head + count++) % room * 3;
        queue[at] = tag;
        queue[at + 1] = bytes;
        queue[at + 2] = value;
    }

    /** Returns the next command whose wait is over, -1 if none is; {@link #admittedAt} says when at the earliest. */
    int admitted() {
        if (count == 0) {
            return NONE;
        }
        int at = head * 3;
        long bytes = queue[at + 1];
        boolean isFlush = bytes == 0;
        if (isFlush ? programmedTotal < queue[at + 2] : level > 0 && level + bytes > spec.bytes()) {
            return NONE;
        }
        admittedAt = isFlush ? 0 : queue[at + 2];
        level += bytes;
        unprogrammed += bytes;
        head = (head + 1) % (queue.length / 3);
        count--;
        return (int) queue[at];
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
                programEnd[unit] = Math.max(now, unitFree[unit]) + spec.programPs();
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
        out.putInt(nextUnit);
        out.putLong(level);
        out.putLong(unprogrammed);
        out.putLong(putTotal);
        out.putLong(programmedTotal);
        out.putLong(admittedAt);
        out.putInt(count);
        for (int i = 0; i < count * 3; i++) {
            out.putLong(queue[(head * 3 + i) % queue.length]);
        }
    }

    @Override
    public void load(Snapshot in) {
        in.getLongs(programEnd);
        in.getLongs(programs);
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
            add((int) in.getLong(), in.getLong(), in.getLong());
        }
    }
}
