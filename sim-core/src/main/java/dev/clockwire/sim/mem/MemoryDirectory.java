package dev.clockwire.sim.mem;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which watched memory lies behind which network address: so hosts tell each other's sanitizers, beside the network, what is under way. */
public final class MemoryDirectory {
    private final List<Entry> entries = new ArrayList<>();

    /** Creates an empty directory. */
    public MemoryDirectory() {}

    private record Entry(long hi, long lo, RemoteMemory place) {}

    /** Adds an address of 128 bits, and the memory that its device reaches. */
    public void add(long hi, long lo, RemoteMemory place) {
        entries.add(new Entry(hi, lo, place));
        place.memory().join(this);
    }

    /** Returns the memory behind an address, null if nobody watches it. */
    @Nullable
    RemoteMemory find(long hi, long lo) {
        for (Entry e : entries) {
            if (e.lo == lo && e.hi == hi) {
                return e.place;
            }
        }
        return null;
    }
}
