package dev.clockwire.storage.app;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.reactor.CoreMask;

/**
 * The options of {@code nvmf_tgt}.
 *
 * @param cores {@code -m}: cores with reactors
 * @param mainCore {@code -p}: the one of them that RPC is served on
 * @param memoryMb {@code -s}: huge pages in MiB, out of which pools are made, 1 to 1048576
 * @param waitForRpc {@code --wait-for-rpc}: whether the framework is started by {@code framework_start_init} only
 * @param interrupts {@code --interrupt-mode}: whether reactors sleep that have nothing to do
 */
public record AppSpec(CoreMask cores, int mainCore, int memoryMb, boolean waitForRpc, boolean interrupts) {
    /** What scripts of SPDK reserve unless they are told otherwise. */
    public static final int DEFAULT_MB = 2048;

    private static final int MOST_MB = 1 << 20;

    /** Checks the ranges. */
    public AppSpec {
        if (!cores.has(mainCore)) {
            throw new ConfigurationException("main core (-p) " + mainCore + " is not among the cores (-m) 0x" + cores
                    + "; the first is " + cores.next(0));
        }
        if (memoryMb < 1 || memoryMb > MOST_MB) {
            throw new ConfigurationException("memory (-s) " + memoryMb + " MiB is not in 1.." + MOST_MB);
        }
    }

    /** Returns a process on the cores of a mask with everything as usual. */
    public static AppSpec on(CoreMask cores) {
        return new AppSpec(cores, cores.next(0), DEFAULT_MB, false, false);
    }

    /** Returns a copy with other memory. */
    public AppSpec withMemoryMb(int mb) {
        return new AppSpec(cores, mainCore, mb, waitForRpc, interrupts);
    }

    /** Returns a copy that waits for {@code framework_start_init}. */
    public AppSpec waiting() {
        return new AppSpec(cores, mainCore, memoryMb, true, interrupts);
    }
}
