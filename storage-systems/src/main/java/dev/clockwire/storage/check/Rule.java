package dev.clockwire.storage.check;

/** What a history can break. The first nine are about versions, which their system names; the last needs none. */
public enum Rule {
    /** A read returns what no write has written, or not what the write of its version has written. */
    CONTENT("content of the version"),
    /** Two writes have the same version. */
    OWNER("one write for each version"),
    /** A version is missing below the last one, and no write is left that may own it. */
    GAP("no version left out"),
    /** A write that began after another had ended has the older version. */
    WRITE_ORDER("writes in the order of their versions"),
    /** A read ended before the write that it returns began. */
    FUTURE_READ("no read of the future"),
    /** A read that began after a write had ended returns an older version. */
    STALE_READ("no stale read"),
    /** A read that began after another had ended returns an older version: new, then old. */
    INVERSION("no read goes back"),
    /** A write that began after a read had ended has an older version than was read. */
    OLD_WRITE("no write below what was read"),
    /** A write has more versions than it was sent times, or took effect again after another. */
    SECOND_EFFECT("one effect for each write"),
    /** No order of the operations explains what was read. */
    NO_ORDER("linearizability");

    private final String words;

    Rule(String words) {
        this.words = words;
    }

    /** Returns what the rule asks for. */
    public String words() {
        return words;
    }
}
