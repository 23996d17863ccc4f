package dev.clockwire.storage.hoststack.tcp;

import dev.clockwire.nic.ether.Checksums;

/**
 * The headers of a TCP segment in an Ethernet frame over IPv4, read and written: 14 B Ethernet, 20 B IPv4 without options, TCP with the
 * options of a SYN (maximum segment size, window scale). Sequence numbers are 32 bits and compared by {@link #before}. Reused for every frame.
 * Source of the layout: RFC 791, RFC 9293, RFC 7323.
 */
public final class TcpSegment {
    /** Flag: no more data come. */
    public static final int FIN = 1;
    /** Flag: sequence numbers begin. */
    public static final int SYN = 2;
    /** Flag: the connection is no more. */
    public static final int RST = 4;
    /** Flag: the receiver should hand its data over. */
    public static final int PSH = 8;
    /** Flag: the acknowledgement number counts. */
    public static final int ACK = 16;

    /** Bytes of the Ethernet header. */
    public static final int ETHERNET_BYTES = 14;
    /** Bytes of the IPv4 header. */
    public static final int IP_BYTES = 20;
    /** Bytes of the TCP header without options. */
    public static final int TCP_BYTES = 20;
    /** Bytes in front of the data of a segment without options. */
    public static final int HEADER_BYTES = ETHERNET_BYTES + IP_BYTES + TCP_BYTES;
    /** An option that is not there. */
    public static final int NONE = -1;

    private static final int TYPE_IPV4 = 0x0800;
    private static final int PROTOCOL_TCP = 6;
    private static final int FRAGMENT = 0x3FFF;
    private static final int RIGHT = 0xFFFF;
    private static final int OPTION_MSS = 2;
    private static final int OPTION_SCALE = 3;
    /** Bytes of the options of a SYN: size 4, no-operation 1, scale 3. */
    private static final int OPTION_BYTES = 8;

    /** Addresses of the frame. */
    public long srcMac;

    /** See {@link #srcMac}. */
    public long dstMac;

    /** IPv4 addresses. */
    public int srcIp;

    /** See {@link #srcIp}. */
    public int dstIp;

    /** Ports. */
    public int srcPort;

    /** See {@link #srcPort}. */
    public int dstPort;

    /** Number of the first byte, or of the SYN. */
    public int seq;

    /** Number of the next byte wanted. */
    public int ack;

    /** {@link #FIN} to {@link #ACK}. */
    public int flags;

    /** Window as it stands in the header, without scale. */
    public int window;

    /** Option: largest segment of the sender as a receiver, or {@link #NONE}. */
    public int mss = NONE;

    /** Option: shift of the sender's windows, or {@link #NONE}. */
    public int scale = NONE;

    /** Identification of the IP packet. */
    public int ident;

    /** Where the data begin in the frame. */
    public int dataAt;

    /** How many bytes of data there are. */
    public int dataBytes;

    /** Creates an empty segment. */
    public TcpSegment() {}

    /** Takes addresses and ports of a flow over and clears the rest. */
    public TcpSegment flow(TcpFlow f) {
        srcMac = f.localMac();
        dstMac = f.peerMac();
        srcIp = f.localIp();
        dstIp = f.peerIp();
        srcPort = f.localPort();
        dstPort = f.peerPort();
        seq = 0;
        ack = 0;
        flags = 0;
        window = 0;
        mss = NONE;
        scale = NONE;
        dataAt = HEADER_BYTES;
        dataBytes = 0;
        return this;
    }

    /** Becomes the reset that answers a segment of no connection (RFC 9293, section 3.10.7.1); its addresses are the other way round. */
    public TcpSegment refuse(TcpSegment in) {
        flow(new TcpFlow(in.dstMac, in.srcMac, in.dstIp, in.srcIp, in.dstPort, in.srcPort));
        if (in.has(ACK)) {
            seq = in.ack;
            flags = RST;
        } else {
            ack = in.seq + in.length();
            flags = RST | ACK;
        }
        return this;
    }

    /** Returns whether a number comes before another one, modulo 2 to the power of 32. */
    public static boolean before(int a, int b) {
        return a - b < 0;
    }

    /** Whether a flag is set. */
    public boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** Returns the sequence numbers that the segment takes: its data, and one each for SYN and FIN. */
    public int length() {
        return dataBytes + (has(SYN) ? 1 : 0) + (has(FIN) ? 1 : 0);
    }

    /** Returns the bytes of all headers, those of the options included. */
    public int headerBytes() {
        return HEADER_BYTES + (mss == NONE ? 0 : OPTION_BYTES);
    }

    /**
     * Writes the headers in front of data that stand at {@link #headerBytes} already.
     *
     * @param checksums whether both checksums are made here; otherwise they are 0, for a device that makes them
     * @return bytes of the frame, without padding
     */
    public int write(byte[] frame, int bytes, boolean checksums) {
        int headers = headerBytes();
        dataAt = headers;
        dataBytes = bytes;
        put48(frame, 0, dstMac);
        put48(frame, 6, srcMac);
        put16(frame, 12, TYPE_IPV4);
        int ip = ETHERNET_BYTES;
        put16(frame, ip, 0x4500);
        put16(frame, ip + 2, headers - ETHERNET_BYTES + bytes);
        put16(frame, ip + 4, ident);
        put16(frame, ip + 6, 0x4000); // don't fragment: path MTU discovery
        put16(frame, ip + 8, 64 << 8 | PROTOCOL_TCP);
        put16(frame, ip + 10, 0);
        put32(frame, ip + 12, srcIp);
        put32(frame, ip + 16, dstIp);
        writeTcp(frame, ip + IP_BYTES, headers - ip - IP_BYTES);
        if (checksums) {
            put16(frame, ip + 10, ~Checksums.sum(frame, ip, ip + IP_BYTES));
            put16(frame, ip + IP_BYTES + 16, ~sum(frame, ip, headers - ip - IP_BYTES + bytes));
        }
        return headers + bytes;
    }

    private void writeTcp(byte[] frame, int tcp, int headers) {
        put16(frame, tcp, srcPort);
        put16(frame, tcp + 2, dstPort);
        put32(frame, tcp + 4, seq);
        put32(frame, tcp + 8, ack);
        put16(frame, tcp + 12, (headers / 4) << 12 | flags);
        put16(frame, tcp + 14, window);
        put32(frame, tcp + 16, 0);
        if (mss != NONE) {
            put32(frame, tcp + TCP_BYTES, OPTION_MSS << 24 | 4 << 16 | mss);
            put32(frame, tcp + TCP_BYTES + 4, 1 << 24 | OPTION_SCALE << 16 | 3 << 8 | scale);
        }
    }

    /** Returns the sum over pseudo header, header and data. */
    private static int sum(byte[] frame, int ip, int bytes) {
        int tcp = ip + IP_BYTES;
        long addresses = Checksums.sum(frame, ip + 12, tcp);
        return Checksums.fold(addresses + PROTOCOL_TCP + bytes + Checksums.sum(frame, tcp, tcp + bytes));
    }

    /**
     * Reads a frame.
     *
     * @param checked whether somebody has found both checksums right already
     * @return false if it is no whole TCP segment over IPv4, or a checksum is wrong
     */
    public boolean read(byte[] frame, int length, boolean checked) {
        int ip = ETHERNET_BYTES;
        if (length < HEADER_BYTES || get16(frame, 12) != TYPE_IPV4 || frame[ip] != 0x45) {
            return false;
        }
        int total = get16(frame, ip + 2);
        int tcp = ip + IP_BYTES;
        int headers = (frame[tcp + 12] >> 4 & 15) * 4;
        boolean whole = (get16(frame, ip + 6) & FRAGMENT) == 0 && frame[ip + 9] == PROTOCOL_TCP;
        if (!whole || headers < TCP_BYTES || total < IP_BYTES + headers || ip + total > length) {
            return false;
        }
        boolean right = checked
                || (Checksums.sum(frame, ip, ip + IP_BYTES) == RIGHT && sum(frame, ip, total - IP_BYTES) == RIGHT);
        if (!right) {
            return false;
        }
        dstMac = get48(frame, 0);
        srcMac = get48(frame, 6);
        ident = get16(frame, ip + 4);
        srcIp = get32(frame, ip + 12);
        dstIp = get32(frame, ip + 16);
        readTcp(frame, tcp);
        dataAt = tcp + headers;
        dataBytes = total - IP_BYTES - headers;
        return options(frame, tcp + TCP_BYTES, dataAt);
    }

    private void readTcp(byte[] frame, int tcp) {
        srcPort = get16(frame, tcp);
        dstPort = get16(frame, tcp + 2);
        seq = get32(frame, tcp + 4);
        ack = get32(frame, tcp + 8);
        flags = get16(frame, tcp + 12) & 0x1FF;
        window = get16(frame, tcp + 14);
    }

    /** Reads what is known of the options; false if one of them is longer than the header. */
    private boolean options(byte[] frame, int from, int to) {
        mss = NONE;
        scale = NONE;
        int at = from;
        while (at < to && frame[at] != 0) {
            if (frame[at] == 1) {
                at++;
                continue;
            }
            int bytes = at + 1 < to ? frame[at + 1] & 0xFF : 0;
            if (bytes < 2 || at + bytes > to) {
                return false;
            }
            if (frame[at] == OPTION_MSS && bytes == 4) {
                mss = get16(frame, at + 2);
            } else if (frame[at] == OPTION_SCALE && bytes == 3) {
                scale = Math.min(14, frame[at + 2] & 0xFF);
            }
            at += bytes;
        }
        return true;
    }

    private static int get16(byte[] b, int at) {
        return (b[at] & 0xFF) << 8 | (b[at + 1] & 0xFF);
    }

    private static int get32(byte[] b, int at) {
        return get16(b, at) << 16 | get16(b, at + 2);
    }

    private static long get48(byte[] b, int at) {
        return (long) get16(b, at) << 32 | (get32(b, at + 2) & 0xFFFF_FFFFL);
    }

    private static void put16(byte[] b, int at, int value) {
        b[at] = (byte) (value >>> 8);
        b[at + 1] = (byte) value;
    }

    private static void put32(byte[] b, int at, int value) {
        put16(b, at, value >>> 16);
        put16(b, at + 2, value);
    }

    private static void put48(byte[] b, int at, long value) {
        put16(b, at, (int) (value >>> 32));
        put32(b, at + 2, (int) value);
    }
}
