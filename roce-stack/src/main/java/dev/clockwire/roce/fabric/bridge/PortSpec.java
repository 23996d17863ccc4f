package dev.clockwire.roce.fabric.bridge;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What depends on the link of a switch's port.
 *
 * @param headroom bytes of each lossless class, for what is under way when the far end is stopped; 0 to 2^30
 * @param alphaLog2 a class takes up to 2^n x the free shared bytes, -10 to 10
 * @param xoff bytes of the shared ones that a class takes at most however many are free, 0 = no fixed threshold
 * @param marks of each of the eight classes
 */
public record PortSpec(int headroom, int alphaLog2, int xoff, List<MarkSpec> marks) {
    /** Checks the ranges. */
    public PortSpec {
        marks = List.copyOf(marks);
        Ranges.range("headroom in bytes", headroom, 0, 1 << 30);
        Ranges.range("fixed threshold in bytes", xoff, 0, 1 << 30);
        Ranges.range("log2 of alpha", alphaLog2, -BufferSpec.MAX_ALPHA_LOG2, BufferSpec.MAX_ALPHA_LOG2);
        Ranges.range("number of mark rules", marks.size(), SharedBuffer.CLASSES, SharedBuffer.CLASSES);
    }

    /** Returns a port that marks nothing. */
    public static PortSpec of(int headroom, int alphaLog2) {
        return new PortSpec(headroom, alphaLog2, 0, Collections.nCopies(SharedBuffer.CLASSES, MarkSpec.NONE));
    }

    /** Returns a copy in which one class is marked. */
    public PortSpec withMarks(int priority, MarkSpec rule) {
        List<MarkSpec> changed = new ArrayList<>(marks);
        changed.set(priority, rule);
        return new PortSpec(headroom, alphaLog2, xoff, changed);
    }

    /** Returns a copy with a fixed threshold in place of alpha. */
    public PortSpec withXoff(int bytes) {
        return new PortSpec(headroom, alphaLog2, bytes, marks);
    }
}
