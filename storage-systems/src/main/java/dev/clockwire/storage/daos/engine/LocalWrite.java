package dev.clockwire.storage.daos.engine;

import dev.clockwire.sim.host.HostCost;
import dev.clockwire.storage.daos.dtx.DtxEntry;
import dev.clockwire.storage.daos.dtx.DtxState;
import dev.clockwire.storage.daos.ofi.Conn;
import dev.clockwire.storage.daos.rpc.DmaBuffer.Slice;
import dev.clockwire.storage.daos.rpc.Rpc;
import dev.clockwire.storage.daos.rpc.RpcStatus;
import java.util.function.Consumer;

/** What every replica does with an update: get the value into the DMA buffer, from the client's memory or out of the request, and store it. */
final class LocalWrite {
    private final Target target;
    private final Rpc m;
    private final DtxEntry entry;
    private final Consumer<RpcStatus> then;
    private final Consumer<Slice> filled;
    private int holders = 1;

    /** Prepares one; {@code then} gets OK if it is durable and nobody has aborted the transaction. */
    LocalWrite(Target target, Rpc m, DtxEntry entry, Consumer<RpcStatus> then) {
        this(target, m, entry, then, s -> {});
    }

    /** The same; {@code filled} is told where the value is before it is stored. */
    LocalWrite(Target target, Rpc m, DtxEntry entry, Consumer<RpcStatus> then, Consumer<Slice> filled) {
        this.filled = filled;
        this.target = target;
        this.m = m;
        this.entry = entry;
        this.then = then;
    }

    void start() {
        target.dma().take(m.length, this::fill);
    }

    private void fill(Slice s) {
        target.tap("buffer", entry);
        if (isOver()) {
            end(s, RpcStatus.AGAIN);
        } else if (m.isBulk()) {
            pull(s);
        } else {
            var core = target.worker().core();
            if (m.length >= target.spec().vos().threshold()) {
                core.charge(HostCost.COPY_BYTE, m.length);
            }
            core.memory().putBytes(s.va(), m.data, 0, m.length);
            store(s);
        }
    }

    private void pull(Slice s) {
        if (target.worker().now() > m.deadline) {
            end(s, RpcStatus.AGAIN); // the client may use its memory for something else
            return;
        }
        Conn client = target.context().reach(m.bulkPeer);
        target.context()
                .endpoint()
                .read(client, s.va(), m.length, s.chunk().lkey(), m.bulkAddress, m.bulkRkey, m.op.bulk(), ok -> {
                    target.tap("pulled", entry);
                    if (!ok || isOver()) {
                        end(s, RpcStatus.AGAIN);
                    } else {
                        store(s);
                    }
                });
        target.tap("pull", entry);
        if (!target.rules().keepsBuffers()) {
            target.dma().give(s);
        }
    }

    private boolean isOver() {
        return target.isOver() || entry.state() != DtxState.INITED;
    }

    /** Keeps the buffer for somebody else who reads it, until {@link #leave}. */
    void hold() {
        holders++;
    }

    /** Somebody does not need the buffer any more. */
    void leave(Slice s) {
        holders--;
        if (holders == 0) {
            target.dma().give(s);
        }
    }

    private void store(Slice s) {
        filled.accept(s);
        if (target.spec().vos().verify() && target.vos().checksum(s.va(), m.length) != m.checksum) {
            end(s, RpcStatus.CSUM);
            return;
        }
        target.vos()
                .write(
                        entry.id(),
                        m.key,
                        entry.epoch(),
                        s.va(),
                        m.length,
                        m.checksum,
                        DtxState.PREPARED,
                        ok -> end(s, ok ? RpcStatus.OK : RpcStatus.AGAIN));
    }

    private void end(Slice s, RpcStatus how) {
        if (target.rules().keepsBuffers() || !m.isBulk()) {
            leave(s);
        }
        then.accept(how);
    }
}
