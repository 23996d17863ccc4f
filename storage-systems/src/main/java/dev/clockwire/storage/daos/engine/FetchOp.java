package dev.clockwire.storage.daos.engine;

import dev.clockwire.sim.host.HostCost;
import dev.clockwire.storage.daos.rpc.DmaBuffer.Slice;
import dev.clockwire.storage.daos.rpc.Rpc;
import dev.clockwire.storage.daos.rpc.RpcOp;
import dev.clockwire.storage.daos.rpc.RpcStatus;
import dev.clockwire.storage.daos.vos.Extent;

/** A fetch: the newest visible version, inline, or written into the memory of who asked. */
final class FetchOp {
    private final Engine engine;
    private final Rpc m;
    private final Extent x;
    private final int length;

    FetchOp(Engine engine, Rpc m, Extent x) {
        this.engine = engine;
        this.m = m;
        this.x = x;
        length = x.length();
    }

    void start() {
        if (length >= engine.spec().rpc().inlineBytes() != m.isBulk() || (m.isBulk() && length > m.length)) {
            Rpc a = new Rpc().answers(m, RpcStatus.INVALID);
            a.length = length; // it is longer or shorter than who asked thinks
            engine.context().answer(m, a);
            return;
        }
        engine.dma().take(length, s -> engine.vos().read(x, s.va(), ok -> read(s, ok)));
    }

    private void read(Slice s, boolean ok) {
        if (!ok) {
            end(s, RpcStatus.IO);
        } else if (m.isBulk()) {
            put(s);
        } else {
            byte[] b = new byte[length];
            if (!x.isInScm()) {
                engine.worker().core().charge(HostCost.COPY_BYTE, length);
            }
            engine.worker().core().memory().getBytes(s.va(), b, 0, length);
            Rpc a = answer(RpcStatus.OK).with(b, length);
            engine.dma().give(s);
            engine.context().answer(m, a);
        }
    }

    private void put(Slice s) {
        if (!engine.rules().isInTime(engine.worker().now(), m.deadline)) {
            engine.dma().give(s); // nobody waits any more, and the memory may be somebody else's
            return;
        }
        boolean wait = engine.spec().waitForPut();
        engine.context()
                .endpoint()
                .write(m.from(), s.va(), length, s.chunk().lkey(), m.bulkAddress, m.bulkRkey, m.op.bulk(), ok -> {
                    engine.tap("put.done", m.key, x.epoch());
                    if (wait) {
                        end(s, ok ? RpcStatus.OK : RpcStatus.AGAIN);
                    } else {
                        engine.dma().give(s);
                    }
                });
        engine.tap("put", m.key, x.epoch());
        if (!wait) {
            engine.context().answer(m, answer(RpcStatus.OK));
        }
    }

    private Rpc answer(RpcStatus how) {
        Rpc a = new Rpc().answers(m, how);
        if (m.op == RpcOp.FETCH && how == RpcStatus.OK) {
            long now = engine.worker().now();
            engine.tap("fetch.answer", m.key, x.epoch());
            engine.watch()
                    .transactions()
                    .served(now, engine.number(), engine.map().group(m.key), m.key, x.epoch());
        }
        a.epoch = x.epoch();
        a.length = length;
        a.checksum = x.checksum();
        a.dtxClient = x.id().client();
        a.dtxSequence = x.id().sequence();
        return a;
    }

    private void end(Slice s, RpcStatus how) {
        engine.dma().give(s);
        engine.context().answer(m, answer(how));
    }
}
