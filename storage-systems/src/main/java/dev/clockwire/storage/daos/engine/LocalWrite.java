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
    private final Engine engine;
    private final Rpc m;
    private final DtxEntry entry;
    private final Consumer<RpcStatus> then;

    /** Prepares one; {@code then} gets OK if it is durable and nobody has aborted the transaction. */
    LocalWrite(Engine engine, Rpc m, DtxEntry entry, Consumer<RpcStatus> then) {
        this.engine = engine;
        this.m = m;
        this.entry = entry;
        this.then = then;
    }

    void start() {
        engine.dma().take(m.length, this::fill);
    }

    private void fill(Slice s) {
        engine.tap("buffer", m.key, entry.epoch());
        if (isOver()) {
            end(s, RpcStatus.AGAIN);
        } else if (m.isBulk()) {
            pull(s);
        } else {
            var core = engine.worker().core();
            if (m.length >= engine.spec().vos().threshold()) {
                core.charge(HostCost.COPY_BYTE, m.length);
            }
            core.memory().putBytes(s.va(), m.data, 0, m.length);
            store(s);
        }
    }

    private void pull(Slice s) {
        if (!engine.rules().isInTime(engine.worker().now(), m.deadline)) {
            end(s, RpcStatus.AGAIN); // the client may use its memory for something else
            return;
        }
        Conn client = engine.context().endpoint().to(engine.context().node(m.bulkPeer));
        engine.context()
                .endpoint()
                .read(client, s.va(), m.length, s.chunk().lkey(), m.bulkAddress, m.bulkRkey, m.op.bulk(), ok -> {
                    engine.tap("pulled", m.key, entry.epoch());
                    if (!ok || isOver()) {
                        end(s, RpcStatus.AGAIN);
                    } else {
                        store(s);
                    }
                });
        engine.tap("pull", m.key, entry.epoch());
        if (!engine.rules().keepsBuffers()) {
            engine.dma().give(s);
        }
    }

    private boolean isOver() {
        return engine.isOver() || entry.state() != DtxState.INITED;
    }

    private void store(Slice s) {
        if (engine.spec().vos().verify() && engine.vos().checksum(s.va(), m.length) != m.checksum) {
            end(s, RpcStatus.CSUM);
            return;
        }
        engine.vos()
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
        if (engine.rules().keepsBuffers() || !m.isBulk()) {
            engine.dma().give(s);
        }
        then.accept(how);
    }
}
