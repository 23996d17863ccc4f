package dev.clockwire.roce.verbs;

/** Registered memory. */
public final class MemoryRegion implements AutoCloseable {
    private final ContextProvider provider;
    private final Life parent;
    private final long address;
    private final long length;
    private final int access;
    private final MrKeys keys;
    private final Life life;

    MemoryRegion(ContextProvider provider, Life parent, long address, long length, int access, MrKeys keys) {
        this.provider = provider;
        this.parent = parent;
        this.address = address;
        this.length = length;
        this.access = access;
        this.keys = keys;
        life = new Life("MR 0x" + Integer.toHexString(keys.lkey()));
    }

    /** Returns the address by which work requests and peers call the first byte. */
    public long address() {
        return address;
    }

    /** Returns the bytes. */
    public long length() {
        return length;
    }

    /** Returns the {@link dev.clockwire.roce.transport.AccessFlag} mask. */
    public int access() {
        return access;
    }

    /** Returns the key for own work requests. */
    public int lkey() {
        return keys.lkey();
    }

    /** Returns the key for the peer's requests. */
    public int rkey() {
        return keys.rkey();
    }

    /** Removes the registration: no new access is granted when it has ended. */
    public Completion<MemoryRegion> dereg() {
        life.close("dereg_mr");
        parent.release();
        Completion<MrKeys> done = new Completion<>();
        provider.deregMr(keys, done);
        return done.map(removed -> this);
    }

    /** Removes the registration without waiting for the end. */
    @Override
    public void close() {
        Completion<MemoryRegion> unused = dereg();
    }
}
