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
 * @param mostIos {@code -d}: I/Os after which it ends if the time is not over, 0 = any number
 * @param zipf {@code -F}: exponent of the distribution of random places, 0 = all alike, to 10 without 1
 */
public record PerfSpec(
        int queueDepth,
        int ioBytes,
        boolean random,
        int readPercent,
        long warmupPs,
        long timePs,
        long mostIos,
        double zipf) {
    private static final long LONGEST = 3_600_000_000_000_000L;

    /** Checks the ranges. */
    public PerfSpec {
        check("queue depth (-q)", queueDepth, 1, 65_536);
        check("I/O size (-o)", ioBytes, 512, 1 << 24);
        check("share of reads (-M)", readPercent, 0, 100);
        check("warm-up (-a) in ps", warmupPs, 0, LONGEST);
        check("time (-t) in ps", timePs, 1, LONGEST);
        check("number of I/Os (-d)", mostIos, 0, Long.MAX_VALUE);
        if (!(zipf >= 0 && zipf <= 10) || zipf == 1) {
            throw new ConfigurationException("exponent of zipf (-F) " + zipf + " is not in 0..10, or is 1");
        }
        if (mostIos > 0 && mostIos < queueDepth) {
            throw new ConfigurationException(
                    "number of I/Os (-d) " + mostIos + " is less than the queue depth (-q) " + queueDepth);
        }
        if (mostIos > 0 && warmupPs > 0) {
            throw new ConfigurationException("number of I/Os (-d) and warm-up (-a) exclude each other");
        }
    }

    /** Creates a load that ends with its time, over places that are all alike. */
    public PerfSpec(int queueDepth, int ioBytes, boolean random, int readPercent, long warmupPs, long timePs) {
        this(queueDepth, ioBytes, random, readPercent, warmupPs, timePs, 0, 0);
    }

    private static void check(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new ConfigurationException(what + " " + value + " is not in " + least + ".." + most);
        }
    }
}
