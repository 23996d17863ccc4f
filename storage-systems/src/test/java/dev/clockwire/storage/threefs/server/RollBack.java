package dev.clockwire.storage.threefs.server;

import dev.clockwire.storage.threefs.chunk.ChunkMeta;
import dev.clockwire.storage.threefs.chunk.ChunkState;

/** Drops a pending version. */
final class RollBack extends Leftover {
    private final ChunkMeta chunk;

    RollBack(StorageService service, LocalTarget target, ChunkMeta chunk, long buffer, Runnable then) {
        super(service, target, chunk, buffer, then);
        this.chunk = chunk;
    }

    @Override
    void start() {
        chunk.updateVer = chunk.commitVer;
        chunk.state = ChunkState.COMMIT;
        chunk.pendingBlock = -1;
        end();
    }
}
