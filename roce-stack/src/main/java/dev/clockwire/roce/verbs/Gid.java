package dev.clockwire.roce.verbs;

/**
 * A global identifier: an IPv6 address, or an IPv4 address as {@code ::ffff:a.b.c.d}.
 *
 * @param hi upper 64 bits
 * @param lo lower 64 bits
 */
public record Gid(long hi, long lo) {
    private static final long IPV4_MAPPED = 0xFFFF_0000_0000L;
    private static final long IPV4_MASK = 0xFFFF_FFFFL;

    /** Returns the GID of an IPv4 address, its first octet on top. */
    public static Gid ofIpv4(int address) {
        return new Gid(0, IPV4_MAPPED | (address & IPV4_MASK));
    }

    /** Tells whether this is an IPv4 address. */
    public boolean isIpv4() {
        return hi == 0 && (lo & ~IPV4_MASK) == IPV4_MAPPED;
    }

    /** Returns the IPv4 address, its first octet on top. */
    public int ipv4() {
        return (int) lo;
    }

    /** Returns eight groups of hexadecimal digits, or {@code ::ffff:a.b.c.d}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (isIpv4()) {
            text.append("::ffff");
            for (int shift = 24; shift >= 0; shift -= 8) {
                text.append(shift == 24 ? ':' : '.').append(lo >> shift & 0xFF);
            }
            return text.toString();
        }
        for (int i = 0; i < 8; i++) {
            long half = i < 4 ? hi : lo;
            text.append(i == 0 ? "" : ":").append(Integer.toHexString((int) (half >> (48 - (i & 3) * 16) & 0xFFFF)));
        }
        return text.toString();
    }
}
