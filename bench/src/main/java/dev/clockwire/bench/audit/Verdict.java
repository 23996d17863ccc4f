package dev.clockwire.bench.audit;

import java.util.Locale;

/** What the laws say about a claim, from good to bad. */
public enum Verdict {
    /** No law is against it. */
    CONSISTENT,
    /** It can only be true under a condition that the claim does not state. */
    NEEDS,
    /** A law forbids it. */
    IMPOSSIBLE;

    /** Returns the word in documents. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
