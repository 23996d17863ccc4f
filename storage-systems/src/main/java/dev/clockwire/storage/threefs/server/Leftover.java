package dev.clockwire.storage.threefs.server;

import dev.clockwire.storage.threefs.chunk.ChunkMeta;
import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.mgmtd.Target;
import dev.clockwire.storage.threefs.mgmtd.TargetState;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Method;
import dev.clockwire.storage.threefs.rpc.Status;

/**
 * Brings a version to its end that a write has left pending at the head: a replica behind may have committed it and a reader may have seen it, so it can
 * only go forward. Tries until it has, or the node is no longer head: others decide then, and what is pending here is replaced.
 */
class Leftover {
    private final StorageService service;
    private final LocalTarget target;
    private final ChunkMeta chunk;
    private final long buffer;
    private final Runnable then;
    private final int version;

    Leftover(StorageService service, LocalTarget target, ChunkMeta chunk, long buffer, Runnable then) {
        this.service = service;
        this.target = target;
        this.chunk = chunk;
        this.buffer = buffer;
        this.then = then;
        version = chunk.updateVer;
    }

    void start() {
        Chain chain = service.routing().routing().chain(target.chain);
        Target own = chain == null ? null : chain.of(service.number());
        Target head = chain == null ? null : chain.head();
        if (chain == null || own == null || !own.equals(head) || service.isGone()) {
            end();
            return;
        }
        Target to = chain.behind(service.number());
        if (to == null) {
            commit(chain.version());
            return;
        }
        Message f = service.ownMessage(Method.WRITE, target.chain, chunk.key);
        f.chainVer = chain.version();
        f.length = chunk.pendingLength;
        f.updateVer = version;
        f.checksum = chunk.pendingChecksum;
        service.carry(f, chunk);
        f.flags = to.state() == TargetState.SYNCING ? StorageService.REPLACE : 0;
        service.send(
                to.node(),
                f,
                chain.place(to.node()),
                buffer,
                service.spec().times().forwardMost(),
                answer -> {
                    boolean same = chain.version() == service.chainVer(target.chain);
                    if (answer.status == Status.OK && !same) {
                        start();
                    } else if (answer.status == Status.OK && answer.checksum == chunk.pendingChecksum) {
                        commit(chain.version());
                    } else {
                        long wait = service.spec().times().forwardFirst();
                        service.worker().after(wait, (a, b) -> service.routing().refresh(this::start), 0, 0);
                    }
                });
    }

    private void commit(int chainVer) {
        target.store.commit(chunk.key, version, chainVer, ok -> {
            if (ok) {
                service.committed(target, chunk.key, version, false);
            }
            end();
        });
    }

    final void end() {
        service.buffers().give(buffer);
        then.run();
    }
}
