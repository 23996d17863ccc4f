package dev.clockwire.roce.transport;

import dev.clockwire.roce.wire.RocePacket;

/**
 * What a requester is told when its queue pair becomes ready to send.
 *
 * @param type transport service
 * @param mtu path MTU in bytes of payload; of UD, the port's MTU
 * @param localQpn own queue pair number, 24 bits: the source of datagrams
 * @param destQpn queue pair number of the peer, 24 bits; UD takes it from each work request
 * @param pkey partition key of all packets
 * @param qkey own queue key, sent by UD when a work request asks for a privileged key (bit 31)
 * @param firstPsn PSN of the first packet
 * @param maxRdAtomic READs and atomics outstanding at most; more wait
 * @param retryCount tries after a timeout or sequence error, 0 to 7
 * @param rnrRetry tries after receiver-not-ready, 0 to 6; 7 = endless
 * @param ackInterval every so many packets of a message ask for an acknowledgement besides the last; 0 = only the last
 * @param credits send what takes a receive only as far as the peer has announced receives
 */
public record RequesterSpec(
        QpType type,
        int mtu,
        int localQpn,
        int destQpn,
        int pkey,
        int qkey,
        int firstPsn,
        int maxRdAtomic,
        int retryCount,
        int rnrRetry,
        int ackInterval,
        boolean credits) {
    /** The value of {@link #rnrRetry} that never gives up. */
    public static final int ENDLESS = 7;

    /** Creates a requester that relies on receiver-not-ready alone. */
    public RequesterSpec(
            QpType type,
            int mtu,
            int localQpn,
            int destQpn,
            int pkey,
            int qkey,
            int firstPsn,
            int maxRdAtomic,
            int retryCount,
            int rnrRetry,
            int ackInterval) {
        this(type, mtu, localQpn, destQpn, pkey, qkey, firstPsn, maxRdAtomic, retryCount, rnrRetry, ackInterval, false);
    }

    /** Returns usual values: default partition, PSN 0, 16 outstanding READs, 7 tries of each kind. */
    public static RequesterSpec of(QpType type, int mtu, int localQpn, int destQpn) {
        return new RequesterSpec(type, mtu, localQpn, destQpn, RocePacket.DEFAULT_PKEY, 0, 0, 16, 7, ENDLESS, 0);
    }

    /** Returns a copy with another first PSN. */
    public RequesterSpec withFirstPsn(int psn) {
        Draft d = new Draft(this);
        d.firstPsn = psn;
        return d.done();
    }

    /** Returns a copy with another limit of outstanding READs and atomics. */
    public RequesterSpec withMaxRdAtomic(int limit) {
        Draft d = new Draft(this);
        d.maxRdAtomic = limit;
        return d.done();
    }

    /** Returns a copy with other numbers of tries. */
    public RequesterSpec withRetries(int retries, int rnrRetries) {
        Draft d = new Draft(this);
        d.retryCount = retries;
        d.rnrRetry = rnrRetries;
        return d.done();
    }

    /** Returns a copy with another interval of acknowledge requests. */
    public RequesterSpec withAckInterval(int packets) {
        Draft d = new Draft(this);
        d.ackInterval = packets;
        return d.done();
    }

    /** Returns a copy that obeys the peer's announcements of receives, or does not. */
    public RequesterSpec withCredits(boolean obeyed) {
        Draft d = new Draft(this);
        d.credits = obeyed;
        return d.done();
    }

    /** All components of a copy that is about to differ in some. */
    private static final class Draft {
        private QpType type;
        private int mtu;
        private int localQpn;
        private int destQpn;
        private int pkey;
        private int qkey;
        private int firstPsn;
        private int maxRdAtomic;
        private int retryCount;
        private int rnrRetry;
        private int ackInterval;
        private boolean credits;

        Draft(RequesterSpec of) {
            type = of.type;
            mtu = of.mtu;
            localQpn = of.localQpn;
            destQpn = of.destQpn;
            pkey = of.pkey;
            qkey = of.qkey;
            firstPsn = of.firstPsn;
            maxRdAtomic = of.maxRdAtomic;
            retryCount = of.retryCount;
            rnrRetry = of.rnrRetry;
            ackInterval = of.ackInterval;
            credits = of.credits;
        }

        RequesterSpec done() {
            return new RequesterSpec(
                    type,
                    mtu,
                    localQpn,
                    destQpn,
                    pkey,
                    qkey,
                    firstPsn,
                    maxRdAtomic,
                    retryCount,
                    rnrRetry,
                    ackInterval,
                    credits);
        }
    }
}
