package dev.clockwire.pcie.endpoint;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The reads a device has under way: a slot for each, a first-in first-out list of slots with packets to issue for each flow,
 * and the ring of flows that may issue now.
 */
final class ReadTable implements State {
    static final int NONE = -1;

    @Nullable
    DmaRead[] reads = new @Nullable DmaRead[16];
    /** Bytes of the read for which no request has been sent; -1 marks a read of no bytes that was not sent. */
    int[] unissued = new int[16];
    /** Bytes of the read that have not come. */
    int[] missing = new int[16];
    /** Requests of the read without an answer. */
    int[] open = new int[16];

    /** Bytes of the read for which no completion is on its way; 1 for a read of no bytes. */
    int[] unanswered = new int[16];

    private int[] nextSlot = new int[16];
    private int freeSlot = NONE;
    private int slots;

    /** Reads of which something has not been issued. */
    private int waiting;
    /** Those of them with a larger window than the one before in their flow. */
    private int widening;
    /** Whether a read in a slot is one of these. */
    private boolean[] wider = new boolean[16];

    int[] outstanding = new int[16];
    private int[] headSlot = filled(16);
    private int[] tailSlot = filled(16);
    private boolean[] ready = new boolean[16];
    private int flows;

    private int[] turn = new int[16];
    private int firstTurn;
    private int turns;

    /** Adds a read behind the others of its flow and returns its slot. */
    int add(DmaRead r) {
        int slot = freeSlot;
        if (slot == NONE) {
            if (slots == reads.length) {
                growSlots();
            }
            slot = slots++;
        } else {
            freeSlot = nextSlot[slot];
        }
        reads[slot] = r;
        unissued[slot] = r.length == 0 ? -1 : r.length;
        missing[slot] = r.length;
        unanswered[slot] = Math.max(1, r.length);
        open[slot] = 0;
        nextSlot[slot] = NONE;
        int flow = r.flow;
        needFlow(flow);
        wider[slot] = headSlot[flow] != NONE && r.window > read(tailSlot[flow]).window;
        widening += wider[slot] ? 1 : 0;
        if (headSlot[flow] == NONE) {
            headSlot[flow] = slot;
        } else {
            nextSlot[tailSlot[flow]] = slot;
        }
        tailSlot[flow] = slot;
        waiting++;
        offer(flow);
        return slot;
    }

    /** Returns the read in a slot. */
    DmaRead read(int slot) {
        DmaRead r = reads[slot];
        if (r == null) {
            throw new InvariantViolation("read slot " + slot + " is empty");
        }
        return r;
    }

    void free(int slot) {
        reads[slot] = null;
        nextSlot[slot] = freeSlot;
        freeSlot = slot;
    }

    /** Returns the flow whose turn it is, or {@link #NONE}. */
    int turn() {
        return turns == 0 ? NONE : turn[firstTurn];
    }

    /** Returns the slot from which the flow issues next. */
    int head(int flow) {
        return headSlot[flow];
    }

    /** Ends the turn of the first flow, which goes to the back if it may issue again. */
    void pass(int flow) {
        firstTurn = firstTurn + 1 & turn.length - 1;
        turns--;
        ready[flow] = false;
        offer(flow);
    }

    /** Takes the flow's first read, of which everything has been issued, out of its list. */
    void issued(int flow) {
        int next = nextSlot[headSlot[flow]];
        waiting--;
        widening -= wider[headSlot[flow]] ? 1 : 0;
        headSlot[flow] = next;
        if (next == NONE) {
            tailSlot[flow] = NONE;
        }
    }

    boolean waiting() {
        return waiting > 0;
    }

    /** Returns whether a window becomes larger when one of the waiting reads has its turn: one answer makes room for several requests then. */
    boolean widens() {
        return widening > 0;
    }

    /** Returns how many slots there are, free ones included. */
    int slots() {
        return slots;
    }

    /** Gives the flow a turn if it has something to issue, its window is open and it has no turn yet. */
    void offer(int flow) {
        int slot = headSlot[flow];
        if (!ready[flow] && slot != NONE && outstanding[flow] < read(slot).window) {
            if (turns == turn.length) {
                growTurns();
            }
            turn[firstTurn + turns++ & turn.length - 1] = flow;
            ready[flow] = true;
        }
    }

    private void growSlots() {
        int n = 2 * slots;
        reads = Arrays.copyOf(reads, n);
        unissued = Arrays.copyOf(unissued, n);
        missing = Arrays.copyOf(missing, n);
        open = Arrays.copyOf(open, n);
        unanswered = Arrays.copyOf(unanswered, n);
        wider = Arrays.copyOf(wider, n);
        nextSlot = Arrays.copyOf(nextSlot, n);
    }

    private void needFlow(int flow) {
        if (flow < flows) {
            return;
        }
        if (flow >= headSlot.length) {
            int n = Integer.highestOneBit(flow) * 2;
            int old = headSlot.length;
            outstanding = Arrays.copyOf(outstanding, n);
            headSlot = Arrays.copyOf(headSlot, n);
            tailSlot = Arrays.copyOf(tailSlot, n);
            ready = Arrays.copyOf(ready, n);
            Arrays.fill(headSlot, old, n, NONE);
            Arrays.fill(tailSlot, old, n, NONE);
        }
        flows = flow + 1;
    }

    private void growTurns() {
        int n = turn.length;
        int[] larger = new int[2 * n];
        for (int i = 0; i < turns; i++) {
            larger[i] = turn[firstTurn + i & n - 1];
        }
        turn = larger;
        firstTurn = 0;
    }

    private static int[] filled(int n) {
        int[] a = new int[n];
        Arrays.fill(a, NONE);
        return a;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(slots);
        for (int i = 0; i < slots; i++) {
            out.putToken(reads[i]);
            out.putInt(unissued[i]);
            out.putInt(missing[i]);
            out.putInt(open[i]);
            out.putInt(unanswered[i]);
            out.putBoolean(wider[i]);
            out.putInt(nextSlot[i]);
        }
        out.putInt(freeSlot);
        out.putInt(waiting);
        out.putInt(flows);
        for (int i = 0; i < flows; i++) {
            out.putInt(outstanding[i]);
            out.putInt(headSlot[i]);
            out.putInt(tailSlot[i]);
            out.putBoolean(ready[i]);
        }
        out.putInt(turns);
        for (int i = 0; i < turns; i++) {
            out.putInt(turn[firstTurn + i & turn.length - 1]);
        }
    }

    @Override
    public void load(Snapshot in) {
        int n = in.getInt();
        slots = 0;
        widening = 0;
        Arrays.fill(reads, null);
        for (int i = 0; i < n; i++) {
            if (slots == reads.length) {
                growSlots();
            }
            reads[i] = (DmaRead) in.getToken();
            unissued[i] = in.getInt();
            missing[i] = in.getInt();
            open[i] = in.getInt();
            unanswered[i] = in.getInt();
            wider[i] = in.getBoolean();
            widening += wider[i] && unissued[i] != 0 ? 1 : 0;
            nextSlot[i] = in.getInt();
            slots++;
        }
        freeSlot = in.getInt();
        waiting = in.getInt();
        loadFlows(in);
    }

    private void loadFlows(Snapshot in) {
        Arrays.fill(outstanding, 0);
        Arrays.fill(headSlot, NONE);
        Arrays.fill(tailSlot, NONE);
        Arrays.fill(ready, false);
        flows = 0;
        int n = in.getInt();
        if (n > 0) {
            needFlow(n - 1);
        }
        for (int i = 0; i < n; i++) {
            outstanding[i] = in.getInt();
            headSlot[i] = in.getInt();
            tailSlot[i] = in.getInt();
            ready[i] = in.getBoolean();
        }
        firstTurn = 0;
        turns = 0;
        n = in.getInt();
        for (int i = 0; i < n; i++) {
            if (turns == turn.length) {
                growTurns();
            }
            turn[turns++] = in.getInt();
        }
    }
}
