package dev.clockwire.roce.wire;

import dev.clockwire.sim.error.InvariantViolation;
import java.util.Arrays;

/**
 * Writes packets as Ethernet frames without preamble and FCS: Ethernet, VLAN tag if any, IPv4 (DF, header checksum) or IPv6
 * and UDP with checksum 0, transport headers, payload, zero padding, ICRC. Allocates nothing; holds buffers, so each thread
 * and each model needs its own.
 */
public final class FrameEncoder {
    /** The UDP port of RoCEv2. */
    public static final int UDP_PORT = 4791;

    /** Bytes in front of a received datagram. */
    public static final int GRH_BYTES = 40;

    private static final int IPV4_BYTES = 20;

    static final int ETHERTYPE_IPV4 = 0x0800;
    static final int ETHERTYPE_IPV6 = 0x86DD;
    static final int ETHERTYPE_ROCE = 0x8915;
    static final int ETHERTYPE_VLAN = 0x8100;
    static final int PROTOCOL_UDP = 17;
    static final int GRH_NEXT_HEADER = 0x1B;

    private static final int DONT_FRAGMENT = 0x4000;

    private final Icrc icrc = new Icrc();

    /** Creates an encoder. */
    public FrameEncoder() {}

    /**
     * Writes a whole frame. A packet whose verdict {@link RocePacket#icrcOk} is false gets a wrong ICRC, one
     * with a {@link RocePacket#flippedBit} that damage on top.
     *
     * @param packet its opcode must be known, its payload present as bytes
     * @param dst room for {@link RocePacket#wireBytes()} bytes from {@code off} on
     * @return the frame's length in bytes, unpadded: an Ethernet port pads it to 60
     */
    public int encode(RocePacket packet, byte[] dst, int off) {
        if (packet.payload.length() != packet.payloadLength) {
            throw new InvariantViolation(
                    "a packet says " + packet.payloadLength + " bytes of payload and has " + packet.payload.length());
        }
        int payload = off + headers(packet, dst, off);
        packet.payload.copyTo(0, dst, payload, packet.payloadLength);
        int end = payload + packet.payloadLength;
        for (int i = 0; i < packet.padCount; i++) {
            dst[end++] = 0;
        }
        int ip = off + packet.flow.bytes() - packet.flow.encapsulation.bytes();
        int crc = icrc.of(dst, ip, off + packet.flow.bytes(), end, packet.flow.encapsulation);
        Bytes.put32(dst, end, Integer.reverseBytes(packet.icrcOk ? crc : ~crc));
        flip(packet.flippedBit, dst, off, end + RocePacket.ICRC_BYTES - off);
        return end + RocePacket.ICRC_BYTES - off;
    }

    /** Does what happens to a frame on the line, if the bit is among the bytes written. */
    private static void flip(int bit, byte[] dst, int off, int bytes) {
        if (bit != RocePacket.INTACT && bit >>> 3 < bytes) {
            dst[off + (bit >>> 3)] ^= (byte) (0x80 >>> (bit & 7));
        }
    }

    /**
     * Writes the headers of a frame only, for a record of a packet whose bytes nobody has; lengths in them are the true ones.
     * The frame's true length is {@link RocePacket#wireBytes()}.
     *
     * @return the bytes written
     */
    public int encodeHeaders(RocePacket packet, byte[] dst, int off) {
        int bytes = headers(packet, dst, off);
        flip(packet.flippedBit, dst, off, bytes);
        return bytes;
    }

    private static int headers(RocePacket packet, byte[] dst, int off) {
        FlowAddress flow = packet.flow;
        int transport = packet.transportBytes();
        int at = ethernet(flow, dst, off);
        at = switch (flow.encapsulation) {
            case IPV4 -> udp(flow, transport, dst, ipv4(packet, transport, dst, at));
            case IPV6 -> udp(flow, transport, dst, ipv6(flow, transport + 8, PROTOCOL_UDP, dst, at));
            case GRH -> ipv6(flow, transport, GRH_NEXT_HEADER, dst, at);
        };
        bth(packet, dst, at);
        return TransportHeaders.write(packet, Opcode.of(packet.opcode), dst, at + 12) - off;
    }

    /**
     * Writes what stands in front of a received datagram: the IPv6 header or, behind 20 zeros, the IPv4 header.
     *
     * @return the bytes written, {@link #GRH_BYTES}
     */
    public int encodeGrh(RocePacket packet, byte[] dst, int off) {
        int transport = packet.transportBytes();
        FlowAddress flow = packet.flow;
        switch (flow.encapsulation) {
            case IPV4 -> {
                Arrays.fill(dst, off, off + GRH_BYTES - IPV4_BYTES, (byte) 0);
                ipv4(packet, transport, dst, off + GRH_BYTES - IPV4_BYTES);
            }
            case IPV6 -> ipv6(flow, transport + 8, PROTOCOL_UDP, dst, off);
            case GRH -> ipv6(flow, transport, GRH_NEXT_HEADER, dst, off);
        }
        return GRH_BYTES;
    }

    private static int ethernet(FlowAddress flow, byte[] dst, int off) {
        Bytes.put48(dst, off, flow.dstMac);
        Bytes.put48(dst, off + 6, flow.srcMac);
        int at = off + 12;
        if (flow.vlan != FlowAddress.UNTAGGED) {
            Bytes.put16(dst, at, ETHERTYPE_VLAN);
            Bytes.put16(dst, at + 2, flow.vlan);
            at += 4;
        }
        Bytes.put16(
                dst,
                at,
                switch (flow.encapsulation) {
                    case IPV4 -> ETHERTYPE_IPV4;
                    case IPV6 -> ETHERTYPE_IPV6;
                    case GRH -> ETHERTYPE_ROCE;
                });
        return at + 2;
    }

    private static int ipv4(RocePacket packet, int transport, byte[] dst, int at) {
        FlowAddress flow = packet.flow;
        Bytes.put16(dst, at, 0x4500 | flow.trafficClass());
        Bytes.put16(dst, at + 2, 20 + 8 + transport);
        Bytes.put16(dst, at + 4, packet.ipId);
        Bytes.put16(dst, at + 6, DONT_FRAGMENT);
        Bytes.put16(dst, at + 8, (flow.hopLimit << 8) | PROTOCOL_UDP);
        Bytes.put16(dst, at + 10, 0);
        Bytes.put32(dst, at + 12, flow.srcIpv4());
        Bytes.put32(dst, at + 16, flow.dstIpv4());
        Bytes.put16(dst, at + 10, ~Checksum.ofWords(dst, at, 20));
        return at + 20;
    }

    private static int ipv6(FlowAddress flow, int length, int next, byte[] dst, int at) {
        Bytes.put32(dst, at, (6 << 28) | (flow.trafficClass() << 20) | flow.flowLabel);
        Bytes.put16(dst, at + 4, length);
        Bytes.put16(dst, at + 6, (next << 8) | flow.hopLimit);
        Bytes.put64(dst, at + 8, flow.srcHi);
        Bytes.put64(dst, at + 16, flow.srcLo);
        Bytes.put64(dst, at + 24, flow.dstHi);
        Bytes.put64(dst, at + 32, flow.dstLo);
        return at + 40;
    }

    private static int udp(FlowAddress flow, int transport, byte[] dst, int at) {
        Bytes.put16(dst, at, flow.udpSourcePort);
        Bytes.put16(dst, at + 2, UDP_PORT);
        Bytes.put16(dst, at + 4, 8 + transport);
        Bytes.put16(dst, at + 6, 0);
        return at + 8;
    }

    private static void bth(RocePacket p, byte[] dst, int at) {
        int flags = (p.solicited ? 0x80 : 0) | (p.migReq ? 0x40 : 0) | (p.padCount << 4) | p.tver;
        Bytes.put32(dst, at, (p.opcode << 24) | (flags << 16) | p.pkey);
        Bytes.put32(dst, at + 4, (p.fecn ? 1 << 31 : 0) | (p.becn ? 1 << 30 : 0) | p.destQp);
        Bytes.put32(dst, at + 8, (p.ackReq ? 1 << 31 : 0) | p.psn);
    }
}
