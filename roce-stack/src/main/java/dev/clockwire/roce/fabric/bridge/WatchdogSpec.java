package dev.clockwire.roce.fabric.bridge;

/**
 * What ends a pause storm: a queue that is paused, holds frames and has sent none for a time is stormed; its frames are dropped, or sent in
 * spite of the pause, until no XOFF has come for another time. Source of the defaults: SONiC's pfcwd, 200 ms each.
 *
 * @param detectPs time without a frame until a queue is stormed: 0 = off, else 1 us to 10 s
 * @param restorePs time without an XOFF until the storm is over, 1 us to 10 s
 * @param drop frames of a stormed queue are dropped, else sent in spite of the pause
 */
public record WatchdogSpec(long detectPs, long restorePs, boolean drop) {
    /** No watchdog. */
    public static final WatchdogSpec OFF = new WatchdogSpec(0, 200_000_000_000L, true);

    /** SONiC's default. */
    public static final WatchdogSpec SONIC = new WatchdogSpec(200_000_000_000L, 200_000_000_000L, true);

    private static final long US = 1_000_000;
    private static final long MAX = 10_000_000_000_000L;

    /** Checks the ranges. */
    public WatchdogSpec {
        if (detectPs != 0) {
            Ranges.range("watchdog detection in ps", detectPs, US, MAX);
        }
        Ranges.range("watchdog restoration in ps", restorePs, US, MAX);
    }
}
