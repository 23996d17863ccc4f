package dev.clockwire.bench.replay;

import java.util.List;

/**
 * Collects the fields in which a captured packet and a simulated one differ.
 *
 * @param frame of the captured packet
 * @param into where differences go
 */
record Differ(long frame, List<ReplayReport.Difference> into) {
    /** Compares a field. */
    void compare(String field, long expected, long got) {
        if (expected != got) {
            into.add(new ReplayReport.Difference(frame, field, hex(expected), hex(got)));
        }
    }

    static String hex(long value) {
        return "0x" + Long.toHexString(value);
    }
}
