package dev.clockwire.nic.context;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the NVMe-oF offload was told of a queue pair whose capsules it takes.
 *
 * @param capsules address in device memory of the buffer of receive WQE 0
 * @param capsuleBytes bytes of a buffer
 * @param entries receive WQEs, all posted: the buffer of each is used again when the ring comes round
 * @param queueSize entries of the host's submission queue, for SQHD; 0: the host wants none told
 * @param namespaces that the offload serves; commands for others are not its own
 * @param software where commands go that the offload does not execute; null: it answers them with an error
 */
public record OffloadQueue(
        long capsules,
        int capsuleBytes,
        int entries,
        int queueSize,
        List<OffloadNamespace> namespaces,
        @Nullable Software software) {
    /**
     * Buffers in host memory for the commands that software gets. A command is 64 bytes, with the head of the queue in bytes 16 and 17, which
     * no command over a fabric uses.
     *
     * @param slots commands that may be under way, of the offload and of software together; buffers too
     * @param commands address of the command of slot 0, the others follow
     * @param data address of what came behind the command of slot 0
     * @param dataBytes room for it in each slot
     */
    public record Software(int slots, long commands, long data, int dataBytes) {}

    /** Copies the list. */
    public OffloadQueue {
        namespaces = List.copyOf(namespaces);
    }

    /** Returns a namespace by its number, null if the offload does not serve it. */
    public @Nullable OffloadNamespace namespace(int nsid) {
        for (int i = 0; i < namespaces.size(); i++) {
            if (namespaces.get(i).nsid() == nsid) {
                return namespaces.get(i);
            }
        }
        return null;
    }

    /** Returns a copy that serves other namespaces of a queue of another size. */
    public OffloadQueue with(List<OffloadNamespace> others, int size) {
        return new OffloadQueue(capsules, capsuleBytes, entries, size, others, software);
    }
}
