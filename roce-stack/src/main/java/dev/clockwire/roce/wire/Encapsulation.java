package dev.clockwire.roce.wire;

/** What carries the transport headers, and its size between the Ethernet header and the BTH. */
public enum Encapsulation {
    /** RoCEv2 over IPv4: 20 bytes without options, and UDP. */
    IPV4(28),
    /** RoCEv2 over IPv6: 40 bytes without extension headers, and UDP. */
    IPV6(48),
    /** RoCE v1: EtherType 0x8915 and a global route header. Foreign captures have it, and NICs whose GID is of that version send it. */
    GRH(40);

    private final int bytes;

    Encapsulation(int bytes) {
        this.bytes = bytes;
    }

    /** Returns the bytes between the Ethernet header and the BTH. */
    public int bytes() {
        return bytes;
    }
}
