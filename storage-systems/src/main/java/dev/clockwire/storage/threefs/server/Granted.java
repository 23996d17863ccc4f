package dev.clockwire.storage.threefs.server;

import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.Grantee;
import dev.clockwire.sim.mem.Hold;
import dev.clockwire.sim.mem.MemorySanitizer;
import dev.clockwire.sim.mem.Ownership;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The slots that the other side of a connection may write to; what a write still uses is free only when that has ended. */
class Granted {
    private final BufferPool pool;
    private final Set<Long> slots = new TreeSet<>();
    private final Set<Long> used = new TreeSet<>();
    private final @Nullable MemorySanitizer memory;
    private final Map<Long, Ownership> grants = new TreeMap<>();
    private final int bytes;
    private final int lead;
    private final List<Long> numbered = new ArrayList<>();
    private final Map<Long, Integer> places = new TreeMap<>();
    private final int qpn;
    private boolean lost;

    /**
     * Creates an empty set.
     *
     * @param memory who watches that owners are kept apart, null if nobody does
     * @param lead bytes before a slot that a request may be written to
     * @param qpn of this side's queue pair
     */
    Granted(BufferPool pool, @Nullable MemorySanitizer memory, int bytes, int lead, int qpn) {
        this.pool = pool;
        this.memory = memory;
        this.bytes = bytes;
        this.lead = lead;
        this.qpn = qpn;
    }

    /** Adds a slot for a place in a chain; returns its number. */
    int add(long slot, int place) {
        places.put(slot, place);
        slots.add(slot);
        pool.granted(true);
        numbered.add(slot);
        open(slot);
        return numbered.size() - 1;
    }

    /** Copies the request out that lies before a slot; returns the slot, 0 if there is none that may have one. */
    long take(int number, byte[] request, CpuCore core) {
        long slot = number < numbered.size() ? numbered.get(number) : 0;
        if (slot == 0 || request.length > lead || used.contains(slot) || !slots.contains(slot)) {
            return 0;
        }
        close(slot);
        core.charge(HostCost.COPY_BYTE, request.length);
        core.memory().getBytes(slot - request.length, request, 0, request.length);
        open(slot);
        return slot;
    }

    private void back(long slot) {
        pool.granted(false);
        pool.give(slot);
    }

    private void open(long slot) {
        if (memory != null && !lost) {
            Grantee who = Grantee.of("a writer's slot").withQp(qpn);
            grants.put(slot, memory.grant(slot - lead, bytes + lead, Hold.PEER_WRITES, who));
        }
    }

    private void close(long slot) {
        Ownership grant = grants.remove(slot);
        if (memory != null && grant != null) {
            memory.returned(grant);
        }
    }

    /** Returns whether a slot may be used by a write now: it was granted, and no other write has it. */
    boolean use(long slot) {
        boolean mine = slots.contains(slot) && used.add(slot);
        if (mine) {
            close(slot);
        }
        return mine;
    }

    /** Returns the place in a chain that a slot is for. */
    int place(long slot) {
        return places.getOrDefault(slot, 0);
    }

    /** A write has ended. */
    void unuse(long slot) {
        used.remove(slot);
        if (!lost) {
            open(slot);
        } else if (slots.remove(slot)) {
            back(slot);
        }
    }

    /** Returns whether a slot of a lost connection is nobody's. */
    boolean isFree(long slot) {
        return !used.contains(slot);
    }

    /** The connection is gone, and nothing comes over it any more: the queue pair is in ERR. */
    void lost() {
        lost = true;
        for (long slot : new TreeSet<>(slots)) {
            if (isFree(slot)) {
                slots.remove(slot);
                close(slot);
                back(slot);
            }
        }
    }

    boolean isLost() {
        return lost;
    }
}
