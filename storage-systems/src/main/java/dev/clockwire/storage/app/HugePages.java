package dev.clockwire.storage.app;

import dev.clockwire.storage.reactor.Errno;
import dev.clockwire.storage.rpc.RpcException;
import java.util.ArrayList;
import java.util.List;

/** The memory that pools are made of: it is counted, and refused when there is no more. */
public final class HugePages {
    private static final long MIB = 1L << 20;

    private final long bytes;
    private final List<Part> parts = new ArrayList<>();
    private long used;

    /** What a pool has taken. */
    public record Part(String name, long bytes) {}

    /** Creates memory of which nothing is taken. */
    HugePages(int megabytes) {
        bytes = megabytes * MIB;
    }

    /**
     * Takes memory for a pool.
     *
     * @throws RpcException -ENOMEM if there is not so much left
     */
    void take(String name, long count, long each) {
        long wanted = Math.multiplyExact(count, each);
        if (wanted > bytes - used) {
            throw new RpcException(
                    -Errno.ENOMEM,
                    "Cannot allocate memory: " + name + " of " + count + " x " + each + " B needs " + mib(wanted)
                            + " MiB, huge pages (-s) have " + mib(bytes - used) + " of " + mib(bytes) + " MiB left");
        }
        used += wanted;
        parts.add(new Part(name, wanted));
    }

    /** Gives back what was taken since so many parts were there. */
    void back(int count) {
        while (parts.size() > count) {
            used -= parts.remove(parts.size() - 1).bytes();
        }
    }

    private static long mib(long n) {
        return (n + MIB - 1) / MIB;
    }

    /** Returns what is taken, in bytes. */
    public long used() {
        return used;
    }

    /** Returns who has taken what, in the order of taking. */
    public List<Part> parts() {
        return List.copyOf(parts);
    }
}
