package dev.clockwire.roce.wire;

/**
 * Parses Ethernet frames without FCS into packets. Whatever the bytes are, the answer is a verdict and never an exception,
 * and nothing is allocated but the payload buffer's growth. The packet's end is found by the IP length, so padding behind it
 * does no harm. Holds buffers, so each thread and each model needs its own.
 *
 * <p>The ICRC is looked at before anything that it covers is judged: a packet whose ICRC is bad gets no other verdict.
 */
public final class FrameDecoder {
    private static final int UDP_BYTES = 8;
    private static final int BTH_BYTES = 12;
    private static final int IPV6_BYTES = 40;
    private static final int ETHERTYPE_SERVICE_VLAN = 0x88A8;

    private final Icrc icrc = new Icrc();

    // what the layers found in the frame at hand
    private int ip;
    private int bth;
    private int end;
    private FrameVerdict complaint = FrameVerdict.OK;

    /** Creates a decoder. */
    public FrameDecoder() {}

    /**
     * Parses one frame.
     *
     * @param frame holds the frame from {@code off} on
     * @param len the frame's length in bytes, as captured
     * @param out is reset and filled as far as the frame goes; meaningless when the frame is not RoCE
     * @return the first thing that is wrong, or {@link FrameVerdict#OK}
     */
    public FrameVerdict decode(byte[] frame, int off, int len, RocePacket out) {
        out.reset();
        out.icrcOk = false;
        complaint = FrameVerdict.OK;
        int limit = off + len;
        if (!network(frame, off, limit, out)) {
            return FrameVerdict.NOT_ROCE;
        }
        if (end > limit) {
            return partial(frame, limit, out);
        }
        if (end - bth < BTH_BYTES + RocePacket.ICRC_BYTES) {
            return FrameVerdict.TOO_SHORT;
        }
        readBth(frame, bth, out);
        int crcAt = end - RocePacket.ICRC_BYTES;
        int crc = icrc.of(frame, ip, bth, crcAt, out.flow.encapsulation);
        out.icrcOk = Integer.reverseBytes(Bytes.get32(frame, crcAt)) == crc;
        FrameVerdict transport = transport(frame, crcAt, out);
        if (!out.icrcOk) {
            return FrameVerdict.BAD_ICRC;
        }
        return complaint != FrameVerdict.OK ? complaint : transport;
    }

    /** Finds ip, bth and end; false if this is not RoCE. */
    private boolean network(byte[] b, int off, int limit, RocePacket out) {
        if (limit - off < 14) {
            return false;
        }
        out.flow.dstMac = Bytes.get48(b, off);
        out.flow.srcMac = Bytes.get48(b, off + 6);
        int at = off + 12;
        int type = Bytes.get16(b, at);
        while ((type == FrameEncoder.ETHERTYPE_VLAN || type == ETHERTYPE_SERVICE_VLAN) && limit - at >= 6) {
            if (out.flow.vlan == FlowAddress.UNTAGGED) {
                out.flow.vlan = Bytes.get16(b, at + 2); // of several tags the outer one
            }
            at += 4;
            type = Bytes.get16(b, at);
        }
        ip = at + 2;
        return switch (type) {
            case FrameEncoder.ETHERTYPE_IPV4 -> ipv4(b, limit, out);
            case FrameEncoder.ETHERTYPE_IPV6 -> ipv6(b, limit, out);
            case FrameEncoder.ETHERTYPE_ROCE -> grh(b, limit, out);
            default -> false;
        };
    }

    private boolean ipv4(byte[] b, int limit, RocePacket out) {
        if (limit - ip < 20) {
            return false;
        }
        int headerBytes = (b[ip] & 0x0F) * 4;
        int udp = ip + headerBytes;
        if (headerBytes < 20 || limit - udp < UDP_BYTES || !isRoceUdp(b, udp, Bytes.get8(b, ip + 9))) {
            return false;
        }
        FlowAddress flow = out.flow;
        flow.setTrafficClass(Bytes.get8(b, ip + 1));
        flow.hopLimit = Bytes.get8(b, ip + 8);
        flow.setIpv4(Bytes.get32(b, ip + 12), Bytes.get32(b, ip + 16));
        out.ipId = Bytes.get16(b, ip + 4);
        if (b[ip] >> 4 != 4) {
            complain(FrameVerdict.IP_VERSION);
        }
        if (headerBytes > 20) {
            complain(FrameVerdict.IP_OPTIONS);
        }
        if ((Bytes.get16(b, ip + 6) & 0x3FFF) != 0) {
            complain(FrameVerdict.IP_FRAGMENT);
        }
        if (Checksum.ofWords(b, ip, headerBytes) != 0xFFFF) {
            complain(FrameVerdict.IP_CHECKSUM);
        }
        end = ip + Bytes.get16(b, ip + 2);
        udp(b, udp, limit, out, Checksum.sum(b, ip + 12, 8));
        return true;
    }

    private boolean ipv6(byte[] b, int limit, RocePacket out) {
        int udp = ip + IPV6_BYTES;
        if (limit - udp < UDP_BYTES || !isRoceUdp(b, udp, Bytes.get8(b, ip + 6))) {
            return false;
        }
        ipv6Header(b, out.flow, Encapsulation.IPV6);
        end = udp + Bytes.get16(b, ip + 4);
        udp(b, udp, limit, out, Checksum.sum(b, ip + 8, 32));
        return true;
    }

    private boolean grh(byte[] b, int limit, RocePacket out) {
        if (limit - ip < IPV6_BYTES) {
            return false;
        }
        ipv6Header(b, out.flow, Encapsulation.GRH);
        if (Bytes.get8(b, ip + 6) != FrameEncoder.GRH_NEXT_HEADER) {
            complain(FrameVerdict.IP_VERSION);
        }
        bth = ip + IPV6_BYTES;
        end = bth + Bytes.get16(b, ip + 4);
        return true;
    }

    private void ipv6Header(byte[] b, FlowAddress flow, Encapsulation encapsulation) {
        int first = Bytes.get32(b, ip);
        if (first >>> 28 != 6) {
            complain(FrameVerdict.IP_VERSION);
        }
        flow.setTrafficClass((first >> 20) & 0xFF);
        flow.flowLabel = first & 0xF_FFFF;
        flow.hopLimit = Bytes.get8(b, ip + 7);
        flow.setIpv6(Bytes.get64(b, ip + 8), Bytes.get64(b, ip + 16), Bytes.get64(b, ip + 24), Bytes.get64(b, ip + 32));
        flow.encapsulation = encapsulation;
    }

    private static boolean isRoceUdp(byte[] b, int udp, int protocol) {
        return protocol == FrameEncoder.PROTOCOL_UDP && Bytes.get16(b, udp + 2) == FrameEncoder.UDP_PORT;
    }

    private void udp(byte[] b, int udp, int limit, RocePacket out, long addresses) {
        bth = udp + UDP_BYTES;
        out.flow.udpSourcePort = Bytes.get16(b, udp);
        int length = Bytes.get16(b, udp + 4);
        if (length != end - udp) {
            complain(FrameVerdict.UDP_LENGTH);
        } else if (end <= limit && Bytes.get16(b, udp + 6) != 0) {
            long pseudoHeader = addresses + FrameEncoder.PROTOCOL_UDP + length;
            if (Checksum.fold(pseudoHeader + Checksum.sum(b, udp, length)) != 0xFFFF) {
                complain(FrameVerdict.UDP_CHECKSUM);
            }
        }
    }

    private void complain(FrameVerdict verdict) {
        if (complaint == FrameVerdict.OK) {
            complaint = verdict;
        }
    }

    /** Reads the 12 bytes of a BTH into the fields of a packet. */
    public static void readBth(byte[] b, int at, RocePacket p) {
        int first = Bytes.get32(b, at);
        p.opcode = first >>> 24;
        p.solicited = (first & 0x80_0000) != 0;
        p.migReq = (first & 0x40_0000) != 0;
        p.padCount = (first >> 20) & 3;
        p.tver = (first >> 16) & 0xF;
        p.pkey = first & 0xFFFF;
        int second = Bytes.get32(b, at + 4);
        p.fecn = second < 0;
        p.becn = (second & 0x4000_0000) != 0;
        p.destQp = second & 0xFF_FFFF;
        int third = Bytes.get32(b, at + 8);
        p.ackReq = third < 0;
        p.psn = third & 0xFF_FFFF;
    }

    /** Reads headers and payload between the BTH and the ICRC. */
    private FrameVerdict transport(byte[] b, int crcAt, RocePacket out) {
        Opcode opcode = Opcode.find(out.opcode);
        if (opcode == null) {
            return FrameVerdict.UNKNOWN_OPCODE;
        }
        int from = TransportHeaders.read(out, opcode, b, bth + BTH_BYTES, crcAt);
        int payload = crcAt - out.padCount - from;
        if (from - bth != opcode.headerBytes() || payload < 0) {
            return FrameVerdict.HEADERS_CUT;
        }
        out.payloadLength = payload;
        out.payload.appendBytes(b, from, payload);
        if (out.tver != 0) {
            return FrameVerdict.BTH_VERSION;
        }
        if (((crcAt - bth) & 3) != 0) {
            return FrameVerdict.UNPADDED;
        }
        return payload > 0 && !opcode.hasPayload() ? FrameVerdict.UNEXPECTED_PAYLOAD : FrameVerdict.OK;
    }

    /** Reads the headers of a packet that was cut; the payload's length follows from the IP length. */
    private FrameVerdict partial(byte[] b, int limit, RocePacket out) {
        if (bth + BTH_BYTES > limit) {
            return FrameVerdict.CUT_IN_HEADERS;
        }
        readBth(b, bth, out);
        Opcode opcode = Opcode.find(out.opcode);
        if (opcode == null) {
            return FrameVerdict.TRUNCATED;
        }
        int headerBytes = opcode.headerBytes();
        if (TransportHeaders.read(out, opcode, b, bth + BTH_BYTES, limit) - bth != headerBytes) {
            return FrameVerdict.CUT_IN_HEADERS;
        }
        out.payloadLength = Math.max(0, end - bth - headerBytes - out.padCount - RocePacket.ICRC_BYTES);
        return FrameVerdict.TRUNCATED;
    }
}
