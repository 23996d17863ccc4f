package dev.clockwire.roce.transport;

import org.jspecify.annotations.Nullable;

/**
 * The memory keys of one device, and who may do what with them. Keys have 32 bits: the upper 24 say which memory, the lower 8 are a
 * variant that the owner of a window changes with each bind. No check allocates.
 */
public final class MemoryKeys {
    /** Lower bits of a key, which are not part of its index. */
    public static final int VARIANT_BITS = 8;

    private static final int WINDOW_RIGHTS = AccessFlag.REMOTE_WRITE.code()
            | AccessFlag.REMOTE_READ.code()
            | AccessFlag.REMOTE_ATOMIC.code()
            | AccessFlag.ZERO_BASED.code();

    private final NumberTable<MemoryKey> table = new NumberTable<>();

    /** Creates a table without keys. */
    public MemoryKeys() {}

    /** Tells whether some memory has a key with these upper 24 bits. */
    public boolean taken(int key) {
        return table.get(key >>> VARIANT_BITS) != null;
    }

    /**
     * Adds a region.
     *
     * @param iova address by which the first byte is called
     * @param length bytes
     * @param address first byte in memory
     * @param access {@link AccessFlag} mask
     */
    public MemoryKey addRegion(int key, int pd, long iova, long length, long address, int access) {
        MemoryKey region = new MemoryKey(MemoryKey.Kind.REGION, key, pd);
        region.iova = iova;
        region.length = length;
        region.address = address;
        region.access = access;
        region.valid = true;
        table.put(key >>> VARIANT_BITS, region);
        return region;
    }

    /** Adds a window that is not bound. */
    public MemoryKey addWindow(MemoryKey.Kind kind, int key, int pd) {
        MemoryKey window = new MemoryKey(kind, key, pd);
        table.put(key >>> VARIANT_BITS, window);
        return window;
    }

    /** Removes a region or window; no new access is granted. A window leaves its region. */
    public void remove(MemoryKey memory) {
        unbind(memory);
        memory.valid = false;
        if (table.get(memory.key >>> VARIANT_BITS) == memory) {
            table.remove(memory.key >>> VARIANT_BITS);
        }
    }

    /** Removes all regions and windows, as when the device has forgotten them. */
    public void clear() {
        table.clear(memory -> {
            unbind(memory);
            memory.valid = false;
        });
    }

    /** Returns the memory of a key, valid or not; null if no memory has exactly this key now. */
    public @Nullable MemoryKey find(int key) {
        MemoryKey memory = table.get(key >>> VARIANT_BITS);
        return memory != null && memory.key == key ? memory : null;
    }

    /** Returns the memory with the upper 24 bits of a key, whatever its variant is now. */
    public @Nullable MemoryKey findIndex(int key) {
        return table.get(key >>> VARIANT_BITS);
    }

    /**
     * Checks an access of a peer.
     *
     * @param pd domain of the queue pair at which the request came in
     * @param qpn its number
     * @param length bytes, at least 1
     * @param access the one {@link AccessFlag} bit that is needed
     * @return the memory, or null: refused with a remote access error
     */
    public @Nullable MemoryKey remote(int pd, int qpn, int rkey, long va, long length, int access) {
        MemoryKey memory = find(rkey);
        boolean granted = memory != null
                && memory.valid
                && memory.pd == pd
                && (memory.kind != MemoryKey.Kind.WINDOW_2 || memory.qpn == qpn)
                && (memory.access & access) == access
                && memory.covers(va, length);
        return granted ? memory : null;
    }

    /**
     * Checks an access on behalf of an own work request: only regions have local keys.
     *
     * @param access LOCAL_WRITE to write, 0 to read
     * @return the memory, or null: a local protection error
     */
    public @Nullable MemoryKey local(int pd, int lkey, long va, long length, int access) {
        MemoryKey memory = find(lkey);
        boolean granted = memory != null
                && memory.valid
                && memory.pd == pd
                && memory.kind == MemoryKey.Kind.REGION
                && (memory.access & access) == access
                && memory.covers(va, length);
        return granted ? memory : null;
    }

    /**
     * Binds a window to part of a region; a type 1 window leaves the region that it was bound to. Length 0 only takes the binding
     * away.
     *
     * @param newKey same memory, any variant
     * @param qpn queue pair that binds
     * @param access {@link AccessFlag} mask of remote rights
     * @return false if the window may not be bound so: a bind error, nothing has changed
     */
    public boolean bind(MemoryKey window, int newKey, MemoryKey region, long va, long length, int qpn, int access) {
        if (!mayBind(window, newKey, region, va, length, access)) {
            return false;
        }
        unbind(window);
        window.key = newKey;
        window.valid = length > 0;
        if (window.valid) {
            boolean zeroBased = AccessFlag.ZERO_BASED.in(access);
            window.iova = zeroBased ? 0 : va;
            window.address = region.translate(va);
            window.length = length;
            window.access = access;
            window.qpn = qpn;
            window.region = region;
            region.windows++;
        }
        return true;
    }

    private static boolean mayBind(MemoryKey window, int newKey, MemoryKey region, long va, long length, int access) {
        boolean free = window.kind == MemoryKey.Kind.WINDOW_1 || !window.valid;
        boolean rights = (access & ~WINDOW_RIGHTS) == 0
                && ((access & (AccessFlag.REMOTE_WRITE.code() | AccessFlag.REMOTE_ATOMIC.code())) == 0
                        || AccessFlag.LOCAL_WRITE.in(region.access));
        return window.kind != MemoryKey.Kind.REGION
                && free
                && newKey >>> VARIANT_BITS == window.key >>> VARIANT_BITS
                && rights
                && region.kind == MemoryKey.Kind.REGION
                && region.valid
                && region.pd == window.pd
                && AccessFlag.MW_BIND.in(region.access)
                && region.covers(va, length);
    }

    private static void unbind(MemoryKey window) {
        MemoryKey region = window.region;
        if (region != null) {
            region.windows--;
            window.region = null;
        }
    }

    /**
     * Invalidates a key as a work request of its own queue pair, or the peer's SEND with invalidate, asks. Only a window of type 2 can
     * lose its key so, and only to the queue pair that bound it. A region registered by a verb keeps its key.
     *
     * @return false if that is not allowed: nothing has changed
     */
    public boolean invalidate(int pd, int qpn, int key) {
        MemoryKey memory = find(key);
        boolean allowed = mayInvalidate(pd, qpn, key);
        if (memory != null && allowed) {
            unbind(memory);
            memory.valid = false;
        }
        return allowed;
    }

    /** Tells whether {@link #invalidate} would take the key away. */
    public boolean mayInvalidate(int pd, int qpn, int key) {
        MemoryKey memory = find(key);
        return memory != null
                && memory.valid
                && memory.kind == MemoryKey.Kind.WINDOW_2
                && memory.pd == pd
                && memory.qpn == qpn;
    }
}
