package dev.clockwire.roce.verbs;

/** A remote key for a part of a region, which work requests open and close ({@code ibv_mw}). */
public final class MemoryWindow implements AutoCloseable {
    private static final int VARIANT = 0xFF;

    private final ContextProvider provider;
    private final ProtectionDomain pd;
    private final Life parent;
    private final MwType type;
    private final int first;
    private final Life life;
    private int rkey;

    MemoryWindow(ContextProvider provider, ProtectionDomain pd, Life parent, MwType type, int rkey) {
        this.provider = provider;
        this.pd = pd;
        this.parent = parent;
        this.type = type;
        this.rkey = rkey;
        first = rkey;
        life = new Life("MW 0x" + Integer.toHexString(rkey));
    }

    /** Returns a key with the next 8-bit variant ({@code ibv_inc_rkey}). */
    public static int incRkey(int rkey) {
        return (rkey & ~VARIANT) | ((rkey + 1) & VARIANT);
    }

    /** Returns the type. */
    public MwType type() {
        return type;
    }

    /** Returns the protection domain. */
    public ProtectionDomain pd() {
        return pd;
    }

    /** Returns the key of the newest bind that was posted; of allocation before the first. */
    public int rkey() {
        return rkey;
    }

    /** Notes the key of a bind that was posted. */
    void bound(int key) {
        rkey = key;
    }

    boolean isClosed() {
        return life.isClosed();
    }

    /** Frees the window; what it opened is closed ({@code dealloc_mw}). */
    public Completion<MemoryWindow> dealloc() {
        life.close("dealloc_mw");
        parent.release();
        Completion<Integer> done = new Completion<>();
        provider.deallocMw(first, done);
        return done.map(freed -> {
            PostedMemory posted = pd.context().posted();
            if (posted != null) {
                posted.sanitizer().keyRemoved(rkey);
            }
            return this;
        });
    }

    /** Frees the window without waiting for the end. */
    @Override
    public void close() {
        Completion<MemoryWindow> unused = dealloc();
    }
}
