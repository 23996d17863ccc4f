package dev.clockwire.storage.check;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.storage.check.Operation.Kind;
import dev.clockwire.storage.check.Operation.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Notes the operations of a run while it runs, as numbers: a call and an answer allocate nothing but, now and then, room for twice as many.
 * Keys are named before. Values are numbers that are unique among the writes of a key, 0 for what was never written.
 */
public final class HistoryRecorder implements State {
    private static final int FIRST_ROOM = 64;

    private final List<String> keys;
    private int count;
    private int[] client = new int[FIRST_ROOM];
    private int[] key = new int[FIRST_ROOM];
    private int[] attempts = new int[FIRST_ROOM];
    private boolean[] write = new boolean[FIRST_ROOM];
    private boolean[] open = new boolean[FIRST_ROOM];
    private Outcome[] outcome = new Outcome[FIRST_ROOM];
    private long[] value = new long[FIRST_ROOM];
    private long[] version = new long[FIRST_ROOM];
    private long[] invokePs = new long[FIRST_ROOM];
    private long[] returnPs = new long[FIRST_ROOM];

    /**
     * Creates a recorder of no operations.
     *
     * @param keys names of the keys; operations name them by their index
     */
    public HistoryRecorder(List<String> keys) {
        this.keys = List.copyOf(keys);
    }

    /** Returns the label in the history of a value: its decimal number, {@link Operation#INITIAL} for 0. */
    public static String label(long value) {
        return value == 0 ? Operation.INITIAL : Long.toString(value);
    }

    /** Returns how many operations were begun. */
    public int size() {
        return count;
    }

    /**
     * Notes a call.
     *
     * @param written what a write writes, not 0; ignored for a read
     * @return handle of the operation
     */
    public int begin(int byClient, Kind what, int keyIndex, long written, long ps) {
        if (keyIndex < 0 || keyIndex >= keys.size()) {
            throw new ConfigurationException("key " + keyIndex + " of a history; allowed: 0 to " + (keys.size() - 1));
        }
        if (what == Kind.WRITE && written == 0) {
            throw new ConfigurationException("value 0 stands for what was never written; no write may have it");
        }
        if (count == client.length) {
            room(2 * count);
        }
        client[count] = byClient;
        key[count] = keyIndex;
        attempts[count] = 1;
        write[count] = what == Kind.WRITE;
        open[count] = true;
        outcome[count] = Outcome.UNKNOWN;
        value[count] = write[count] ? written : 0;
        version[count] = Operation.NO_VERSION;
        invokePs[count] = ps;
        returnPs[count] = Operation.NEVER;
        return count++;
    }

    /** Notes that the client sends an operation again. */
    public void retried(int handle) {
        requireOpen(handle);
        attempts[handle]++;
    }

    /**
     * Notes the answer, or that the client gives up.
     *
     * @param read what a read has read, 0 = never written; ignored for a write
     * @param named the version that the system names, {@link Operation#NO_VERSION} for none
     */
    public void end(int handle, Outcome how, long read, long named, long ps) {
        requireOpen(handle);
        open[handle] = false;
        outcome[handle] = how;
        if (!write[handle]) {
            value[handle] = read;
        }
        version[handle] = named;
        returnPs[handle] = ps;
    }

    /** Returns what was noted so far; operations without an answer are unknown. */
    public History history() {
        List<Operation> ops = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ops.add(operation(i));
        }
        return History.of(ops);
    }

    /** Returns an operation as it is now; one without an answer is unknown. */
    Operation operation(int i) {
        return new Operation(
                client[i],
                write[i] ? Kind.WRITE : Kind.READ,
                keys.get(key[i]),
                label(value[i]),
                invokePs[i],
                returnPs[i],
                outcome[i],
                version[i],
                attempts[i]);
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(count);
        for (int i = 0; i < count; i++) {
            out.putInt(client[i]);
            out.putInt(key[i]);
            out.putInt(attempts[i]);
            out.putBoolean(write[i]);
            out.putBoolean(open[i]);
            out.putString(outcome[i].name());
            out.putLong(value[i]);
            out.putLong(version[i]);
            out.putLong(invokePs[i]);
            out.putLong(returnPs[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        count = in.getInt();
        room(Math.max(client.length, count));
        for (int i = 0; i < count; i++) {
            client[i] = in.getInt();
            key[i] = in.getInt();
            attempts[i] = in.getInt();
            write[i] = in.getBoolean();
            open[i] = in.getBoolean();
            outcome[i] = Outcome.valueOf(in.getString());
            value[i] = in.getLong();
            version[i] = in.getLong();
            invokePs[i] = in.getLong();
            returnPs[i] = in.getLong();
        }
    }

    private void requireOpen(int handle) {
        if (handle < 0 || handle >= count || !open[handle]) {
            throw new InvariantViolation("history: operation " + handle + " of " + count + " is not under way");
        }
    }

    private void room(int operations) {
        client = Arrays.copyOf(client, operations);
        key = Arrays.copyOf(key, operations);
        attempts = Arrays.copyOf(attempts, operations);
        write = Arrays.copyOf(write, operations);
        open = Arrays.copyOf(open, operations);
        outcome = Arrays.copyOf(outcome, operations);
        value = Arrays.copyOf(value, operations);
        version = Arrays.copyOf(version, operations);
        invokePs = Arrays.copyOf(invokePs, operations);
        returnPs = Arrays.copyOf(returnPs, operations);
    }
}
