package dev.clockwire.roce.transport;

import dev.clockwire.roce.wire.RocePacket;

/**
 * What a responder is told when its queue pair becomes ready to receive.
 *
 * @param type transport service
 * @param mtu path MTU in bytes of payload; of UD, the port's MTU
 * @param destQpn queue pair number of the peer, 24 bits; unused by UD
 * @param pkey partition key of all packets
 * @param firstPsn PSN that is expected first
 * @param access {@link AccessFlag} mask of the remote operations that the queue pair allows
 * @param maxDestRdAtomic READs and atomics kept for replay, 0 to 128; 0 refuses them
 * @param rnrTimer code of the shortest wait after receiver-not-ready, 0 to 31
 * @param ackEveryDuplicate acknowledge each duplicate SEND or WRITE packet, as Linux soft-RoCE does; else only those that ask
 * @param ackEvery so many packets that ask for an acknowledgement get one together, at least 1; the caller sends it earlier if
 *     nothing comes any more, see {@link Responder#owesAck}
 * @param credits announce in acknowledgements how many receives there are; else say that there is no such information
 * @param refuseExcess refuse a READ or atomic as invalid while as many as {@code maxDestRdAtomic} are not answered yet; the caller
 *     then calls {@link Responder#answered}
 */
public record ResponderSpec(
        QpType type,
        int mtu,
        int destQpn,
        int pkey,
        int firstPsn,
        int access,
        int maxDestRdAtomic,
        int rnrTimer,
        boolean ackEveryDuplicate,
        int ackEvery,
        boolean credits,
        boolean refuseExcess) {
    /** The largest {@link #maxDestRdAtomic}. */
    public static final int MAX_RESOURCES = 128;

    /** Creates a responder that acknowledges whenever it is asked. */
    public ResponderSpec(
            QpType type,
            int mtu,
            int destQpn,
            int pkey,
            int firstPsn,
            int access,
            int maxDestRdAtomic,
            int rnrTimer,
            boolean ackEveryDuplicate) {
        this(type, mtu, destQpn, pkey, firstPsn, access, maxDestRdAtomic, rnrTimer, ackEveryDuplicate, 1, false, false);
    }

    /** Returns usual values: default partition, PSN 0, all remote operations, 16 resources, 0.64 ms. */
    public static ResponderSpec of(QpType type, int mtu, int destQpn) {
        int all = AccessFlag.REMOTE_WRITE.code() | AccessFlag.REMOTE_READ.code() | AccessFlag.REMOTE_ATOMIC.code();
        return new ResponderSpec(type, mtu, destQpn, RocePacket.DEFAULT_PKEY, 0, all, 16, 12, true);
    }

    /** Returns a copy with another first PSN. */
    public ResponderSpec withFirstPsn(int psn) {
        Draft d = new Draft(this);
        d.firstPsn = psn;
        return d.done();
    }

    /** Returns a copy with another {@link AccessFlag} mask. */
    public ResponderSpec withAccess(int mask) {
        Draft d = new Draft(this);
        d.access = mask;
        return d.done();
    }

    /** Returns a copy with another number of resources. */
    public ResponderSpec withMaxDestRdAtomic(int count) {
        Draft d = new Draft(this);
        d.maxDestRdAtomic = count;
        return d.done();
    }

    /** Returns a copy that acknowledges every duplicate, or only those that ask. */
    public ResponderSpec withAckEveryDuplicate(boolean every) {
        Draft d = new Draft(this);
        d.ackEveryDuplicate = every;
        return d.done();
    }

    /** Returns a copy that answers several packets with one acknowledgement. */
    public ResponderSpec withAckEvery(int packets) {
        Draft d = new Draft(this);
        d.ackEvery = packets;
        return d.done();
    }

    /** Returns a copy that announces its receives, or does not. */
    public ResponderSpec withCredits(boolean announced) {
        Draft d = new Draft(this);
        d.credits = announced;
        return d.done();
    }

    /** Returns a copy that refuses more READs and atomics than it keeps, or takes them. */
    public ResponderSpec withRefuseExcess(boolean refused) {
        Draft d = new Draft(this);
        d.refuseExcess = refused;
        return d.done();
    }

    /** All components of a copy that is about to differ in some. */
    private static final class Draft {
        private QpType type;
        private int mtu;
        private int destQpn;
        private int pkey;
        private int firstPsn;
        private int access;
        private int maxDestRdAtomic;
        private int rnrTimer;
        private boolean ackEveryDuplicate;
        private int ackEvery;
        private boolean credits;
        private boolean refuseExcess;

        Draft(ResponderSpec of) {
            type = of.type;
            mtu = of.mtu;
            destQpn = of.destQpn;
            pkey = of.pkey;
            firstPsn = of.firstPsn;
            access = of.access;
            maxDestRdAtomic = of.maxDestRdAtomic;
            rnrTimer = of.rnrTimer;
            ackEveryDuplicate = of.ackEveryDuplicate;
            ackEvery = of.ackEvery;
            credits = of.credits;
            refuseExcess = of.refuseExcess;
        }

        ResponderSpec done() {
            return new ResponderSpec(
                    type,
                    mtu,
                    destQpn,
                    pkey,
                    firstPsn,
                    access,
                    maxDestRdAtomic,
                    rnrTimer,
                    ackEveryDuplicate,
                    ackEvery,
                    credits,
                    refuseExcess);
        }
    }
}
