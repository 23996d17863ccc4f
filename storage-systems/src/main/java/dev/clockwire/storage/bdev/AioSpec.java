package dev.clockwire.storage.bdev;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * What a file costs behind the kernel's asynchronous I/O, opened past the page cache.
 *
 * @param kernelPs a core's time in the kernel for each I/O besides the call itself: file system, block layer, driver
 * @param readPs from there until the file's device has read
 * @param writePs from there until it has written
 * @param flushPs how long fdatasync blocks the thread
 * @param depth I/Os under way of each channel; more find no room
 */
public record AioSpec(long kernelPs, long readPs, long writePs, long flushPs, int depth) {
    private static final long LARGEST = 1_000_000_000_000L;

    /** Checks the ranges. */
    public AioSpec {
        check("kernelPs", kernelPs, 0, LARGEST);
        check("readPs", readPs, 1, LARGEST);
        check("writePs", writePs, 1, LARGEST);
        check("flushPs", flushPs, 0, LARGEST);
        check("depth", depth, 1, 65_536);
    }

    /**
     * Returns SPDK's depth of 128 on a file of a server's NVMe disk: the times are assumptions, 1.5 us of kernel, 80 us to read, 20 to write into a
     * buffer, half a millisecond to flush.
     */
    public static AioSpec usual() {
        return new AioSpec(1_500_000, 80_000_000, 20_000_000, 500_000_000, 128);
    }

    private static void check(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new ConfigurationException("bdev aio: " + what + " " + value + " is not in " + least + ".." + most);
        }
    }
}
