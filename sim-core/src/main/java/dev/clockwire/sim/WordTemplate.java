package dev.clockwire.sim;

import java.lang.invoke.MethodHandles;

/** See {@link Specialiser}: eight groups of eight modules as constants. Only its clones are initialised. */
final class WordTemplate implements Word {
    private static final Word[] GROUPS = Specialiser.data(MethodHandles.lookup(), Word[].class);
    private static final Word G0 = GROUPS[0];
    private static final Word G1 = GROUPS[1];
    private static final Word G2 = GROUPS[2];
    private static final Word G3 = GROUPS[3];
    private static final Word G4 = GROUPS[4];
    private static final Word G5 = GROUPS[5];
    private static final Word G6 = GROUPS[6];
    private static final Word G7 = GROUPS[7];

    WordTemplate() {}

    @Override
    public long tick(long awake, long cycle) {
        long stay = 0;
        if ((awake & 0xFFL) != 0) {
            stay = G0.tick(awake & 0xFF, cycle);
        }
        if ((awake & (0xFFL << 8)) != 0) {
            stay |= G1.tick((awake >>> 8) & 0xFF, cycle) << 8;
        }
        if ((awake & (0xFFL << 16)) != 0) {
            stay |= G2.tick((awake >>> 16) & 0xFF, cycle) << 16;
        }
        if ((awake & (0xFFL << 24)) != 0) {
            stay |= G3.tick((awake >>> 24) & 0xFF, cycle) << 24;
        }
        if ((awake & (0xFFL << 32)) != 0) {
            stay |= G4.tick((awake >>> 32) & 0xFF, cycle) << 32;
        }
        if ((awake & (0xFFL << 40)) != 0) {
            stay |= G5.tick((awake >>> 40) & 0xFF, cycle) << 40;
        }
        if ((awake & (0xFFL << 48)) != 0) {
            stay |= G6.tick((awake >>> 48) & 0xFF, cycle) << 48;
        }
        if (awake >>> 56 != 0) {
            stay |= G7.tick(awake >>> 56, cycle) << 56;
        }
        return stay;
    }
}
