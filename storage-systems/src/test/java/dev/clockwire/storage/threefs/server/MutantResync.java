package dev.clockwire.storage.threefs.server;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.storage.threefs.chunk.ChunkMeta;
import dev.clockwire.storage.threefs.mgmtd.Target;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Resyncs that break one rule each. */
final class MutantResync {
    private MutantResync() {}

    /** Takes chunks of the same version for the same. */
    static final class VersionOnly extends Resync {
        VersionOnly(StorageService service) {
            super(service);
        }

        @Override
        boolean differs(ChunkMeta mine, byte[] b, int at) {
            return mine.updateVer != LittleEndian.get32(b, at + 8);
        }
    }

    /** Names its own target where the other's is meant. */
    static final class OwnTarget extends Resync {
        OwnTarget(StorageService service) {
            super(service);
        }

        @Override
        long unwanted(@Nullable Target own, Target successor) {
            return Objects.requireNonNull(own).id();
        }
    }
}
