package dev.clockwire.roce.verbs;

import org.jspecify.annotations.Nullable;

/** Registered memory. */
public final class MemoryRegion implements AutoCloseable {
    private final ContextProvider provider;
    private final Life parent;
    /** The device memory that is registered; null for host memory. */
    private final @Nullable Life memory;

    private final long address;
    private final long length;
    private final int access;
    private final MrKeys keys;
    private final Life life;
    private final @Nullable PostedMemory posted;

    MemoryRegion(
            ContextProvider provider,
            Life parent,
            @Nullable Life memory,
            MrRange range,
            MrKeys keys,
            @Nullable PostedMemory posted) {
        this.provider = provider;
        this.posted = posted;
        this.parent = parent;
        this.memory = memory;
        address = range.iova();
        length = range.length();
        access = range.access();
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

    boolean isClosed() {
        return life.isClosed();
    }

    /** Removes the registration: no new access is granted when it has ended. Fails with EBUSY while a window is bound to it. */
    public Completion<MemoryRegion> dereg() {
        life.close("dereg_mr");
        users(-1);
        Completion<MrKeys> done = new Completion<>();
        done.whenFailed(error -> {
            life.reopen();
            users(1);
        });
        provider.deregMr(keys, done);
        return done.map(removed -> {
            if (posted != null) {
                posted.deregistered(keys);
            }
            return this;
        });
    }

    private void users(int change) {
        parent.change(change);
        if (memory != null) {
            memory.change(change);
        }
    }

    /** Removes the registration without waiting for the end. */
    @Override
    public void close() {
        Completion<MemoryRegion> unused = dereg();
    }
}
