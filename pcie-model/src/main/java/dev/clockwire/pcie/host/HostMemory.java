package dev.clockwire.pcie.host;

import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.MemorySanitizer;
import dev.clockwire.sim.mem.MemoryUser;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a host with time: where each allocation lies, and which writes of devices have arrived but are not in it
 * yet. A write committed at w is seen by whoever looks later than w.
 */
public final class HostMemory {
    private static final long NOTHING = Long.MIN_VALUE;
    /** Memory a server hands out lies above 4 GB, so devices need the long header form. */
    private static final long FIRST = 0x10_0000_0000L;

    private final AddressSpace space;
    private RequestServer[] servers = {};
    private CommitQueue[] queues = {};
    private final List<Allocation> placed = new ArrayList<>();
    private final List<Placement> places = new ArrayList<>();
    private final Placement defaultReal;
    private final Placement defaultBulk;
    private @Nullable Allocation lastFound;
    private Placement lastPlace;
    private boolean applying;
    /** Up to when everything has been done: what comes later, comes later in simulated time too. */
    private long seen = NOTHING;

    /** Allocations that have been freed, as far as devices have been told. */
    private int freed;
    /** Whose writes were applied last. */
    private @Nullable CommitQueue from;

    HostMemory(String name, PayloadMode mode, int node) {
        defaultReal = Placement.cache(node);
        defaultBulk = Placement.dram(node);
        lastPlace = defaultBulk;
        space = new AddressSpace(name, mode, FIRST);
    }

    /** Allocates at 64-byte alignment in a given place. */
    public Allocation allocate(String what, long length, Allocation.Kind kind, Placement where) {
        return allocate(what, length, kind, 64, where);
    }

    /** Allocates in a given place; see {@link AddressSpace#allocate(String, long, Allocation.Kind, long)}. */
    public Allocation allocate(String what, long length, Allocation.Kind kind, long align, Placement where) {
        Allocation a = space.allocate(what, length, kind, align);
        place(a, where);
        return a;
    }

    /** Returns the DRAM of the node that programs get memory on. */
    public Placement dram() {
        return defaultBulk;
    }

    /** Returns the last-level cache of that node. */
    public Placement cache() {
        return defaultReal;
    }

    /** Says where an allocation lies; without this REAL ones are cached and BULK ones in DRAM, on the host's node for programs. */
    public void place(Allocation a, Placement where) {
        int i = placed.indexOf(a);
        if (i >= 0) {
            places.set(i, where);
        } else {
            placed.add(a);
            places.add(where);
        }
        lastFound = null;
    }

    /** Returns where a range lies; null if it is not inside one allocation. */
    public @Nullable Placement placement(long va, long length) {
        Allocation a = space.at(va, length);
        if (a == null) {
            return null;
        }
        if (a == lastFound) {
            return lastPlace;
        }
        int i = placed.indexOf(a);
        lastPlace = i >= 0 ? places.get(i) : a.kind() == Allocation.Kind.REAL ? defaultReal : defaultBulk;
        lastFound = a;
        return lastPlace;
    }

    /** Reads of what is no longer there end sooner than devices thought. */
    void lookForFreed() {
        if (freed == space.freed()) {
            return;
        }
        freed = space.freed();
        lastFound = null;
        for (RequestServer server : servers) {
            server.reconsider();
        }
    }

    /** Returns what watches over accesses, null if nothing does. */
    public @Nullable MemorySanitizer sanitizer() {
        return space.sanitizer();
    }

    AddressSpace space() {
        return space;
    }

    /** Returns whether the write that a watcher is told of is one by a device, of which cores know already. */
    boolean applying() {
        return applying;
    }

    void add(RootPort port) {
        servers = Arrays.copyOf(servers, servers.length + 1);
        servers[servers.length - 1] = port.server();
        queues = Arrays.copyOf(queues, queues.length + 1);
        queues[queues.length - 1] = port.commits();
    }

    /** Time has gone back: a snapshot has been restored. */
    void forgetSeen() {
        seen = NOTHING;
    }

    /**
     * Returns since when the write of a device that a {@link dev.clockwire.sim.mem.Watcher} is being told of is in memory, in ps: watchers hear
     * of it when somebody looks at memory, which may be later. -1 if no device has written yet.
     */
    public long committedPs() {
        CommitQueue q = from;
        return q == null ? -1 : q.applied();
    }

    /**
     * Brings memory to the content that somebody sees who looks at a time, which is not in the future; reads that are due before it are
     * served first, each in front of the first write that it may not see.
     */
    void seenAt(long t) {
        if (t <= seen) {
            return;
        }
        for (long due = due(); due < t; due = due()) {
            long change = commit(due);
            long limit = change < t ? change + 1 : t;
            for (RequestServer server : servers) {
                server.runBefore(limit);
            }
        }
        applyBefore(t);
        seen = t;
    }

    /** Returns whether something is due that whoever looked last should have seen; it never does, and tests ask. */
    boolean holdsBack() {
        long first = due();
        for (CommitQueue q : queues) {
            first = Math.min(first, q.head());
        }
        return first < seen;
    }

    private long due() {
        long due = Long.MAX_VALUE;
        for (RequestServer server : servers) {
            due = Math.min(due, server.due());
        }
        return due;
    }

    /**
     * Applies the writes committed before a time.
     *
     * @return the time of the next commit, {@code Long.MAX_VALUE} if none is pending
     */
    long commit(long before) {
        applyBefore(before);
        long next = Long.MAX_VALUE;
        for (CommitQueue q : queues) {
            next = Math.min(next, q.head());
        }
        return next;
    }

    private void applyBefore(long t) {
        if (queues.length == 1) {
            CommitQueue q = queues[0];
            if (q.head() < t) {
                apply(q, t);
            }
        } else {
            mergeBefore(t);
        }
    }

    private void mergeBefore(long t) {
        for (; ; ) {
            CommitQueue best = null;
            long head = t;
            long second = t;
            for (CommitQueue q : queues) {
                long h = q.head();
                if (h < head) {
                    second = head;
                    head = h;
                    best = q;
                } else if (h < second) {
                    second = h;
                }
            }
            if (best == null) {
                return;
            }
            apply(best, Math.max(second, head + 1)); // of two at one time the lower port is first
        }
    }

    private void apply(CommitQueue q, long before) {
        applying = true;
        from = q;
        q.applyBefore(before, space);
        applying = false;
    }

    /** Returns when the first pending write to a range is committed, {@code Long.MAX_VALUE} if there is none. */
    long firstTo(long va, long length) {
        long w = Long.MAX_VALUE;
        for (CommitQueue q : queues) {
            w = Math.min(w, q.firstTo(va, length));
        }
        return w;
    }

    /** Returns when the last pending write is committed, -1 if there is none. */
    long last() {
        long w = -1;
        for (CommitQueue q : queues) {
            if (!q.isEmpty()) {
                w = Math.max(w, q.last());
            }
        }
        return w;
    }

    /** Reads at a time what a device has asked for. */
    void read(TlpTrain request, long ps, TlpTrain into, long va, int length) {
        space.read(user(request), ps, va, length, into.data);
    }

    /** Says for whom a device accesses memory. */
    static long user(TlpTrain request) {
        return request.user == MemoryUser.NONE ? MemoryUser.function(request.requesterId) : request.user;
    }
}
