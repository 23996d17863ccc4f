package dev.clockwire.storage.threefs.usrbio;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * Where things lie in a ring, from 3FS's IoRing.h: four 32-bit marks (heads and tails of submissions and completions), arguments, completions, submissions, a semaphore. One
 * slot of each ring stays empty, to tell full from empty.
 *
 * @param entries that can be under way
 */
public record RingLayout(int entries) {
    /** Place of the mark of the first submission that was not taken. */
    public static final int SQE_HEAD = 0;
    /** Place of the mark behind the last submission. */
    public static final int SQE_TAIL = 4;
    /** Place of the mark of the first completion that was not taken. */
    public static final int CQE_HEAD = 8;
    /** Place of the mark behind the last completion. */
    public static final int CQE_TAIL = 12;
    /** Bytes of arguments: buffer 16, offset in it, file, offset in it, length, user's data. */
    public static final int ARGS_BYTES = 56;
    /** Bytes of a completion: index, reserved, result, user's data. */
    public static final int CQE_BYTES = 24;
    /** Bytes of a submission: index, padding, user's data. */
    public static final int SQE_BYTES = 16;

    private static final int MARKS = 16;
    private static final int SEMAPHORE = 32;
    private static final int SLACK = 4096;
    private static final int MOST = 1 << 20;

    /** Checks the range. */
    public RingLayout {
        if (entries < 1 || entries > MOST) {
            throw new ConfigurationException("ring of " + entries + " entries: must be 1 to " + MOST);
        }
    }

    /** Returns the slots of each ring. */
    public int slots() {
        return entries + 1;
    }

    /** Returns where the arguments of a slot lie. */
    public int args(int slot) {
        return MARKS + slot * ARGS_BYTES;
    }

    /** Returns where a completion lies. */
    public int cqe(int slot) {
        return args(slots()) + slot * CQE_BYTES;
    }

    /** Returns where a submission lies. */
    public int sqe(int slot) {
        return cqe(slots()) + slot * SQE_BYTES;
    }

    /** Returns the bytes of all of it. */
    public int bytes() {
        return sqe(slots()) + SEMAPHORE + SLACK;
    }
}
