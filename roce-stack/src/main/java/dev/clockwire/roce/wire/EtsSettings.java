package dev.clockwire.roce.wire;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.List;

/**
 * Enhanced transmission selection of a port, as DCBX tells it: IEEE 802.1Qaz, annex D, subtypes 9 (what the port does) and 10 (what it recommends).
 *
 * @param willing the port may take over what the far end recommends
 * @param creditShaper it has credit-based shapers
 * @param classes traffic classes it can have, 1 to 8
 * @param classOf traffic class of each priority
 * @param shares per cent of each traffic class, 0 to 100
 * @param algorithms of each traffic class: {@link #STRICT}, {@link #SHAPED}, {@link #SHARED} or {@link #VENDOR}
 */
public record EtsSettings(
        boolean willing,
        boolean creditShaper,
        int classes,
        List<Integer> classOf,
        List<Integer> shares,
        List<Integer> algorithms) {
    /** Strict priority. */
    public static final int STRICT = 0;
    /** Credit-based shaper. */
    public static final int SHAPED = 1;
    /** Enhanced transmission selection: a share. */
    public static final int SHARED = 2;
    /** What the vendor does. */
    public static final int VENDOR = 255;

    private static final int PRIORITIES = 8;
    private static final int PER_CENT = 100;

    /** Checks the ranges. */
    public EtsSettings {
        classOf = eight("traffic class of a priority", classOf, PRIORITIES - 1);
        shares = eight("share of a traffic class in per cent", shares, PER_CENT);
        algorithms = eight("algorithm of a traffic class", algorithms, VENDOR);
        range("traffic classes", classes, 1, PRIORITIES);
    }

    private static List<Integer> eight(String what, List<Integer> values, int most) {
        range("number of values: " + what, values.size(), PRIORITIES, PRIORITIES);
        values.forEach(v -> range(what, v, 0, most));
        return List.copyOf(values);
    }

    private static void range(String what, int value, int low, int high) {
        if (value < low || value > high) {
            throw new ConfigurationException(what + " " + value + " is not in " + low + ".." + high);
        }
    }
}
