package dev.clockwire.nic.offload;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.List;

/** All that changes in the offload: commands by context, rings of the SSD, queue pairs by slot, and counts. */
final class OffloadState implements State {
    final Command[] commands;
    /** Contexts that are free; in the pipe to the SSD or back; that wait for it to be done. */
    final IntQueue free;

    final IntQueue toDisk;
    final IntQueue toHost;
    /** Contexts whose response is in memory, and which of the two WQEs is announced next. */
    final IntQueue toRing;

    int half;
    int sqTail;
    int sqHead;
    int cqHead;
    int phase = 1;
    /** Whether an own doorbell went last: the driver's go next. */
    boolean rangLast;

    final List<Queue> queues = new ArrayList<>();
    long taken;
    long refused;
    long responses;
    long failures;

    OffloadState(int contexts) {
        commands = new Command[contexts];
        free = new IntQueue(contexts);
        toDisk = new IntQueue(contexts);
        toHost = new IntQueue(contexts);
        toRing = new IntQueue(contexts);
        for (int i = 0; i < contexts; i++) {
            commands[i] = new Command();
            free.add(i);
        }
    }

    Queue queue(int slot) {
        while (slot >= queues.size()) {
            queues.add(new Queue(commands.length));
        }
        return queues.get(slot);
    }

    /** A command. */
    static final class Command {
        int slot;
        int cid;
        int opcode;
        int length;
        long address;
        int key;
        boolean invalidates;
        /** A write whose data have not come yet. */
        boolean fetches;

        int sqhd;
        int status;
        long result;
        /** First block of its response in the send ring. */
        int index;
        /** The SSD has it. */
        boolean atDisk;
        /** First cycle at which its next step may begin. */
        long due;
        /** The command as the SSD gets it. */
        final byte[] entry = new byte[Capsule.BYTES];

        void save(Snapshot out) {
            out.putInt(slot);
            out.putInt(cid);
            out.putInt(opcode);
            out.putInt(length);
            out.putLong(address);
            out.putInt(key);
            out.putBoolean(invalidates);
            out.putBoolean(fetches);
            out.putInt(sqhd);
            out.putInt(status);
            out.putLong(result);
            out.putInt(index);
            out.putBoolean(atDisk);
            out.putLong(due);
            for (byte b : entry) {
                out.putInt(b);
            }
        }

        void load(Snapshot in) {
            slot = in.getInt();
            cid = in.getInt();
            opcode = in.getInt();
            length = in.getInt();
            address = in.getLong();
            key = in.getInt();
            invalidates = in.getBoolean();
            fetches = in.getBoolean();
            sqhd = in.getInt();
            status = in.getInt();
            result = in.getLong();
            index = in.getInt();
            atDisk = in.getBoolean();
            due = in.getLong();
            for (int i = 0; i < entry.length; i++) {
                entry[i] = (byte) in.getInt();
            }
        }
    }

    /** A queue pair. */
    static final class Queue implements State {
        /** Capsules that came, and blocks that were posted and acknowledged. */
        long received;

        int posted;
        int acknowledged;
        boolean failed;
        /** Contexts with a response on its way, in order. */
        final IntQueue responding;

        Queue(int contexts) {
            responding = new IntQueue(contexts);
        }

        @Override
        public void save(Snapshot out) {
            out.putLong(received);
            out.putInt(posted);
            out.putInt(acknowledged);
            out.putBoolean(failed);
            responding.save(out);
        }

        @Override
        public void load(Snapshot in) {
            received = in.getLong();
            posted = in.getInt();
            acknowledged = in.getInt();
            failed = in.getBoolean();
            responding.load(in);
        }
    }

    @Override
    public void save(Snapshot out) {
        for (Command c : commands) {
            c.save(out);
        }
        free.save(out);
        toDisk.save(out);
        toHost.save(out);
        toRing.save(out);
        out.putInt(half);
        out.putInt(sqTail);
        out.putInt(sqHead);
        out.putInt(cqHead);
        out.putInt(phase);
        out.putBoolean(rangLast);
        out.putInt(queues.size());
        queues.forEach(q -> q.save(out));
        out.putLong(taken);
        out.putLong(refused);
        out.putLong(responses);
        out.putLong(failures);
    }

    @Override
    public void load(Snapshot in) {
        for (Command c : commands) {
            c.load(in);
        }
        free.load(in);
        toDisk.load(in);
        toHost.load(in);
        toRing.load(in);
        half = in.getInt();
        sqTail = in.getInt();
        sqHead = in.getInt();
        cqHead = in.getInt();
        phase = in.getInt();
        rangLast = in.getBoolean();
        int n = in.getInt();
        queues.clear();
        for (int i = 0; i < n; i++) {
            queue(i).load(in);
        }
        taken = in.getLong();
        refused = in.getLong();
        responses = in.getLong();
        failures = in.getLong();
    }
}
