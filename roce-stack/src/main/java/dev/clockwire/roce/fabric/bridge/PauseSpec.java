package dev.clockwire.roce.fabric.bridge;

import dev.clockwire.roce.wire.PauseFrame;

/**
 * How a switch pauses who sends to it.
 *
 * @param lossless bit n: class n is paused rather than lost; 0 switches pauses off
 * @param quanta time asked for with each XOFF, 1 to 65535 quanta of 512 bit times
 * @param expires a pause ends when its time is over, and is asked for again after half of it; else it lasts until it is ended
 * @param wholeLink pauses the link as IEEE 802.3x does, not a class
 */
public record PauseSpec(int lossless, int quanta, boolean expires, boolean wholeLink) {
    /** No class is lossless. */
    public static final PauseSpec NONE = new PauseSpec(0, PauseFrame.MAX_QUANTA, true, false);

    /** Checks the ranges. */
    public PauseSpec {
        Ranges.range("lossless classes", lossless, 0, 0xFF);
        Ranges.range("pause quanta", quanta, 1, PauseFrame.MAX_QUANTA);
    }

    /** Returns pauses of one class with the longest time. */
    public static PauseSpec ofClass(int priority) {
        Ranges.range("class", priority, 0, PauseFrame.CLASSES - 1);
        return new PauseSpec(1 << priority, PauseFrame.MAX_QUANTA, true, false);
    }
}
