package dev.clockwire.bench.rpc;

/** A text that is no JSON, or more of it than is taken. */
public final class JsonBroken extends Exception {
    private static final long serialVersionUID = 1L;

    JsonBroken(String why) {
        super(why);
    }

    /** Returns what is wrong and where. */
    String why() {
        return String.valueOf(getMessage());
    }
}
