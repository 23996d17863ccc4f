package dev.clockwire.roce.fabric.bridge;

import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** Which classes a port may not send, and until when, as its far end has told it. */
public final class PauseState implements State {
    private static final long BIT_PS_KBPS = 1_000_000_000L;

    private final long kbps;
    private final boolean expires;
    private final long[] until = new long[PauseFrame.CLASSES];
    private final long[] since = new long[PauseFrame.CLASSES];
    private final long[] pausedPs = new long[PauseFrame.CLASSES];
    private int paused;

    /**
     * Creates a port that may send everything.
     *
     * @param kbps rate of the link, which gives a quantum its length
     * @param expires a pause ends when its time is over; else only when it is ended
     */
    public PauseState(long kbps, boolean expires) {
        this.kbps = kbps;
        this.expires = expires;
    }

    /** Returns the length of some quanta in ps, rounded up. */
    public static long quantaPs(int quanta, long kbps) {
        return (quanta * (long) PauseFrame.QUANTUM_BITS * BIT_PS_KBPS + kbps - 1) / kbps;
    }

    /** Takes a pause that came at a time; returns the classes that are let go, bit n for class n. */
    public int take(PauseFrame frame, long now) {
        int before = settle(now);
        for (int c = 0; c < PauseFrame.CLASSES; c++) {
            int quanta = frame.of(c);
            if (quanta > 0) {
                if ((paused >> c & 1) == 0) {
                    since[c] = now;
                }
                paused |= 1 << c;
                until[c] = expires ? now + quantaPs(quanta, kbps) : Long.MAX_VALUE;
            } else if (quanta == 0) {
                end(c, now);
            }
        }
        return before & ~paused;
    }

    private void end(int c, long at) {
        if ((paused >> c & 1) != 0) {
            paused &= ~(1 << c);
            pausedPs[c] += at - since[c];
        }
    }

    /** Ends what is over at a time and returns the classes that are still paused. */
    public int settle(long now) {
        if (paused == 0) {
            return 0;
        }
        for (int c = 0; c < PauseFrame.CLASSES; c++) {
            if ((paused >> c & 1) != 0 && until[c] <= now) {
                end(c, until[c]);
            }
        }
        return paused;
    }

    /** Returns when the next pause of some classes is over, {@code Long.MAX_VALUE} if none is. */
    public long next(int classes) {
        long first = Long.MAX_VALUE;
        for (int c = 0; c < PauseFrame.CLASSES; c++) {
            if ((paused & classes & 1 << c) != 0) {
                first = Math.min(first, until[c]);
            }
        }
        return first;
    }

    /** Returns the time a class has been paused up to now, in ps. */
    public long pausedPs(int c, long now) {
        settle(now);
        return pausedPs[c] + ((paused >> c & 1) != 0 ? now - since[c] : 0);
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(paused);
        for (int c = 0; c < PauseFrame.CLASSES; c++) {
            out.putLong(until[c]);
            out.putLong(since[c]);
            out.putLong(pausedPs[c]);
        }
    }

    @Override
    public void load(Snapshot in) {
        paused = in.getInt();
        for (int c = 0; c < PauseFrame.CLASSES; c++) {
            until[c] = in.getLong();
            since[c] = in.getLong();
            pausedPs[c] = in.getLong();
        }
    }
}
