package dev.clockwire.sim.mem;

/** A WRITE that a peer has posted and that has not landed whole. */
final class PostedWrite {
    /** Newer than every grant: for a work request that starts later than it is posted, nobody knows when. */
    static final long ANY_GRANT = Long.MAX_VALUE;

    /** The work request, in the memory of its host. */
    final Ownership work;

    final long address;
    final int rkey;
    /** Number of the last owner that the target memory had when it was posted. */
    final long asOf;

    private final RemoteMemory from;
    private final long length;
    private long landed;

    PostedWrite(Ownership work, RemoteMemory from, long address, long length, int rkey, long asOf) {
        this.work = work;
        this.from = from;
        this.address = address;
        this.length = length;
        this.rkey = rkey;
        this.asOf = asOf;
    }

    /** Returns the address of the next byte, as the peer knows it. */
    long next() {
        return address + landed;
    }

    long left() {
        return length - landed;
    }

    void land(long bytes) {
        landed += bytes;
    }

    /** Says who posted it, and when. */
    String life() {
        MemorySanitizer host = from.memory();
        return work.owner(host.name(from.device())) + " in " + host.memory() + ", posted at "
                + MemoryFinding.ns(work.sincePs());
    }
}
