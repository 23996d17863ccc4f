package dev.clockwire.roce.fabric;

import dev.clockwire.roce.wire.Encapsulation;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.roce.wire.FrameDecoder;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.roce.wire.FrameVerdict;
import dev.clockwire.roce.wire.RocePacket;

/**
 * What a flipped bit does to a packet. The frame is written, the bit flipped, and read again, so a receiver sees what a real one
 * would: another address or a broken IP header never gets past its port, an ICRC that does not fit is for it to find, and the few bits that
 * nothing covers (source MAC, FECN, BECN, an IPv6 hop limit) pass. Where the payload is nowhere in bytes zeros stand in for it:
 * a CRC of a flipped bit does not depend on the others.
 */
final class FrameDamage {
    private static final int MAC_BYTES = 12;
    private static final int IPV4_BYTES = 20;
    private static final int UDP_BYTES = 8;
    private static final int VLAN_ID = 0xFFF;

    private final FrameEncoder encoder = new FrameEncoder();
    private final FrameDecoder decoder = new FrameDecoder();
    private final RocePacket found = new RocePacket();
    private final RocePacket standIn = new RocePacket();
    private byte[] frame = new byte[0];

    /**
     * Makes a packet what its {@link RocePacket#flippedBit} leaves of it, and forgets the bit.
     *
     * @return false if no RoCE receiver gets to see the frame
     */
    boolean apply(RocePacket packet) {
        int length = packet.wireBytes();
        int at = packet.flippedBit >>> 3;
        if (frame.length < length) {
            frame = new byte[length];
        }
        boolean bytes = packet.payload.isBytes() && packet.payload.length() == packet.payloadLength;
        encoder.encode(bytes ? packet : withZeros(packet), frame, 0);
        FrameVerdict verdict = decoder.decode(frame, 0, length, found);
        if (bytes && found.opcode != packet.opcode) {
            // other headers would be read out of the payload, which is not there in every payload mode
            encoder.encode(withZeros(packet), frame, 0);
            decoder.decode(frame, 0, length, found);
        }
        packet.flippedBit = RocePacket.INTACT;
        if (!reaches(packet.flow, verdict, at)) {
            return false;
        }
        if (!bytes) {
            found.payload.clear();
            found.payload.appendFrom(packet.payload, 0, packet.payload.length());
        }
        found.journey = packet.journey;
        packet.set(found);
        return true;
    }

    private RocePacket withZeros(RocePacket packet) {
        standIn.set(packet);
        standIn.payload.clear();
        standIn.payload.appendBytes(new byte[packet.payloadLength], 0, packet.payloadLength);
        return standIn;
    }

    private boolean reaches(FlowAddress sent, FrameVerdict verdict, int at) {
        int bth = sent.bytes();
        if (at >= bth) {
            return verdict == FrameVerdict.OK || verdict == FrameVerdict.BAD_ICRC;
        }
        if (verdict == FrameVerdict.BAD_ICRC) {
            return onlyIcrcFinds(sent, at);
        }
        return verdict == FrameVerdict.OK
                && found.flow.dstMac == sent.dstMac
                && found.flow.encapsulation == sent.encapsulation
                && (found.flow.vlan & VLAN_ID) == (sent.vlan & VLAN_ID);
    }

    /** In front of the BTH: neither a checksum nor the receiver's own address shows the damage. */
    private static boolean onlyIcrcFinds(FlowAddress sent, int at) {
        int ip = sent.bytes() - sent.encapsulation.bytes();
        if (at < MAC_BYTES || (sent.encapsulation == Encapsulation.IPV4 && at < ip + IPV4_BYTES)) {
            return false;
        }
        if (sent.encapsulation == Encapsulation.GRH) {
            return at >= ip + 8 && at < ip + 24;
        }
        int udp = sent.bytes() - UDP_BYTES;
        boolean source6 = sent.encapsulation == Encapsulation.IPV6 && at >= ip + 8 && at < ip + 24;
        return source6 || at == udp || at == udp + 1;
    }
}
