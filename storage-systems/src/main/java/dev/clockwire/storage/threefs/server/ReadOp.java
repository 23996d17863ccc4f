package dev.clockwire.storage.threefs.server;

import dev.clockwire.storage.cluster.Disk;
import dev.clockwire.storage.threefs.chunk.ChunkMeta;
import dev.clockwire.storage.threefs.chunk.ChunkState;
import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.mgmtd.Target;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Method;
import dev.clockwire.storage.threefs.rpc.RpcPeer;
import dev.clockwire.storage.threefs.rpc.Status;

/** One read at one node: the disk into a buffer, the buffer into the client's memory, and when that has arrived the answer. */
class ReadOp {
    private final StorageService service;
    private final RpcPeer from;
    private final Message m;
    private final LocalTarget target;
    private int version;

    ReadOp(StorageService service, RpcPeer from, Message m, LocalTarget target) {
        this.service = service;
        this.from = from;
        this.m = m;
        this.target = target;
    }

    void start() {
        ChunkMeta c = target.store.find(m.key);
        if (c == null) {
            end(Status.CHUNK_NOT_FOUND);
            return;
        }
        if (!c.isPending()) {
            read(c, false);
            return;
        }
        pending(c);
    }

    /** A version is pending: the rule of reads decides. */
    void pending(ChunkMeta c) {
        switch (service.spec().rule()) {
            case REJECT -> end(Status.CHUNK_NOT_COMMIT);
            case COMMITTED -> read(c, false);
            case DIRTY -> {
                if (c.state == ChunkState.CLEAN) {
                    read(c, true);
                } else {
                    read(c, false);
                }
            }
            case TAIL_QUERY -> query(c);
        }
    }

    private void query(ChunkMeta c) {
        Chain chain = service.routing().routing().chain(m.chain);
        Target tail = chain == null ? null : chain.tail();
        if (chain == null || tail == null) {
            end(Status.CHUNK_NOT_COMMIT);
            return;
        }
        if (tail.node() == service.number()) {
            told(c, service.newest(m.chain, m.key));
            return;
        }
        Message q = new Message();
        q.chainVer = chain.version();
        q.method = Method.QUERY;
        q.chain = m.chain;
        q.key = m.key;
        service.call(
                tail.node(),
                q,
                service.spec().times().rpc(),
                answer -> told(c, answer.status == Status.OK ? answer.commitVer : StorageService.UNKNOWN));
    }

    /** The tail has told what it has committed. */
    private void told(ChunkMeta c, int newest) {
        if (newest == StorageService.UNKNOWN) {
            end(Status.CHUNK_NOT_COMMIT);
        } else {
            read(c, newest >= c.updateVer && c.isPending());
        }
    }

    /** Reads the committed version, or the pending one. */
    final void read(ChunkMeta c, boolean pending) {
        if (c.hollow && !pending) {
            end(Status.CHUNK_NOT_COMMIT);
            return;
        }
        int length = pending ? c.pendingLength : c.length;
        if (length == 0 || m.offset >= length) {
            end(Status.CHUNK_NOT_FOUND);
            return;
        }
        version = pending ? c.updateVer : c.commitVer;
        int n = Math.min(m.length, length - m.offset);
        int block = pending ? c.pendingBlock : c.block;
        service.buffers()
                .take(buffer -> target.store.read(c, pending, m.offset, n, buffer, ok -> {
                    if (!ok) {
                        service.buffers().give(buffer);
                        end(Status.DISK_ERROR);
                    } else if (!isStillThere(c, block)) {
                        service.buffers().give(buffer);
                        start();
                    } else if (isToBeRejected(c)) {
                        service.buffers().give(buffer);
                        end(Status.CHUNK_NOT_COMMIT);
                    } else {
                        service.tap("read.disk", m, version);
                        send(buffer, n, pending ? c.pendingChecksum : c.checksum);
                    }
                }));
    }

    /** Returns whether a block that was read is still a version of the chunk: else it may have been used again meanwhile. */
    boolean isStillThere(ChunkMeta c, int block) {
        return c.block == block || c.pendingBlock == block;
    }

    /** Returns whether a version that has come meanwhile is in the way of what was read. */
    boolean isToBeRejected(ChunkMeta c) {
        return service.spec().rule() == ReadRule.REJECT && c.isPending();
    }

    private void send(long buffer, int n, int checksum) {
        from.socket().write(buffer + m.offset % Disk.BLOCK, n, service.buffers().lkey(), m.address, m.rkey, ok -> {
            service.buffers().give(buffer);
            Message done = new Message().answers(m, ok ? Status.OK : Status.COMMUNICATION);
            done.length = n;
            done.commitVer = version;
            done.checksum = checksum;
            from.answer(done);
            service.tap("read.answer", m, version);
        });
    }

    private void end(Status how) {
        from.answer(new Message().answers(m, how));
    }
}
