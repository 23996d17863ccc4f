package dev.clockwire.roce.wire;

import dev.clockwire.sim.random.RandomStream;

/**
 * From where to where a packet goes: everything in front of the BTH that is not a length, a checksum or an identification.
 * Mutable and reused with its packet. IP addresses have the form of a GID: an IPv4 address {@code a.b.c.d} is
 * {@code ::ffff:a.b.c.d}.
 */
public final class FlowAddress {
    /** The value of {@link #vlan} of an untagged frame. */
    public static final int UNTAGGED = -1;

    /** The hop limit that a new address has. */
    public static final int DEFAULT_HOP_LIMIT = 64;

    private static final long IPV4_MAPPED = 0xFFFF_0000_0000L;

    /** Source MAC address, 48 bits. */
    public long srcMac;
    /** Destination MAC address, 48 bits. */
    public long dstMac;
    /** VLAN tag control information (priority 3, DEI 1, VLAN 12 bits), or {@link #UNTAGGED}. */
    public int vlan;
    /** IPv4 or IPv6; GRH in decoded frames and in those of NICs that send RoCE v1. */
    public Encapsulation encapsulation;
    /** Upper half of the source address. */
    public long srcHi;
    /** Lower half of the source address. */
    public long srcLo;
    /** Upper half of the destination address. */
    public long dstHi;
    /** Lower half of the destination address. */
    public long dstLo;
    /** Differentiated services code point, 6 bits. */
    public int dscp;
    /** Explicit congestion notification, 2 bits: 0 not capable, 1 and 2 capable, 3 congestion experienced. */
    public int ecn;
    /** IPv4 time to live or IPv6 hop limit, 8 bits. */
    public int hopLimit;
    /** IPv6 or GRH flow label, 20 bits; 0 with IPv4. */
    public int flowLabel;
    /** UDP source port, 16 bits: the entropy of the flow. 0 with RoCE v1. */
    public int udpSourcePort;

    /** Creates the untagged IPv4 address of nobody. */
    public FlowAddress() {
        encapsulation = Encapsulation.IPV4;
        reset();
    }

    /** Makes this the untagged IPv4 address of nobody again. */
    public void reset() {
        srcMac = 0;
        dstMac = 0;
        vlan = UNTAGGED;
        encapsulation = Encapsulation.IPV4;
        srcHi = 0;
        srcLo = IPV4_MAPPED;
        dstHi = 0;
        dstLo = IPV4_MAPPED;
        dscp = 0;
        ecn = 0;
        hopLimit = DEFAULT_HOP_LIMIT;
        flowLabel = 0;
        udpSourcePort = 0;
    }

    /** Takes over every field of another address. */
    public void set(FlowAddress from) {
        srcMac = from.srcMac;
        dstMac = from.dstMac;
        vlan = from.vlan;
        encapsulation = from.encapsulation;
        srcHi = from.srcHi;
        srcLo = from.srcLo;
        dstHi = from.dstHi;
        dstLo = from.dstLo;
        dscp = from.dscp;
        ecn = from.ecn;
        hopLimit = from.hopLimit;
        flowLabel = from.flowLabel;
        udpSourcePort = from.udpSourcePort;
    }

    /** Makes this an IPv4 address pair; each address has its first octet in the top byte. */
    public void setIpv4(int src, int dst) {
        encapsulation = Encapsulation.IPV4;
        srcHi = 0;
        srcLo = IPV4_MAPPED | (src & 0xFFFF_FFFFL);
        dstHi = 0;
        dstLo = IPV4_MAPPED | (dst & 0xFFFF_FFFFL);
    }

    /** Makes this an IPv6 address pair, each address as its upper and lower 64 bits. */
    public void setIpv6(long sourceHi, long sourceLo, long destinationHi, long destinationLo) {
        encapsulation = Encapsulation.IPV6;
        srcHi = sourceHi;
        srcLo = sourceLo;
        dstHi = destinationHi;
        dstLo = destinationLo;
    }

    /** Returns the IPv4 source address; its first octet is the top byte. */
    public int srcIpv4() {
        return (int) srcLo;
    }

    /** Returns the IPv4 destination address; its first octet is the top byte. */
    public int dstIpv4() {
        return (int) dstLo;
    }

    /** Returns the IPv4 type of service or IPv6 traffic class: DSCP and ECN. */
    public int trafficClass() {
        return (dscp << 2) | ecn;
    }

    /** Sets DSCP and ECN from an IPv4 type of service or IPv6 traffic class. */
    public void setTrafficClass(int value) {
        dscp = (value >> 2) & 0x3F;
        ecn = value & 3;
    }

    /** Tells whether a frame with this address comes from where frames of another address go to, and goes where those come from. */
    public boolean isBackOf(FlowAddress other) {
        return srcLo == other.dstLo && srcHi == other.dstHi && dstLo == other.srcLo && dstHi == other.srcHi;
    }

    /** Returns a digest of all fields. */
    public long digest() {
        long h = RandomStream.mix(srcMac ^ ((long) vlan << 48));
        h = RandomStream.mix(h + dstMac) ^ encapsulation.bytes();
        h = RandomStream.mix(h + srcHi) ^ srcLo;
        h = RandomStream.mix(h + dstHi) ^ dstLo;
        return RandomStream.mix(
                h ^ ((long) trafficClass() << 48) ^ ((long) hopLimit << 40) ^ ((long) flowLabel << 16) ^ udpSourcePort);
    }

    /** Returns the bytes in front of the BTH: Ethernet, VLAN tag if any, IP and UDP. */
    public int bytes() {
        return 14 + (vlan == UNTAGGED ? 0 : 4) + encapsulation.bytes();
    }
}
