package dev.clockwire.bench.perftest;

import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.verbs.MemoryRegion;
import org.jspecify.annotations.Nullable;

/** A client's buffer as programs without a pool treat it: registered in front of each message, released behind it. */
final class OwnRegion {
    private final Side side;
    private final long length;
    private @Nullable MemoryRegion region;
    private boolean commanded;

    OwnRegion(Side side, long length) {
        this.side = side;
        this.length = length;
    }

    /** Returns whether the buffer is registered, and sees to it that the core hears of it if it is not. */
    boolean isThere(CpuCore core) {
        if (region == null && !commanded) {
            commanded = true;
            side.pd.regMr(side.recvRegion.address(), length, Side.ACCESS).whenDone(made -> {
                region = made;
                commanded = false;
                core.wake();
            });
        }
        return region != null;
    }

    /** Releases it; until that is done it cannot be registered again. */
    void release(CpuCore core) {
        MemoryRegion old = region;
        if (old != null) {
            region = null;
            commanded = true;
            old.dereg().whenDone(gone -> {
                commanded = false;
                core.wake();
            });
        }
    }

    /** Returns whether a command is being carried out. */
    boolean isBusy() {
        return commanded;
    }

    int lkey() {
        MemoryRegion r = region;
        return r == null ? 0 : r.lkey();
    }
}
