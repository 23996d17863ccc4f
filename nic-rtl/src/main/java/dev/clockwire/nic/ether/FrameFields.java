package dev.clockwire.nic.ether;

/** What flow rules and receive-side scaling look at in a frame; one VLAN tag is looked through. Reused for every frame. */
public final class FrameFields {
    /** EtherType of IPv4. */
    public static final int IPV4 = 0x0800;
    /** EtherType of IPv6. */
    public static final int IPV6 = 0x86DD;
    /** IP protocol number of TCP. */
    public static final int TCP = 6;
    /** IP protocol number of UDP. */
    public static final int UDP = 17;
    /** UDP port of RoCEv2. */
    public static final int ROCE_PORT = 4791;

    private static final int VLAN = 0x8100;
    private static final int IPV6_BYTES = 40;
    private static final int FRAGMENT = 0x3FFF;

    long dstMac;
    int etherType;
    /** Source and destination address; IPv6 has its upper 12 bytes in the frame only. */
    int srcIp;

    int dstIp;
    /** IP protocol, -1 without IP. */
    int protocol;
    /** Ports, -1 without TCP or UDP and in fragments. */
    int srcPort;

    int dstPort;
    /** Where the IP header begins. */
    int ipAt;

    /** Creates fields of no frame. */
    public FrameFields() {}

    /** Reads the fields of a frame; what is cut off counts as absent. */
    public void read(byte[] b, int length) {
        dstMac = length >= 6 ? (long) word(b, 0, 2) << 32 | (word(b, 2, 4) & 0xFFFF_FFFFL) : 0;
        etherType = -1;
        protocol = -1;
        srcPort = -1;
        dstPort = -1;
        srcIp = 0;
        dstIp = 0;
        ipAt = EthFrame.HEADER_BYTES;
        if (length < EthFrame.HEADER_BYTES) {
            return;
        }
        etherType = word(b, 12, 2);
        if (etherType == VLAN && length >= 18) {
            etherType = word(b, 16, 2);
            ipAt = 18;
        }
        if (etherType == IPV4 && length >= ipAt + 20) {
            int header = (b[ipAt] & 15) * 4;
            protocol = b[ipAt + 9] & 0xFF;
            srcIp = word(b, ipAt + 12, 4);
            dstIp = word(b, ipAt + 16, 4);
            if ((word(b, ipAt + 6, 2) & FRAGMENT) == 0) {
                ports(b, ipAt + header, length);
            }
        } else if (etherType == IPV6 && length >= ipAt + IPV6_BYTES) {
            protocol = b[ipAt + 6] & 0xFF;
            ports(b, ipAt + IPV6_BYTES, length);
        }
    }

    private void ports(byte[] b, int at, int length) {
        if ((protocol == TCP || protocol == UDP) && length >= at + 4) {
            srcPort = word(b, at, 2);
            dstPort = word(b, at + 2, 2);
        }
    }

    private static int word(byte[] b, int at, int bytes) {
        int x = 0;
        for (int i = 0; i < bytes; i++) {
            x = x << 8 | (b[at + i] & 0xFF);
        }
        return x;
    }

    /** Whether the frame is RoCEv2. */
    public boolean isRoce() {
        return protocol == UDP && dstPort == ROCE_PORT;
    }

    /** Takes over the fields of a RoCE packet that is known without its bytes. */
    void set(int type, int src, int dst, int sourcePort) {
        etherType = type;
        protocol = UDP;
        srcIp = src;
        dstIp = dst;
        srcPort = sourcePort;
        dstPort = ROCE_PORT;
        ipAt = EthFrame.HEADER_BYTES;
    }
}
