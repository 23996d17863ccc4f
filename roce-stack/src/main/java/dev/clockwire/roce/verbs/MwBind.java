package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.AccessFlag;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a memory window is to open ({@code ibv_mw_bind_info}). Whether region, range and rights fit is found when the work is
 * done.
 *
 * @param window the window
 * @param region the region; needs {@link AccessFlag#MW_BIND}
 * @param address first byte, as the region counts addresses
 * @param length bytes; 0 unbinds a window of type 1
 * @param access what the peer may do
 */
public record MwBind(MemoryWindow window, MemoryRegion region, long address, long length, Set<AccessFlag> access) {
    /** Copies the set. */
    public MwBind {
        Set<AccessFlag> copy = EnumSet.noneOf(AccessFlag.class);
        copy.addAll(access);
        access = Collections.unmodifiableSet(copy);
    }

    /** Returns the {@link AccessFlag} mask. */
    public int accessMask() {
        return AccessFlag.mask(access);
    }
}
