package dev.clockwire.pcie.tlp;

/** What a decoder says about the bytes it was given. */
public enum DecodeResult {
    /** The header was understood. */
    OK,
    /** Fewer bytes than the header needs. */
    TRUNCATED,
    /** The first byte is a TLP prefix, which this codec does not interpret. */
    PREFIX,
    /** No packet type has this combination of format and type. */
    UNDEFINED_TYPE,
    /** The data that follow are not as long as the length field and the digest bit say: a malformed TLP. */
    LENGTH_MISMATCH
}
