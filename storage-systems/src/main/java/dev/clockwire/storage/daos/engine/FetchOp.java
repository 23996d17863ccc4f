package dev.clockwire.storage.daos.engine;

import dev.clockwire.sim.host.HostCost;
import dev.clockwire.storage.daos.ofi.RdmEndpoint;
import dev.clockwire.storage.daos.ofi.RdmaDone;
import dev.clockwire.storage.daos.rpc.DmaBuffer.Slice;
import dev.clockwire.storage.daos.rpc.Rpc;
import dev.clockwire.storage.daos.rpc.RpcOp;
import dev.clockwire.storage.daos.rpc.RpcStatus;
import dev.clockwire.storage.daos.vos.Extent;

/** A fetch: the newest visible version, inline, or written into the memory of who asked. */
final class FetchOp {
    private final Target target;
    private final Rpc m;
    private final Extent x;
    private final int length;

    FetchOp(Target target, Rpc m, Extent x) {
        this.target = target;
        this.m = m;
        this.x = x;
        length = x.length();
    }

    void start() {
        if (length >= target.spec().rpc().inlineBytes() != m.isBulk() || (m.isBulk() && length > m.length)) {
            target.reading("fetch.answer", m);
            Rpc a = new Rpc().answers(m, RpcStatus.INVALID);
            a.length = length; // it is longer or shorter than who asked thinks
            target.context().answer(m, a);
            return;
        }
        target.dma().take(length, s -> {
            target.reading("buffer", m);
            target.vos().read(x, s.va(), ok -> read(s, ok));
        });
    }

    private void read(Slice s, boolean ok) {
        target.reading(x.isInScm() ? "read.scm" : "read.ssd", m);
        if (!ok) {
            end(s, RpcStatus.IO);
        } else if (m.isBulk()) {
            put(s);
        } else {
            byte[] b = new byte[length];
            if (!x.isInScm()) {
                target.worker().core().charge(HostCost.COPY_BYTE, length);
            }
            target.worker().core().memory().getBytes(s.va(), b, 0, length);
            Rpc a = answer(RpcStatus.OK).with(b, length);
            target.dma().give(s);
            target.context().answer(m, a);
        }
    }

    private void put(Slice s) {
        if (target.worker().now() > m.deadline) {
            target.dma().give(s); // nobody waits any more, and the memory may be somebody else's
            return;
        }
        boolean wait = target.spec().waitForPut();
        RdmaDone done = ok -> {
            target.tap("put.done", m.key, x.epoch());
            target.reading("put.done", m);
            if (wait) {
                end(s, ok ? RpcStatus.OK : RpcStatus.AGAIN);
            } else {
                target.dma().give(s);
            }
        };
        RdmEndpoint by = target.context().endpoint();
        int lkey = s.chunk().lkey();
        if (target.rules().pushes()) {
            by.write(m.from(), s.va(), length, lkey, m.bulkAddress, m.bulkRkey, m.op.bulk(), done);
        } else {
            by.read(m.from(), s.va(), length, lkey, m.bulkAddress, m.bulkRkey, m.op.bulk(), done);
        }
        target.tap("put", m.key, x.epoch());
        if (!wait) {
            target.context().answer(m, answer(RpcStatus.OK));
        }
    }

    private Rpc answer(RpcStatus how) {
        Rpc a = new Rpc().answers(m, how);
        target.reading("fetch.answer", m);
        if (m.op == RpcOp.FETCH && how == RpcStatus.OK) {
            long now = target.worker().now();
            target.tap("fetch.answer", m.key, x.epoch());
            target.watch()
                    .transactions()
                    .served(now, target.number(), target.map().group(m.key), m.key, x.epoch());
        }
        a.epoch = x.epoch();
        a.length = length;
        a.checksum = x.checksum();
        a.dtxClient = x.id().client();
        a.dtxSequence = x.id().sequence();
        return a;
    }

    private void end(Slice s, RpcStatus how) {
        target.dma().give(s);
        target.context().answer(m, answer(how));
    }
}
