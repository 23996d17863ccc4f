package dev.clockwire.nvme.ctrl;

import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** A command that the controller works on. Its slot is its tag at the medium and in reads of host memory. */
final class Command implements State {
    final int slot;
    final SqEntry entry = new SqEntry();
    final SegmentList segments = new SegmentList();
    final Payload data = new Payload();

    boolean live;
    /** The queue it came from is gone: its end is told to nobody. */
    boolean dead;
    /** Another command of its queue has its identifier. */
    boolean conflict;
    /** Somebody wants it to end early. */
    boolean aborted;

    int queue;
    /** Somebody wants to know when its data have left. */
    boolean watched;

    int phase;
    /** Slot of the other command of its fused pair, -1 if it is of none. */
    int partner = -1;

    /** Bytes to move. */
    int bytes;
    /** Lists, data and media that it waits for. */
    int waits;
    /** The segment of its SGL that is read has none behind it. */
    boolean lastSegment;
    /** Where its PRP list or SGL segment goes on, and how much of it is left. */
    long listAt;

    int listLeft;
    long result;
    int status;

    /** What its reads of data have brought, a part for each segment. */
    private Payload[] parts = {};

    private int partCount;

    Command(int slot) {
        this.slot = slot;
    }

    void begin(int fromQueue) {
        live = true;
        dead = false;
        aborted = false;
        conflict = false;
        queue = fromQueue;
        phase = 0;
        partner = -1;
        bytes = 0;
        waits = 0;
        lastSegment = false;
        partCount = 0;
        listAt = 0;
        listLeft = 0;
        result = 0;
        status = 0;
        segments.clear();
        data.clear();
    }

    /** So many reads will bring its data. */
    void expect(int count) {
        partCount = count;
        if (count > parts.length) {
            int before = parts.length;
            parts = Arrays.copyOf(parts, Math.max(count, 2 * before));
            for (int i = before; i < parts.length; i++) {
                parts[i] = new Payload();
            }
        }
    }

    /** A read has brought a part. */
    void part(int index, Payload from) {
        parts[index].set(from);
    }

    /** Puts the parts together. */
    void join() {
        data.clear();
        for (int i = 0; i < partCount; i++) {
            data.appendFrom(parts[i], 0, parts[i].length());
        }
    }

    boolean isAdmin() {
        return queue == 0;
    }

    @Override
    public void save(Snapshot out) {
        out.putBytes(entry.bytes(), 0, SqEntry.BYTES);
        segments.save(out);
        data.save(out);
        out.putBoolean(live);
        out.putBoolean(dead);
        out.putBoolean(aborted);
        out.putBoolean(conflict);
        out.putInt(queue);
        out.putInt(phase);
        out.putInt(partner);
        out.putInt(bytes);
        out.putInt(waits);
        out.putBoolean(lastSegment);
        out.putInt(partCount);
        for (int i = 0; i < partCount; i++) {
            parts[i].save(out);
        }
        out.putLong(listAt);
        out.putInt(listLeft);
        out.putLong(result);
        out.putInt(status);
    }

    @Override
    public void load(Snapshot in) {
        in.getBytes(entry.bytes(), 0, SqEntry.BYTES);
        segments.load(in);
        data.load(in);
        live = in.getBoolean();
        dead = in.getBoolean();
        aborted = in.getBoolean();
        conflict = in.getBoolean();
        queue = in.getInt();
        phase = in.getInt();
        partner = in.getInt();
        bytes = in.getInt();
        waits = in.getInt();
        lastSegment = in.getBoolean();
        expect(in.getInt());
        for (int i = 0; i < partCount; i++) {
            parts[i].load(in);
        }
        listAt = in.getLong();
        listLeft = in.getInt();
        result = in.getLong();
        status = in.getInt();
    }
}
