package dev.clockwire.roce.verbs;

/**
 * The share of the send engine that one queue pair gets, in the words of Linux's {@code devlink rate}.
 *
 * @param priority {@code tx_priority}, 0 (lowest) to 7: under a strict scheduler a queue pair goes only while none of a higher priority is
 *     ready
 * @param weight {@code tx_weight}, 1 to 255: under a weighted scheduler the packets in each round
 */
public record QpSchedule(int priority, int weight) {
    /** What a queue pair has by itself. */
    public static final QpSchedule USUAL = new QpSchedule(0, 1);

    private static final int MAX_PRIORITY = 7;
    private static final int MAX_WEIGHT = 255;

    /** Checks the ranges. */
    public QpSchedule {
        range("priority", priority, 0, MAX_PRIORITY);
        range("weight", weight, 1, MAX_WEIGHT);
    }

    private static void range(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw new VerbsException(
                    Errno.EINVAL, "modify_qp_schedule", what + " " + value + " is not in " + min + ".." + max);
        }
    }
}
