package dev.clockwire.storage.threefs.server;

import dev.clockwire.sim.mem.MemorySanitizer;
import dev.clockwire.storage.threefs.chunk.ChunkMeta;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.RpcPeer;
import org.jspecify.annotations.Nullable;

/**
 * What a service is made of. Each rule on which safety rests is a method of one part, so a test can put in a part that breaks a rule, and see who
 * finds out; the service knows nothing of that.
 */
class Parts {
    Gate gate() {
        return new Gate();
    }

    Locks locks() {
        return new Locks();
    }

    Channels channels() {
        return new Channels();
    }

    UpdateOp update(StorageService service, RpcPeer from, Message m) {
        return new UpdateOp(service, from, m);
    }

    ReadOp read(StorageService service, ReadBatch batch, Message m) {
        return new ReadOp(service, batch, m);
    }

    Leftover leftover(StorageService service, LocalTarget target, ChunkMeta chunk, long buffer, Runnable then) {
        return new Leftover(service, target, chunk, buffer, then);
    }

    Resync resync(StorageService service) {
        return new Resync(service);
    }

    /** Returns the place in a chain whose slots are used for a write to a place. */
    int place(int place) {
        return place;
    }

    /** Returns how many buffers a write leaves to those that are nearer to the tail. */
    int leaves(int behind) {
        return behind;
    }

    Granted granted(BufferPool pool, @Nullable MemorySanitizer memory, int bytes, int lead, int qpn) {
        return new Granted(pool, memory, bytes, lead, qpn);
    }
}
