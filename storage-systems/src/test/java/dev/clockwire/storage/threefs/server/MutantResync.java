package dev.clockwire.storage.threefs.server;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.storage.threefs.chunk.ChunkMeta;

/** Takes chunks of the same version for the same. */
final class MutantResync extends Resync {
    MutantResync(StorageService service) {
        super(service);
    }

    @Override
    boolean differs(ChunkMeta mine, byte[] b, int at) {
        return mine.updateVer != LittleEndian.get32(b, at + 8);
    }
}
