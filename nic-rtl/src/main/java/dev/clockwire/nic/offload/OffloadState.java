package dev.clockwire.nic.offload;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that changes in the offload: commands by context, rings of the SSDs, queue pairs by slot, and counts. */
final class OffloadState implements State {
    /** WQEs of software that may be in the send rings at a time. */
    static final int SOFTWARE = 256;

    /** Commands of hosts; behind them WQEs of software. */
    final Command[] commands;
    /** Contexts that are free, and those for WQEs of software. */
    final IntQueue free;

    final IntQueue freeSoftware;
    /** Contexts in the pipe back to the host. */
    final IntQueue toHost;
    /** Contexts whose response is in memory, and which of the two WQEs is announced next. */
    final IntQueue toRing;

    int half;
    /** Whether an own doorbell went last: the driver's go next. */
    boolean rangLast;

    final List<Disk> disks = new ArrayList<>();
    final List<Queue> queues = new ArrayList<>();
    long taken;
    long refused;
    long passed;
    long responses;
    long failures;

    OffloadState(int contexts) {
        commands = new Command[contexts + SOFTWARE];
        free = new IntQueue(contexts);
        freeSoftware = new IntQueue(SOFTWARE);
        toHost = new IntQueue(commands.length);
        toRing = new IntQueue(commands.length);
        for (int i = 0; i < commands.length; i++) {
            commands[i] = new Command(i >= contexts);
            free(i);
        }
    }

    /** A context is done with. */
    void free(int context) {
        Command c = commands[context];
        c.slot = Command.NONE;
        c.announced = false;
        (c.ofSoftware ? freeSoftware : free).add(context);
    }

    /** Returns the rings of an SSD. */
    Disk disk(int number) {
        while (number >= disks.size()) {
            disks.add(new Disk(commands.length - SOFTWARE));
        }
        return disks.get(number);
    }

    /** The rings of an SSD, and contexts that are in the pipe to it. */
    static final class Disk implements State {
        final IntQueue waiting;
        int sqTail;
        int sqHead;
        int cqHead;
        int phase = 1;

        Disk(int contexts) {
            waiting = new IntQueue(contexts);
        }

        @Override
        public void save(Snapshot out) {
            waiting.save(out);
            out.putInt(sqTail);
            out.putInt(sqHead);
            out.putInt(cqHead);
            out.putInt(phase);
        }

        @Override
        public void load(Snapshot in) {
            waiting.load(in);
            sqTail = in.getInt();
            sqHead = in.getInt();
            cqHead = in.getInt();
            phase = in.getInt();
        }
    }

    Queue queue(int slot) {
        while (slot >= queues.size()) {
            queues.add(new Queue(commands.length));
        }
        return queues.get(slot);
    }

    /** A command, or a WQE of software. */
    static final class Command {
        /** The slot of a command whose queue pair is no longer marked. */
        static final int NONE = -1;

        final boolean ofSoftware;
        int slot = NONE;
        /** The SSD that it is for. */
        int disk;
        /** Local key of the memory that its data pass through. */
        int stagingKey;
        /** Blocks that it has in the send ring; all of them were announced. */
        int span;

        boolean announced;
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
        /** First block of its response in the send ring; of a WQE of software also its index there. */
        int index;

        int softwareIndex;
        /** The SSD has it. */
        boolean atDisk;
        /** First cycle at which its next step may begin. */
        long due;
        /** The command as the SSD gets it, or the WQE. */
        final byte[] entry = new byte[Capsule.BYTES];

        Command(boolean ofSoftware) {
            this.ofSoftware = ofSoftware;
        }

        void save(Snapshot out) {
            out.putInt(slot);
            out.putInt(disk);
            out.putInt(stagingKey);
            out.putInt(span);
            out.putBoolean(announced);
            out.putInt(softwareIndex);
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
            disk = in.getInt();
            stagingKey = in.getInt();
            span = in.getInt();
            announced = in.getBoolean();
            softwareIndex = in.getInt();
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
        /** Software was told why. */
        boolean told;
        /** Commands that have not been answered, of the offload and of software. */
        int underWay;
        /** Contexts with a response on its way, in order. */
        final IntQueue responding;
        /** Buffers of software that are free; made when the first is asked for. */
        @Nullable
        IntQueue buffers;

        Queue(int contexts) {
            responding = new IntQueue(contexts);
        }

        /** Returns the free ones of so many buffers. */
        IntQueue buffers(int slots) {
            IntQueue b = buffers;
            if (b == null) {
                b = new IntQueue(slots);
                for (int i = 0; i < slots; i++) {
                    b.add(i);
                }
                buffers = b;
            }
            return b;
        }

        @Override
        public void save(Snapshot out) {
            out.putLong(received);
            out.putInt(posted);
            out.putInt(acknowledged);
            out.putBoolean(failed);
            out.putBoolean(told);
            out.putInt(underWay);
            responding.save(out);
            IntQueue b = buffers;
            out.putInt(b == null ? 0 : b.capacity());
            if (b != null) {
                b.save(out);
            }
        }

        @Override
        public void load(Snapshot in) {
            received = in.getLong();
            posted = in.getInt();
            acknowledged = in.getInt();
            failed = in.getBoolean();
            told = in.getBoolean();
            underWay = in.getInt();
            responding.load(in);
            int slots = in.getInt();
            buffers = null;
            if (slots > 0) {
                buffers(slots).load(in);
            }
        }
    }

    @Override
    public void save(Snapshot out) {
        for (Command c : commands) {
            c.save(out);
        }
        free.save(out);
        freeSoftware.save(out);
        toHost.save(out);
        toRing.save(out);
        out.putInt(half);
        out.putBoolean(rangLast);
        out.putInt(disks.size());
        disks.forEach(d -> d.save(out));
        out.putInt(queues.size());
        queues.forEach(q -> q.save(out));
        out.putLong(taken);
        out.putLong(refused);
        out.putLong(passed);
        out.putLong(responses);
        out.putLong(failures);
    }

    @Override
    public void load(Snapshot in) {
        for (Command c : commands) {
            c.load(in);
        }
        free.load(in);
        freeSoftware.load(in);
        toHost.load(in);
        toRing.load(in);
        half = in.getInt();
        rangLast = in.getBoolean();
        disks.clear();
        for (int i = in.getInt(); i > 0; i--) {
            disk(disks.size()).load(in);
        }
        int n = in.getInt();
        queues.clear();
        for (int i = 0; i < n; i++) {
            queue(i).load(in);
        }
        taken = in.getLong();
        refused = in.getLong();
        passed = in.getLong();
        responses = in.getLong();
        failures = in.getLong();
    }
}
