package dev.clockwire.storage.nvmf.target;

import dev.clockwire.roce.verbs.Context;
import dev.clockwire.roce.verbs.Device;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A NIC that executes commands of I/O queues by itself and leaves to the target what it does not. */
public interface TargetOffload {
    /** Returns the device that can. */
    Device device();

    /** Returns how many receives a queue pair needs whose host may have so many commands under way. */
    int receives(int depth);

    /**
     * Prepares a queue pair that is in INIT and has no receives.
     *
     * @param pd its domain
     * @param context that opened the domain
     * @param buffers where commands go that the target gets
     * @param then is told once, with null if the NIC has no room for the queue pair: the target serves it alone then
     */
    void share(
            ProtectionDomain pd,
            Context context,
            QueuePair qp,
            Buffers buffers,
            Consumer<@Nullable OffloadedQueue> then);

    /** A domain goes, none of whose queue pairs is left. */
    void leave(ProtectionDomain pd);

    /** Returns what it has done so far. */
    Stats stats();

    /**
     * What an offload has done.
     *
     * @param queues that it shares with the target now
     * @param executed commands
     * @param passedOn commands that came to the target instead
     * @param failures queues that were given up, and answers of SSDs without sense
     */
    record Stats(int queues, long executed, long passedOn, long failures) {}

    /** The namespaces of a subsystem have changed. */
    void changed(Subsystem subsystem);

    /**
     * Where commands go that the target gets.
     *
     * @param slots commands of the host that may be under way
     * @param commands address of 64 bytes for each slot; bytes 16 and 17 of a command are the head of its queue
     * @param data address of the data behind each
     * @param dataBytes room for these in each slot
     */
    record Buffers(int slots, long commands, long data, int dataBytes) {}

    /** A queue pair that NIC and target share. Receives complete with the number of a buffer as the lower half of their work request id. */
    interface OffloadedQueue {
        /** Posts the receives, on the queue pair's core; {@code wrId} goes into the upper half of their identifiers. */
        void post(long wrId);

        /** From now on the NIC executes commands for namespaces that lie on SSDs; {@code entries} 0: the host wants no head told. */
        void serve(Subsystem subsystem, int entries);

        /** Gives a buffer back. */
        void release(Cpu cpu, int slot);

        /** The queue pair is gone. */
        void close();
    }
}
