package dev.clockwire.storage.hoststack.tcp;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * How an end speaks TCP.
 *
 * @param mtu bytes of an IP packet, 576 to 9978
 * @param sendBytes of the send buffer, a power of two up to 16 MiB
 * @param receiveBytes of the receive buffer, a power of two up to 16 MiB; what is announced as the window
 * @param initialWindow segments that are sent before the first acknowledgement, 1 to 64
 * @param gsoBytes largest segment that is cut late; 0 = segments are cut when they are made
 * @param gro whether segments that follow each other are joined as they are received
 * @param delayedAckPs how long an acknowledgement of a single segment waits for company; 0 = it does not
 * @param firstRtoPs timeout before a round trip was measured
 * @param leastRtoPs least timeout
 * @param mostRtoPs largest timeout
 * @param retries timeouts in a row until the connection is given up
 * @param timeWaitPs how long a closed connection keeps its numbers
 */
public record TcpSpec(
        int mtu,
        int sendBytes,
        int receiveBytes,
        int initialWindow,
        int gsoBytes,
        boolean gro,
        long delayedAckPs,
        long firstRtoPs,
        long leastRtoPs,
        long mostRtoPs,
        int retries,
        long timeWaitPs) {
    private static final long MS = 1_000_000_000L;
    private static final long HOUR = 3_600_000 * MS;
    private static final int LARGEST_BUFFER = 1 << 24;

    /** Checks the ranges. */
    public TcpSpec {
        check("MTU", mtu, 576, 9978);
        power("send buffer", sendBytes);
        power("receive buffer", receiveBytes);
        check("initial window", initialWindow, 1, 64);
        check("GSO bytes", gsoBytes, 0, 65_535);
        check("delayed acknowledgement in ps", delayedAckPs, 0, HOUR);
        check("least timeout in ps", leastRtoPs, 1, HOUR);
        check("first timeout in ps", firstRtoPs, leastRtoPs, HOUR);
        check("largest timeout in ps", mostRtoPs, firstRtoPs, HOUR);
        check("retries", retries, 1, 255);
        check("time to wait in ps", timeWaitPs, 0, HOUR);
    }

    private static void power(String what, int value) {
        check(what, value, 4096, LARGEST_BUFFER);
        if (Integer.bitCount(value) != 1) {
            throw new ConfigurationException(
                    "TCP " + what + " " + value + " is no power of two; nearest: " + Integer.highestOneBit(value));
        }
    }

    private static void check(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new ConfigurationException("TCP " + what + " " + value + " is not in " + least + ".." + most);
        }
    }

    /**
     * Returns what Linux does on a network of 1500 B packets: 10 segments at first (RFC 6928), acknowledgements delayed by 40 ms at most
     * (TCP_DELACK_MIN), timeouts of 200 ms at least and 120 s at most (TCP_RTO_MIN, TCP_RTO_MAX), the first of 1 s (RFC 6298), 15 retries
     * (tcp_retries2), segments of 64 KB cut late, and those received joined. TIME-WAIT is 60 s there (TCP_TIMEWAIT_LEN).
     */
    public static TcpSpec linux() {
        return new TcpSpec(
                1500, 1 << 20, 1 << 20, 10, 65_535, true, 40 * MS, 1000 * MS, 200 * MS, 120_000 * MS, 15, 60_000 * MS);
    }

    /** Returns the largest segment: what the MTU leaves behind headers without options. */
    public int mss() {
        return mtu - TcpSegment.IP_BYTES - TcpSegment.TCP_BYTES;
    }

    /** Returns the shift with which the receive buffer fits into the 16 bits of a window. */
    public int scale() {
        int shift = 0;
        while (receiveBytes >> shift > 0xFFFF) {
            shift++;
        }
        return shift;
    }

    /** Returns a copy with another MTU. */
    public TcpSpec withMtu(int bytes) {
        Draft d = new Draft(this);
        d.mtu = bytes;
        return d.done();
    }

    /** Returns a copy with other buffers. */
    public TcpSpec withBuffers(int send, int receive) {
        Draft d = new Draft(this);
        d.sendBytes = send;
        d.receiveBytes = receive;
        return d.done();
    }

    /** Returns a copy with late cutting and joining, or without. */
    public TcpSpec withOffloads(int gso, boolean joined) {
        Draft d = new Draft(this);
        d.gsoBytes = gso;
        d.gro = joined;
        return d.done();
    }

    /** Returns a copy with other times: of delayed acknowledgements and the least timeout. */
    public TcpSpec withTimes(long delayedAck, long leastRto) {
        Draft d = new Draft(this);
        d.delayedAckPs = delayedAck;
        d.firstRtoPs = Math.max(firstRtoPs, leastRto);
        d.leastRtoPs = leastRto;
        return d.done();
    }

    /** What copies change. */
    private static final class Draft {
        private final TcpSpec from;
        private int mtu;
        private int sendBytes;
        private int receiveBytes;
        private int gsoBytes;
        private boolean gro;
        private long delayedAckPs;
        private long firstRtoPs;
        private long leastRtoPs;

        Draft(TcpSpec from) {
            this.from = from;
            mtu = from.mtu;
            sendBytes = from.sendBytes;
            receiveBytes = from.receiveBytes;
            gsoBytes = from.gsoBytes;
            gro = from.gro;
            delayedAckPs = from.delayedAckPs;
            firstRtoPs = from.firstRtoPs;
            leastRtoPs = from.leastRtoPs;
        }

        TcpSpec done() {
            return new TcpSpec(
                    mtu,
                    sendBytes,
                    receiveBytes,
                    from.initialWindow,
                    gsoBytes,
                    gro,
                    delayedAckPs,
                    firstRtoPs,
                    leastRtoPs,
                    from.mostRtoPs,
                    from.retries,
                    from.timeWaitPs);
        }
    }
}
