package dev.clockwire.nic.lab;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import java.util.EnumSet;

/** Two connected queue pairs with a buffer each, and what tests do with them. */
final class Pair {
    static final int BUFFER = 1 << 20;
    static final int PSN_A = 0xFFFFF8;
    static final int PSN_B = 0x000100;

    /** One side. */
    static final class Side {
        final LabHost host;
        final Allocation buffer;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final MemoryRegion mr;
        final QueuePair qp;
        final WorkCompletion[] wc = WorkCompletion.array(1);

        Side(Lab lab, LabHost host, QpType type, Allocation.Kind kind) {
            this.host = host;
            buffer = host.host().memory().allocate("buffer", BUFFER, kind, 4096);
            pd = lab.await(host.context().allocPd());
            cq = lab.await(host.context().createCq(256));
            mr = lab.await(pd.regMr(
                    buffer.address(),
                    BUFFER,
                    EnumSet.of(
                            AccessFlag.LOCAL_WRITE,
                            AccessFlag.REMOTE_WRITE,
                            AccessFlag.REMOTE_READ,
                            AccessFlag.REMOTE_ATOMIC)));
            qp = lab.await(pd.createQp(QpInit.of(type, cq, new QpCapabilities(64, 64, 4, 4, 220))));
        }

        void connect(Lab lab, Side peer, QpType type, int sqPsn, int rqPsn, Mtu mtu) {
            QpAttributes init =
                    new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1);
            if (type == QpType.UD) {
                lab.await(qp.modify(init.qkey(0x11111111)));
                lab.await(qp.modify(new QpAttributes().state(QpState.RTR)));
                lab.await(qp.modify(new QpAttributes().state(QpState.RTS).sqPsn(sqPsn)));
                return;
            }
            lab.await(qp.modify(init.access(
                    EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC))));
            QpAttributes rtr = new QpAttributes()
                    .state(QpState.RTR)
                    .addressVector(AddressVector.to(peer.host.gid()))
                    .pathMtu(mtu)
                    .destQpn(peer.qp.qpn())
                    .rqPsn(rqPsn);
            lab.await(qp.modify(type == QpType.RC ? rtr.maxDestRdAtomic(16).minRnrTimer(12) : rtr));
            QpAttributes rts = new QpAttributes().state(QpState.RTS).sqPsn(sqPsn);
            lab.await(qp.modify(
                    type == QpType.RC
                            ? rts.timeout(14).retryCount(7).rnrRetry(7).maxRdAtomic(16)
                            : rts));
        }

        long at(int offset) {
            return buffer.address() + offset;
        }

        void write(int offset, byte[] data) {
            host.host().memory().putBytes(at(offset), data, 0, data.length);
        }

        byte[] read(int offset, int length) {
            byte[] out = new byte[length];
            host.host().memory().getBytes(at(offset), out, 0, length);
            return out;
        }
    }

    final Lab lab;
    final Side a;
    final Side b;

    Pair(Lab lab, QpType type, Mtu mtu, Allocation.Kind kind) {
        this.lab = lab;
        a = new Side(lab, lab.a(), type, kind);
        b = new Side(lab, lab.b(), type, kind);
        a.connect(lab, b, type, PSN_A, PSN_B, mtu);
        b.connect(lab, a, type, PSN_B, PSN_A, mtu);
    }

    /** Runs until a side has a completion, and returns the first one. */
    WorkCompletion next(Side side) {
        if (!lab.sim().runUntil(side.cq::hasCompletion, lab.sim().now() + 1_000_000_000L)) {
            throw new AssertionError("no completion within 1 ms");
        }
        lab.sim().run(lab.sim().now() + 1);
        int n = side.cq.poll(side.wc);
        if (n != 1) {
            throw new AssertionError("poll returned " + n);
        }
        return side.wc[0];
    }
}
