package dev.clockwire.storage.threefs.server;

import dev.clockwire.storage.threefs.chunk.ChunkMeta;
import dev.clockwire.storage.threefs.chunk.ChunkState;
import dev.clockwire.storage.threefs.rpc.Message;

/** Reads that break one rule each. */
final class MutantReads {
    private MutantReads() {}

    /** Returns what is pending. */
    static final class Pending extends ReadOp {
        Pending(StorageService service, ReadBatch batch, Message m) {
            super(service, batch, m);
        }

        @Override
        void pending(ChunkMeta c) {
            read(c, c.state == ChunkState.CLEAN);
        }

        @Override
        boolean isToBeRejected(ChunkMeta c) {
            return false;
        }
    }

    /** Does not look whether its block is another version's by now. */
    static final class AnyBlock extends ReadOp {
        AnyBlock(StorageService service, ReadBatch batch, Message m) {
            super(service, batch, m);
        }

        @Override
        boolean isStillThere(ChunkMeta c, int block) {
            return true;
        }
    }
}
