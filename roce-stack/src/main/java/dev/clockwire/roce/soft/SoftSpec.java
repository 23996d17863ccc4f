package dev.clockwire.roce.soft;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * A functional device. All costs are of its one processor, which does one thing after the other; they make simulated time go on and
 * are no model of a machine.
 *
 * @param commandPs time of a control verb in ps, at least 1
 * @param wqePs cost of beginning a work request in ps
 * @param sendPs cost of sending a packet in ps
 * @param receivePs cost of receiving a packet in ps
 * @param batch packets sent in one event at most; more mean fewer events, and answers that wait longer behind them
 * @param timeoutPercent when a lost packet is noticed, in percent of the nominal acknowledge timeout: 100 to 400
 * @param ackInterval every so many packets of a message ask for an acknowledgement besides the last; 0 = only the last
 * @param ackEvery so many packets that ask for an acknowledgement get one together
 * @param ackDelayPs time in ps after which an acknowledgement is held back no longer, at least 1
 * @param ackEveryDuplicate acknowledge each duplicate packet, as Linux soft-RoCE does; else only those that ask
 * @param credits end-to-end flow control: announce receives, and send no further than the peer has announced; else rely on
 *     receiver-not-ready alone, as Linux soft-RoCE does
 * @param refuseExcessReads refuse more READs and atomics outstanding than the queue pair takes; soft-RoCE does not look
 */
public record SoftSpec(
        long commandPs,
        long wqePs,
        long sendPs,
        long receivePs,
        int batch,
        int timeoutPercent,
        int ackInterval,
        int ackEvery,
        long ackDelayPs,
        boolean ackEveryDuplicate,
        boolean credits,
        boolean refuseExcessReads) {
    private static final long MAX_PS = 1_000_000_000_000L;
    private static final int MAX_BATCH = 1024;
    private static final int NOMINAL = 100;
    private static final int LATEST = 400;

    /** Checks the ranges. */
    public SoftSpec {
        range("command", commandPs, 1, MAX_PS);
        range("WQE cost", wqePs, 0, MAX_PS);
        range("send cost", sendPs, 0, MAX_PS);
        range("receive cost", receivePs, 0, MAX_PS);
        range("batch", batch, 1, MAX_BATCH);
        range("timeout percent", timeoutPercent, NOMINAL, LATEST);
        range("acknowledge interval", ackInterval, 0, Integer.MAX_VALUE);
        range("packets of an acknowledgement", ackEvery, 1, Integer.MAX_VALUE);
        range("delay of acknowledgements", ackDelayPs, 1, MAX_PS);
    }

    private static void range(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new ConfigurationException(
                    "software device: " + what + " " + value + " is not in " + min + ".." + max);
        }
    }

    /** Returns a device that is fast enough for a 400 Gbit/s link with a path MTU of 1024. */
    public static SoftSpec usual() {
        return new SoftSpec(1_000_000, 50_000, 5_000, 5_000, 16, NOMINAL, 0, 1, 1_000_000, true, false, true);
    }

    /** Returns a copy with other costs in ps. */
    public SoftSpec withCosts(long wqe, long send, long receive) {
        Draft d = new Draft(this);
        d.wqePs = wqe;
        d.sendPs = send;
        d.receivePs = receive;
        return d.done();
    }

    /** Returns a copy that sends other numbers of packets in an event. */
    public SoftSpec withBatch(int packets) {
        Draft d = new Draft(this);
        d.batch = packets;
        return d.done();
    }

    /** Returns a copy that notices lost packets at another time. */
    public SoftSpec withTimeoutPercent(int percent) {
        Draft d = new Draft(this);
        d.timeoutPercent = percent;
        return d.done();
    }

    /** Returns a copy that asks for acknowledgements more or less often. */
    public SoftSpec withAckInterval(int packets) {
        Draft d = new Draft(this);
        d.ackInterval = packets;
        return d.done();
    }

    /** Returns a copy that answers several packets with one acknowledgement, after a delay in ps at the latest. */
    public SoftSpec withAckEvery(int packets, long delayPs) {
        Draft d = new Draft(this);
        d.ackEvery = packets;
        d.ackDelayPs = delayPs;
        return d.done();
    }

    /** Returns a copy that acknowledges every duplicate, or only those that ask. */
    public SoftSpec withAckEveryDuplicate(boolean every) {
        Draft d = new Draft(this);
        d.ackEveryDuplicate = every;
        return d.done();
    }

    /** Returns a copy with end-to-end flow control, or without. */
    public SoftSpec withCredits(boolean used) {
        Draft d = new Draft(this);
        d.credits = used;
        return d.done();
    }

    /** Returns a copy that refuses more READs than it takes, or does not look. */
    public SoftSpec withRefuseExcessReads(boolean refused) {
        Draft d = new Draft(this);
        d.refuseExcessReads = refused;
        return d.done();
    }

    /** All components of a copy that is about to differ in some. */
    private static final class Draft {
        private long commandPs;
        private long wqePs;
        private long sendPs;
        private long receivePs;
        private int batch;
        private int timeoutPercent;
        private int ackInterval;
        private int ackEvery;
        private long ackDelayPs;
        private boolean ackEveryDuplicate;
        private boolean credits;
        private boolean refuseExcessReads;

        Draft(SoftSpec of) {
            commandPs = of.commandPs;
            wqePs = of.wqePs;
            sendPs = of.sendPs;
            receivePs = of.receivePs;
            batch = of.batch;
            timeoutPercent = of.timeoutPercent;
            ackInterval = of.ackInterval;
            ackEvery = of.ackEvery;
            ackDelayPs = of.ackDelayPs;
            ackEveryDuplicate = of.ackEveryDuplicate;
            credits = of.credits;
            refuseExcessReads = of.refuseExcessReads;
        }

        SoftSpec done() {
            return new SoftSpec(
                    commandPs,
                    wqePs,
                    sendPs,
                    receivePs,
                    batch,
                    timeoutPercent,
                    ackInterval,
                    ackEvery,
                    ackDelayPs,
                    ackEveryDuplicate,
                    credits,
                    refuseExcessReads);
        }
    }
}
