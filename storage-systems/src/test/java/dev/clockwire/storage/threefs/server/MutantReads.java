package dev.clockwire.storage.threefs.server;

import dev.clockwire.storage.threefs.chunk.ChunkMeta;
import dev.clockwire.storage.threefs.chunk.ChunkState;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Status;

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

    /** Returns what is pending, or what was before, in turn. */
    static final class InTurn extends ReadOp {
        private final boolean newest;

        InTurn(StorageService service, ReadBatch batch, Message m) {
            super(service, batch, m);
            newest = m.request % 2 == 0;
        }

        @Override
        void pending(ChunkMeta c) {
            read(c, newest && c.state == ChunkState.CLEAN);
        }
    }

    /** Takes a buffer more than it gives back. */
    static final class Keeps extends ReadOp {
        private final StorageService service;

        Keeps(StorageService service, ReadBatch batch, Message m) {
            super(service, batch, m);
            this.service = service;
        }

        @Override
        void sent(Status how) {
            super.sent(how);
            service.buffers().take(buffer -> {});
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
