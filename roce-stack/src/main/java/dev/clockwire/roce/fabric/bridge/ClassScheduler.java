package dev.clockwire.roce.fabric.bridge;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * Chooses the class that sends next: strict classes first, the highest number first; the others share by deficit round robin, in which a
 * class sends until its credit is used up and gets its quantum when its turn comes again (Shreedhar and Varghese, SIGCOMM 1995).
 */
final class ClassScheduler implements State {
    private final int strict;
    private final int[] quantum;
    private final long[] deficit = new long[SharedBuffer.CLASSES];
    private int turn;

    /** Creates a scheduler; a class of quantum 0 is strict. */
    ClassScheduler(int[] quantum) {
        this.quantum = quantum.clone();
        int bits = 0;
        for (int i = 0; i < quantum.length; i++) {
            bits |= quantum[i] == 0 ? 1 << i : 0;
        }
        strict = bits;
    }

    /**
     * Returns the class to send, -1 if none may.
     *
     * @param ready bit n: class n has a frame and is not paused
     */
    int choose(int ready, FrameQueue[] queues) {
        int first = ready & strict;
        if (first != 0) {
            return 31 - Integer.numberOfLeadingZeros(first);
        }
        if (ready == 0) {
            return -1;
        }
        if ((ready & (ready - 1)) == 0) {
            int only = Integer.numberOfTrailingZeros(ready);
            turn = only;
            deficit[only] = 0; // alone it needs no credit
            return only;
        }
        while (true) {
            if ((ready >> turn & 1) != 0 && deficit[turn] >= queues[turn].occupied()) {
                deficit[turn] -= queues[turn].occupied();
                return turn;
            }
            if (queues[turn].isEmpty()) {
                deficit[turn] = 0;
            }
            do {
                turn = (turn + 1) & 7;
            } while ((ready >> turn & 1) == 0);
            deficit[turn] += quantum[turn];
        }
    }

    @Override
    public void save(Snapshot out) {
        for (long d : deficit) {
            out.putLong(d);
        }
        out.putInt(turn);
    }

    @Override
    public void load(Snapshot in) {
        for (int i = 0; i < deficit.length; i++) {
            deficit[i] = in.getLong();
        }
        turn = in.getInt();
    }
}
