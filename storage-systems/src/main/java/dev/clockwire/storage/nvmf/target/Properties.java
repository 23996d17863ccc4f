package dev.clockwire.storage.nvmf.target;

import dev.clockwire.storage.nvmf.subsystem.TransportSpec;

/** The properties of a controller: what registers are to one behind PCIe. */
final class Properties {
    static final int CAP = 0x00;
    static final int VS = 0x08;
    static final int CC = 0x14;
    static final int CSTS = 0x1C;
    static final int NSSR = 0x20;
    static final int AQA = 0x24;
    static final int ASQ = 0x28;
    static final int ACQ = 0x30;
    static final int CRTO = 0x68;

    private static final int READY = 1;
    private static final int FATAL = 2;
    private static final int SHUT_DOWN = 2 << 2;
    private static final int ENABLE = 1;
    private static final int SHUTDOWN = 3 << 14;
    private static final int PAGE_AND_ARBITRATION = 0x7F << 7;
    private static final int ENTRY_SIZES = 0xFF << 16;
    private static final int USUAL_SIZES = 0x46 << 16;
    private static final long LINUX_CAP = 0x0000_0820_0F00_007FL;
    private static final long HALF_SECONDS = 30;
    private static final long WORD = 0xFFFF_FFFFL;

    /** What a change of CC asks for. */
    enum Change {
        /** Nothing more. */
        NONE,
        /** The controller works now. */
        ENABLED,
        /** All I/O queues go; behind that, {@link #stopped}. */
        STOP,
        /** What is asked for cannot be. */
        REFUSED
    }

    private final TargetProfile profile;
    private final long cap;
    private final int version;
    private int cc;
    private int csts;
    private int aqa;
    private long asq;
    private long acq;
    private boolean stopping;

    Properties(TargetProfile profile, TransportSpec limits) {
        this.profile = profile;
        boolean linux = profile == TargetProfile.LINUX;
        // CQR, TO, CSS: NVM, CRWMS
        cap = linux
                ? LINUX_CAP
                : (limits.maxQueueDepth() - 1) | (1L << 16) | (HALF_SECONDS << 24) | (1L << 37) | (1L << 59);
        version = linux ? 0x0001_0300 : 0x0002_0000;
    }

    int version() {
        return version;
    }

    boolean isReady() {
        return (csts & READY) != 0;
    }

    boolean isEnabled() {
        return (cc & ENABLE) != 0;
    }

    /** Returns whether the entries have the only sizes there are. */
    boolean entriesFit() {
        return (cc & ENTRY_SIZES) == USUAL_SIZES;
    }

    /** Returns whether all queues are on their way out. */
    boolean isStopping() {
        return stopping;
    }

    /** Returns whether a property can be read in a piece of 4 or 8 bytes. */
    boolean has(int offset, int bytes) {
        boolean linux = profile == TargetProfile.LINUX;
        return switch (offset) {
            case CAP -> bytes == 8 || !linux;
            case CAP + 4, ASQ + 4, ACQ + 4 -> bytes == 4 && !linux;
            case ASQ, ACQ -> !linux;
            case VS, CC, CSTS -> bytes == 4;
            case NSSR, AQA, CRTO -> bytes == 4 && !linux;
            default -> false;
        };
    }

    /** Returns a property that {@link #has} knows. */
    long get(int offset, int bytes) {
        long whole = switch (offset & ~7) {
            case CAP -> cap;
            case ASQ -> asq;
            case ACQ -> acq;
            default -> word(offset);
        };
        boolean wide = offset < VS || (offset >= ASQ && offset < ACQ + 8);
        return bytes == 8 || !wide ? whole : (whole >>> ((offset & 4) << 3)) & WORD;
    }

    private long word(int offset) {
        return switch (offset) {
            case VS -> version;
            case CC -> cc;
            case CSTS -> csts;
            case AQA -> aqa;
            case CRTO -> HALF_SECONDS;
            default -> 0;
        };
    }

    /** Returns whether a property can be written. */
    boolean isWritable(int offset) {
        return offset == CC
                || (profile == TargetProfile.SPDK
                        && (offset == NSSR || offset == AQA || (offset >= ASQ && offset < ACQ + 8)));
    }

    /** Writes a property that {@link #has} knows and that is writable; of CC, {@link #setCc} does. */
    void set(int offset, int bytes, long value) {
        switch (offset) {
            case AQA -> aqa = (int) value;
            case ASQ, ASQ + 4 -> asq = merged(asq, offset, bytes, value);
            case ACQ, ACQ + 4 -> acq = merged(acq, offset, bytes, value);
            default -> {}
        }
    }

    private static long merged(long old, int offset, int bytes, long value) {
        if (bytes == 8) {
            return value;
        }
        int shift = (offset & 4) << 3;
        return (old & ~(WORD << shift)) | ((value & WORD) << shift);
    }

    /** Writes CC. While the queues are on their way out nothing more happens. */
    Change setCc(int value) {
        int changed = cc ^ value;
        if ((changed & PAGE_AND_ARBITRATION) != 0 && profile == TargetProfile.SPDK) {
            return Change.REFUSED;
        }
        cc = value;
        if (stopping) {
            return Change.NONE;
        }
        boolean stops = ((changed & ENABLE) != 0 && (value & ENABLE) == 0) || (changed & SHUTDOWN & value) != 0;
        if (stops) {
            stopping = true;
            return Change.STOP;
        }
        if ((changed & ENABLE) != 0) {
            csts = (csts & ~SHUT_DOWN) | READY;
            return Change.ENABLED;
        }
        return Change.NONE;
    }

    /** All I/O queues are gone. */
    void stopped() {
        stopping = false;
        boolean shut = (cc & SHUTDOWN) != 0;
        csts = shut ? csts | SHUT_DOWN : csts;
        csts &= !shut || profile == TargetProfile.LINUX || !isEnabled() ? ~READY : -1;
    }

    void fatal() {
        csts |= FATAL;
    }
}
