package dev.clockwire.sim.mem;

/**
 * The peer that a range is granted to. What is not given fits everyone.
 *
 * @param words for reports, such as {@code client 3, slot 7}
 * @param qpn own queue pair that the peer comes by; {@link #ANY} for any
 * @param rkey key that the peer uses; 0 for any
 * @param attempt number of the operation it is for, such as that of an RPC with its retries; for reports
 */
public record Grantee(String words, int qpn, int rkey, long attempt) {
    /** No particular queue pair, or attempt. */
    public static final int ANY = -1;

    /** Names a peer that may come by any queue pair and key. */
    public static Grantee of(String words) {
        return new Grantee(words, ANY, 0, ANY);
    }

    /** Returns a copy that comes by one queue pair. */
    public Grantee withQp(int number) {
        return new Grantee(words, number, rkey, attempt);
    }

    /** Returns a copy that uses one key. */
    public Grantee withKey(int key) {
        return new Grantee(words, qpn, key, attempt);
    }

    /** Returns a copy for one attempt. */
    public Grantee withAttempt(long number) {
        return new Grantee(words, qpn, rkey, number);
    }

    boolean fits(long user) {
        return (qpn == ANY || qpn == MemoryUser.qpn(user)) && (rkey == 0 || rkey == MemoryUser.key(user));
    }

    /** Whether it names a way that no other peer has. */
    boolean isNamed() {
        return qpn != ANY || rkey != 0;
    }

    @Override
    public String toString() {
        return words
                + (attempt == ANY ? "" : ", attempt " + attempt)
                + (qpn == ANY ? "" : ", by QP 0x" + Integer.toHexString(qpn))
                + (rkey == 0 ? "" : ", rkey 0x" + Integer.toHexString(rkey));
    }
}
