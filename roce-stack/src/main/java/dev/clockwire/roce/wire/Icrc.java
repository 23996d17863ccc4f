package dev.clockwire.roce.wire;

import java.util.zip.CRC32;

/**
 * The invariant CRC: the Ethernet CRC-32 over eight bytes of ones (the place of the InfiniBand local route header), the IP
 * and UDP headers and the BTH with the fields that a switch may change set to ones, and the rest up to the last pad byte.
 *
 * <p>Set to ones are: of IPv4 the type of service, time to live and header checksum; of IPv6 and GRH the traffic class,
 * flow label and hop limit; the UDP checksum; the FECN, BECN and reserved byte of the BTH. Holds buffers, so each thread and
 * each model needs its own. Source: annex A17.3.3.
 */
public final class Icrc {
    private static final int LRH_BYTES = 8;
    private static final int BTH_BYTES = 12;
    private static final int MAX_IP_BYTES = 60;
    private static final int UDP_BYTES = 8;

    private final CRC32 crc = new CRC32();
    private final byte[] masked = new byte[LRH_BYTES + MAX_IP_BYTES + UDP_BYTES + BTH_BYTES];

    /** Creates a calculator. */
    public Icrc() {
        Bytes.put64(masked, 0, -1);
    }

    /**
     * Returns the ICRC of a packet. On the wire its least significant byte goes first.
     *
     * @param frame holds the packet
     * @param ip where the IP header or GRH starts
     * @param bth where the BTH starts
     * @param end where the ICRC starts; at least {@code bth + 12}
     * @param encapsulation what stands in front of the BTH
     */
    public int of(byte[] frame, int ip, int bth, int end, Encapsulation encapsulation) {
        int head = bth - ip + BTH_BYTES;
        byte[] m = masked;
        System.arraycopy(frame, ip, m, LRH_BYTES, head);
        if (encapsulation == Encapsulation.IPV4) {
            m[LRH_BYTES + 1] = -1;
            m[LRH_BYTES + 8] = -1;
            Bytes.put16(m, LRH_BYTES + 10, -1);
        } else {
            Bytes.put32(m, LRH_BYTES, Bytes.get32(m, LRH_BYTES) | 0x0FFF_FFFF);
            m[LRH_BYTES + 7] = -1;
        }
        int maskedBth = LRH_BYTES + bth - ip;
        if (encapsulation != Encapsulation.GRH) {
            Bytes.put16(m, maskedBth - 2, -1);
        }
        m[maskedBth + 4] = -1;
        crc.reset();
        crc.update(m, 0, LRH_BYTES + head);
        crc.update(frame, bth + BTH_BYTES, end - bth - BTH_BYTES);
        return (int) crc.getValue();
    }
}
