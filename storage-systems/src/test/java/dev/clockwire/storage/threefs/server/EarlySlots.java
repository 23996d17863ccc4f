package dev.clockwire.storage.threefs.server;

import dev.clockwire.sim.mem.MemorySanitizer;
import org.jspecify.annotations.Nullable;

/** Gives slots of a lost connection away while writes still use them. */
final class EarlySlots extends Granted {
    EarlySlots(BufferPool pool, @Nullable MemorySanitizer memory, int bytes, int lead, int qpn) {
        super(pool, memory, bytes, lead, qpn);
    }

    @Override
    boolean isFree(long slot) {
        return true;
    }
}
