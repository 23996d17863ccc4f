package dev.clockwire.roce.fabric.bridge;

import dev.clockwire.roce.wire.Frame;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import org.jspecify.annotations.Nullable;

/** The frames of one class that wait for one port, oldest first, each with the slot of the buffer it occupies. Grows, never shrinks. */
public final class FrameQueue implements State {
    private static final int FIRST_SIZE = 16;

    private @Nullable Frame[] frames = new Frame[FIRST_SIZE];
    /** Slot : 32, bytes : 32. */
    private long[] room = new long[FIRST_SIZE];

    private int head;
    private int count;
    private long bytes;
    private long maxBytes;

    /** Creates an empty queue. */
    public FrameQueue() {}

    /** Puts a frame at the end. */
    public void add(Frame frame, int slot, int occupied) {
        if (count == frames.length) {
            grow();
        }
        int at = (head + count) & (frames.length - 1);
        frames[at] = frame;
        room[at] = (long) slot << 32 | occupied;
        count++;
        bytes += occupied;
        if (bytes > maxBytes) {
            maxBytes = bytes;
        }
    }

    /** Takes the oldest frame; {@link #slot} and {@link #occupied} of it are to be asked before. */
    public Frame take() {
        Frame frame = peek();
        bytes -= occupied();
        frames[head] = null;
        head = (head + 1) & (frames.length - 1);
        count--;
        return frame;
    }

    /** Returns the oldest frame. */
    Frame peek() {
        Frame frame = frames[head];
        if (frame == null || count == 0) {
            throw new InvariantViolation("the queue is empty");
        }
        return frame;
    }

    /** Returns the buffer slot of the oldest frame. */
    int slot() {
        return (int) (room[head] >>> 32);
    }

    /** Returns the bytes of buffer that the oldest frame occupies. */
    int occupied() {
        return (int) room[head];
    }

    private void grow() {
        int n = frames.length;
        @Nullable Frame[] wider = new Frame[n * 2];
        long[] widerRoom = new long[n * 2];
        for (int i = 0; i < count; i++) {
            wider[i] = frames[(head + i) & (n - 1)];
            widerRoom[i] = room[(head + i) & (n - 1)];
        }
        frames = wider;
        room = widerRoom;
        head = 0;
    }

    /** Whether a frame here came in through a slot of the buffer. */
    boolean holdsFrom(int slot) {
        for (int i = 0; i < count; i++) {
            if ((int) (room[(head + i) & (frames.length - 1)] >>> 32) == slot) {
                return true;
            }
        }
        return false;
    }

    /** Whether nothing waits. */
    public boolean isEmpty() {
        return count == 0;
    }

    int size() {
        return count;
    }

    long bytes() {
        return bytes;
    }

    /** Returns the most bytes there have been. */
    long maxBytes() {
        return maxBytes;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(count);
        out.putLong(maxBytes);
        for (int i = 0; i < count; i++) {
            int at = (head + i) & (frames.length - 1);
            out.putToken(frames[at]);
            out.putLong(room[at]);
        }
    }

    @Override
    public void load(Snapshot in) {
        java.util.Arrays.fill(frames, null);
        head = 0;
        count = 0;
        bytes = 0;
        int n = in.getInt();
        long most = in.getLong();
        for (int i = 0; i < n; i++) {
            Frame frame = (Frame) in.getToken();
            long r = in.getLong();
            if (frame != null) {
                add(frame, (int) (r >>> 32), (int) r);
            }
        }
        maxBytes = most;
    }
}
