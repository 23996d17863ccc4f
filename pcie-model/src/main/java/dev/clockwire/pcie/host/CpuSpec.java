package dev.clockwire.pcie.host;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.host.HostCost;

/**
 * What work costs a core, in ps each.
 *
 * @param mmioStorePs one store to device memory, up to the moment it leaves the core
 * @param combinedStorePs one full 64-byte write-combining buffer, stores and flush
 * @param cacheMissPs one access to memory a device has written since
 * @param pollPs one look at an empty queue
 * @param interruptPs taking an interrupt, up to its handler
 * @param syscallPs one call into the kernel and back
 * @param contextSwitchPs one switch to another thread
 * @param copyBytePs copying one byte
 * @param postPs building one work request
 * @param completionPs reading one completion queue entry
 */
public record CpuSpec(
        long mmioStorePs,
        long combinedStorePs,
        long cacheMissPs,
        long pollPs,
        long interruptPs,
        long syscallPs,
        long contextSwitchPs,
        long copyBytePs,
        long postPs,
        long completionPs) {
    private static final long LARGEST = 1_000_000_000_000L;

    /** Checks the ranges. */
    public CpuSpec {
        for (HostCost c : HostCost.values()) {
            long ps = price(
                    c,
                    mmioStorePs,
                    cacheMissPs,
                    pollPs,
                    interruptPs,
                    syscallPs,
                    contextSwitchPs,
                    copyBytePs,
                    postPs,
                    completionPs);
            check(c.name(), ps);
        }
        check("combined store", combinedStorePs);
    }

    /** Returns a server core: tens of nanoseconds for a store to a device, a miss or a poll, half a microsecond for a syscall. */
    public static CpuSpec server() {
        return new CpuSpec(10_000, 15_000, 60_000, 20_000, 1_500_000, 400_000, 1_500_000, 60, 60_000, 20_000);
    }

    /** Returns a core whose work takes no time but for a poll, which must take some. */
    public static CpuSpec free() {
        return new CpuSpec(0, 0, 0, 1_000, 0, 0, 0, 0, 0, 0);
    }

    /**
     * Returns a copy for a core whose memory is on another node: what a device wrote since, an entry of a completion queue too, takes
     * longer to get. Stores do not: the core does not wait for them.
     */
    public CpuSpec withRemoteMemory(long hopPs) {
        return hopPs == 0
                ? this
                : new CpuSpec(
                        mmioStorePs,
                        combinedStorePs,
                        cacheMissPs + hopPs,
                        pollPs,
                        interruptPs,
                        syscallPs,
                        contextSwitchPs,
                        copyBytePs,
                        postPs,
                        completionPs + hopPs);
    }

    /** Returns the price of a kind of work. */
    public long price(HostCost what) {
        return price(
                what,
                mmioStorePs,
                cacheMissPs,
                pollPs,
                interruptPs,
                syscallPs,
                contextSwitchPs,
                copyBytePs,
                postPs,
                completionPs);
    }

    private static long price(
            HostCost what,
            long mmio,
            long miss,
            long poll,
            long interrupt,
            long syscall,
            long contextSwitch,
            long copyByte,
            long post,
            long completion) {
        return switch (what) {
            case MMIO_WRITE -> mmio;
            case CACHE_MISS -> miss;
            case POLL -> poll;
            case INTERRUPT -> interrupt;
            case SYSCALL -> syscall;
            case CONTEXT_SWITCH -> contextSwitch;
            case COPY_BYTE -> copyByte;
            case POST -> post;
            case COMPLETION -> completion;
        };
    }

    private static void check(String what, long ps) {
        if (ps < 0 || ps > LARGEST) {
            throw new ConfigurationException("price of " + what + " " + ps + " ps is not in 0.." + LARGEST);
        }
    }
}
