package dev.clockwire.sim;

import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * See {@link Specialiser}: up to eight modules as constants. When half of them are awake all are ticked without asking: a tick
 * without work is a no-op. The method is longer than the JIT's limit for inlining hot methods (325 bytes of code) on purpose: compiled
 * on its own it is as fast as inlined, and the speed of one JVM differs from the next by 5 % instead of 100 %.
 */
final class GroupTemplate implements Word {
    private static final @Nullable SimModule[] MODULES = Specialiser.data(MethodHandles.lookup(), SimModule[].class);
    private static final @Nullable SimModule M0 = MODULES[0];
    private static final @Nullable SimModule M1 = MODULES[1];
    private static final @Nullable SimModule M2 = MODULES[2];
    private static final @Nullable SimModule M3 = MODULES[3];
    private static final @Nullable SimModule M4 = MODULES[4];
    private static final @Nullable SimModule M5 = MODULES[5];
    private static final @Nullable SimModule M6 = MODULES[6];
    private static final @Nullable SimModule M7 = MODULES[7];
    private static final int HALF = (Specialiser.count(MODULES) + 1) / 2;

    GroupTemplate() {}

    @Override
    public long tick(long awake, long cycle) {
        long stay = 0;
        if (Long.bitCount(awake) >= HALF) {
            if (M0 != null && M0.tick(cycle)) stay |= 1L;
            if (M1 != null && M1.tick(cycle)) stay |= 2L;
            if (M2 != null && M2.tick(cycle)) stay |= 4L;
            if (M3 != null && M3.tick(cycle)) stay |= 8L;
            if (M4 != null && M4.tick(cycle)) stay |= 16L;
            if (M5 != null && M5.tick(cycle)) stay |= 32L;
            if (M6 != null && M6.tick(cycle)) stay |= 64L;
            if (M7 != null && M7.tick(cycle)) stay |= 128L;
            return stay;
        }
        if ((awake & 1L) != 0 && M0 != null && M0.tick(cycle)) stay |= 1L;
        if ((awake & 2L) != 0 && M1 != null && M1.tick(cycle)) stay |= 2L;
        if ((awake & 4L) != 0 && M2 != null && M2.tick(cycle)) stay |= 4L;
        if ((awake & 8L) != 0 && M3 != null && M3.tick(cycle)) stay |= 8L;
        if ((awake & 16L) != 0 && M4 != null && M4.tick(cycle)) stay |= 16L;
        if ((awake & 32L) != 0 && M5 != null && M5.tick(cycle)) stay |= 32L;
        if ((awake & 64L) != 0 && M6 != null && M6.tick(cycle)) stay |= 64L;
        if ((awake & 128L) != 0 && M7 != null && M7.tick(cycle)) stay |= 128L;
        return stay;
    }
}
