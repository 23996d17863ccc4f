package dev.clockwire.storage.threefs.server;

import dev.clockwire.storage.cluster.Disk;
import dev.clockwire.storage.threefs.chunk.ChunkMeta;
import dev.clockwire.storage.threefs.chunk.ChunkState;
import dev.clockwire.storage.threefs.mgmtd.Chain;
import dev.clockwire.storage.threefs.mgmtd.Target;
import dev.clockwire.storage.threefs.net.RdmaRange;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Method;
import dev.clockwire.storage.threefs.rpc.Status;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One read of a request: which version, the disk into a buffer, and what its client is told. */
class ReadOp {
    private static final long NONE = -1;

    private final StorageService service;
    private final ReadBatch batch;
    private final Message m;
    private @Nullable LocalTarget target;
    private @Nullable ChunkMeta chunk;
    private @Nullable Message answer;
    private boolean pending;
    private int block;
    private int version;
    private int bytes;
    private int checksum;
    private long buffer = NONE;
    private final long beganPs;

    ReadOp(StorageService service, ReadBatch batch, Message m) {
        this.service = service;
        this.batch = batch;
        this.m = m;
        beganPs = service.worker().now();
    }

    void judge() {
        service.readable(m, status -> {
            if (status == Status.OK) {
                target = service.target(m.chain);
                service.watch().events().admitted(service.worker().now(), service.number(), m.chain);
                start();
            } else {
                end(status);
            }
        });
    }

    private LocalTarget target() {
        return Objects.requireNonNull(target);
    }

    private void start() {
        ChunkMeta c = target().store.find(m.key);
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
            case DIRTY -> read(c, c.state == ChunkState.CLEAN);
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
        service.trace("told", m);
        if (newest == StorageService.UNKNOWN) {
            end(Status.CHUNK_NOT_COMMIT);
        } else {
            read(c, newest >= c.updateVer && c.isPending());
        }
    }

    /** Reads the committed version, or the pending one. */
    final void read(ChunkMeta c, boolean newest) {
        if (c.hollow && !newest) {
            end(Status.CHUNK_NOT_COMMIT);
            return;
        }
        chunk = c;
        pending = newest;
        int length = pending ? c.pendingLength : c.length;
        if (length == 0 || m.offset >= length) {
            end(Status.CHUNK_NOT_FOUND);
            return;
        }
        version = pending ? c.updateVer : c.commitVer;
        bytes = Math.min(m.length, length - m.offset);
        block = pending ? c.pendingBlock : c.block;
        if (buffer == NONE) {
            batch.judged();
        } else {
            fill(buffer);
        }
    }

    /** Has the disk fill a buffer. */
    void fill(long into) {
        buffer = into;
        service.trace("buffer", m);
        ChunkMeta c = Objects.requireNonNull(chunk);
        target().store.read(c, pending, m.offset, bytes, buffer, ok -> {
            if (!ok) {
                end(Status.DISK_ERROR);
            } else if (!isStillThere(c, block)) {
                start();
            } else if (isToBeRejected(c)) {
                end(Status.CHUNK_NOT_COMMIT);
            } else {
                service.tap("read.disk", m, version);
                checksum = c.block == block ? c.checksum : c.pendingChecksum; // it may have been committed meanwhile
                service.watch()
                        .events()
                        .served(service.worker().now(), service.number(), m.chain, m.key, version, checksum, beganPs);
                batch.ready();
            }
        });
    }

    /** Returns whether a block that was read is still a version of the chunk: else it may have been used again meanwhile. */
    boolean isStillThere(ChunkMeta c, int which) {
        return (c.block == which && c.commitVer == version)
                || (c.pendingBlock == which && c.updateVer == version && c.isPending());
    }

    /** Returns whether a version that has come meanwhile is in the way of what was read. */
    boolean isToBeRejected(ChunkMeta c) {
        return service.spec().rule() == ReadRule.REJECT && c.isPending();
    }

    /** Returns where its bytes are, and are to go. */
    RdmaRange range() {
        return new RdmaRange(
                buffer + m.offset % Disk.BLOCK, bytes, service.buffers().lkey(), m.address, m.rkey);
    }

    /** It may be sent. */
    void permitted() {
        service.trace("permit", m);
    }

    /** Its bytes have arrived, or the connection is gone. */
    void sent(Status how) {
        service.trace("sent", m);
        service.buffers().give(buffer);
        buffer = NONE;
        Message done = new Message().answers(m, how);
        done.length = bytes;
        done.commitVer = version;
        done.checksum = checksum;
        answer = done;
    }

    private void end(Status how) {
        answer = new Message().answers(m, how);
        if (buffer == NONE) {
            batch.judged();
        } else {
            service.buffers().give(buffer);
            buffer = NONE;
            batch.ready();
        }
    }

    boolean isEnded() {
        return answer != null;
    }

    Message answer() {
        return Objects.requireNonNull(answer);
    }

    /** The client has been told. */
    void left() {
        if (answer().status == Status.OK) {
            service.tap("read.answer", m, version);
        } else {
            service.trace("read.answer", m);
        }
    }
}
