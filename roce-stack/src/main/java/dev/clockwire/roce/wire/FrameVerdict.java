package dev.clockwire.roce.wire;

/** What the decoder found. A receiver drops everything but {@link #OK}, silently, and counts it. */
public enum FrameVerdict {
    /** A RoCE packet with a good ICRC and consistent lengths. */
    OK(Kind.GOOD, "good"),
    /** Something else: ARP, TCP, another UDP port, or too short to tell. */
    NOT_ROCE(Kind.OTHER, "not RoCE"),
    /** The frame ends among the headers: only the addresses were read. */
    CUT_IN_HEADERS(Kind.CUT, "truncated: the frame ends before its headers"),
    /** The frame ends behind the headers and before the end of the packet. The headers were read. */
    TRUNCATED(Kind.CUT, "truncated: the frame ends before its IP packet"),
    /** Shorter than a BTH and an ICRC. */
    TOO_SHORT(Kind.CUT, "shorter than BTH and ICRC"),
    /** The ICRC does not fit: nothing in the packet can be trusted. */
    BAD_ICRC(Kind.BAD, "bad ICRC"),
    /** The IPv4 version or the GRH's next header is wrong. */
    IP_VERSION(Kind.MALFORMED, "wrong IP version or next header"),
    /** IPv4 options: not allowed in RoCEv2. */
    IP_OPTIONS(Kind.MALFORMED, "IPv4 options"),
    /** A fragment of an IPv4 packet: not allowed in RoCEv2. */
    IP_FRAGMENT(Kind.MALFORMED, "IPv4 fragment"),
    /** The IPv4 header checksum is wrong. */
    IP_CHECKSUM(Kind.MALFORMED, "wrong IPv4 header checksum"),
    /** The UDP length does not agree with the IP length. */
    UDP_LENGTH(Kind.MALFORMED, "UDP length disagrees with IP length"),
    /** The UDP checksum is neither zero nor right. */
    UDP_CHECKSUM(Kind.MALFORMED, "wrong UDP checksum"),
    /** A transport header version other than 0. */
    BTH_VERSION(Kind.MALFORMED, "BTH version is not 0"),
    /** A reserved or vendor opcode. */
    UNKNOWN_OPCODE(Kind.MALFORMED, "unknown opcode"),
    /** Shorter than the headers of its opcode and its pad bytes. */
    HEADERS_CUT(Kind.MALFORMED, "shorter than its headers and padding"),
    /** The transport part is not a multiple of four bytes. */
    UNPADDED(Kind.MALFORMED, "length is not a multiple of 4"),
    /** Payload in a packet whose opcode has none. */
    UNEXPECTED_PAYLOAD(Kind.MALFORMED, "payload where the opcode has none");

    private enum Kind {
        GOOD,
        OTHER,
        CUT,
        BAD,
        MALFORMED
    }

    private final Kind kind;
    private final String text;

    FrameVerdict(Kind kind, String text) {
        this.kind = kind;
        this.text = text;
    }

    /** Tells whether the frame is a RoCE frame, whatever its state. */
    public boolean isRoce() {
        return kind != Kind.OTHER;
    }

    /** Tells whether the packet was whole, so that its ICRC could be checked: {@link RocePacket#icrcOk} is the result. */
    public boolean isWhole() {
        return kind == Kind.GOOD || kind == Kind.BAD || kind == Kind.MALFORMED;
    }

    /** Tells whether the packet breaks a rule that the ICRC does not see. */
    public boolean isMalformed() {
        return kind == Kind.CUT || kind == Kind.MALFORMED;
    }

    /** Returns what is wrong, in a few words. */
    public String text() {
        return text;
    }
}
