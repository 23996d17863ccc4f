package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.LabControl;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QueuePair;
import java.util.EnumSet;
import java.util.function.Consumer;

/** Brings queue pairs from RESET to RTS. */
public final class Connections {
    /** Queue key of all datagram queue pairs. */
    public static final int QKEY = 0x11111111;

    private static final int OUTSTANDING = 16;
    private static final int RNR_TIMER = 1;

    private Connections() {}

    /**
     * Connects one side of a pair; a datagram queue pair only gets ready.
     *
     * @param to the peer's host
     * @param destQpn the peer's queue pair
     * @param sqPsn first PSN that is sent
     * @param rqPsn first PSN that is expected
     */
    public static void join(LabControl lab, QueuePair qp, Gid to, int destQpn, int sqPsn, int rqPsn, Mtu mtu) {
        join(lab, qp, to, destQpn, sqPsn, rqPsn, mtu, rts -> {});
    }

    /** The same, with other attributes in the change to RTS; see {@link #join(LabControl, QueuePair, Gid, int, int, int, Mtu)}. */
    @SuppressWarnings("checkstyle:ParameterNumber") // what two sides must agree on
    public static void join(
            LabControl lab,
            QueuePair qp,
            Gid to,
            int destQpn,
            int sqPsn,
            int rqPsn,
            Mtu mtu,
            Consumer<QpAttributes> change) {
        QpAttributes init = new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1);
        QpAttributes rts = new QpAttributes().state(QpState.RTS).sqPsn(sqPsn);
        if (qp.type() == QpType.UD) {
            change.accept(rts);
            lab.await(qp.modify(init.qkey(QKEY)));
            lab.await(qp.modify(new QpAttributes().state(QpState.RTR)));
            lab.await(qp.modify(rts));
            return;
        }
        boolean reliable = qp.type() == QpType.RC;
        lab.await(qp.modify(
                init.access(EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC))));
        QpAttributes rtr = new QpAttributes()
                .state(QpState.RTR)
                .addressVector(AddressVector.to(to))
                .pathMtu(mtu)
                .destQpn(destQpn)
                .rqPsn(rqPsn);
        lab.await(qp.modify(reliable ? rtr.maxDestRdAtomic(OUTSTANDING).minRnrTimer(RNR_TIMER) : rtr));
        QpAttributes last = reliable ? rts.timeout(14).retryCount(7).rnrRetry(7).maxRdAtomic(OUTSTANDING) : rts;
        change.accept(last);
        lab.await(qp.modify(last));
    }
}
