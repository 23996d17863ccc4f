package dev.clockwire.storage.perf;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * One load, by the options of {@code spdk_nvme_perf}.
 *
 * @param queueDepth {@code -q}: I/Os that are always outstanding
 * @param ioBytes {@code -o}: bytes of each
 * @param random {@code -w rand...}: whether places are drawn; otherwise they follow each other, and begin anew at the end
 * @param readPercent {@code -M}: which share are reads, drawn for each; 100 is {@code read}, 0 {@code write}
 * @param warmupPs {@code -a}: time at the beginning that does not count
 * @param timePs {@code -t}: time that counts
 */
public record PerfSpec(int queueDepth, int ioBytes, boolean random, int readPercent, long warmupPs, long timePs) {
    private static final long LONGEST = 3_600_000_000_000_000L;

    /** Checks the ranges. */
    public PerfSpec {
        check("queue depth (-q)", queueDepth, 1, 65_536);
        check("I/O size (-o)", ioBytes, 512, 1 << 24);
        check("share of reads (-M)", readPercent, 0, 100);
        check("warm-up (-a) in ps", warmupPs, 0, LONGEST);
        check("time (-t) in ps", timePs, 1, LONGEST);
    }

    private static void check(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new ConfigurationException(what + " " + value + " is not in " + least + ".." + most);
        }
    }
}
