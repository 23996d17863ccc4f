package dev.clockwire.roce.fabric.bridge;

import dev.clockwire.roce.wire.Frame;
import java.util.List;

/**
 * Which class a frame is in.
 *
 * @param trustPcp a tagged frame goes by the priority of its tag, others and all else by DSCP
 * @param ofDscp class of each of the 64 code points
 * @param ofPcp class of each of the 8 priorities
 */
public record ClassMap(boolean trustPcp, List<Integer> ofDscp, List<Integer> ofPcp) {
    private static final int CODE_POINTS = 64;

    /** Checks the ranges. */
    public ClassMap {
        ofDscp = List.copyOf(ofDscp);
        ofPcp = List.copyOf(ofPcp);
        Ranges.range("number of code points", ofDscp.size(), CODE_POINTS, CODE_POINTS);
        Ranges.range("number of priorities", ofPcp.size(), SharedBuffer.CLASSES, SharedBuffer.CLASSES);
        ofDscp.forEach(c -> Ranges.range("class of a code point", c, 0, SharedBuffer.CLASSES - 1));
        ofPcp.forEach(c -> Ranges.range("class of a priority", c, 0, SharedBuffer.CLASSES - 1));
    }

    /** Returns the usual map: code points 8n to 8n + 7 and priority n are class n. */
    public static ClassMap standard() {
        List<Integer> dscp = java.util.stream.IntStream.range(0, CODE_POINTS)
                .mapToObj(d -> d >> 3)
                .toList();
        return new ClassMap(false, dscp, List.of(0, 1, 2, 3, 4, 5, 6, 7));
    }

    /** Returns the classes as arrays for the path of each frame: code points first, then priorities. */
    int[] table() {
        int[] table = new int[CODE_POINTS + SharedBuffer.CLASSES];
        for (int i = 0; i < CODE_POINTS; i++) {
            table[i] = ofDscp.get(i);
        }
        for (int i = 0; i < SharedBuffer.CLASSES; i++) {
            table[CODE_POINTS + i] = ofPcp.get(i);
        }
        return table;
    }

    /** Returns the class of a frame by a {@link #table}. */
    static int of(Frame frame, int[] table, boolean trustPcp) {
        int pcp = trustPcp ? frame.pcp() : -1;
        return pcp >= 0 ? table[CODE_POINTS + pcp] : table[frame.dscp()];
    }
}
