package dev.clockwire.bench.perftest;

/** The tools, in the order of the documentation; {@code ib_write_lat} and so on in the real perftest. */
public enum Tool {
    /** Ping-pong of WRITEs: half a round trip. */
    WRITE_LAT(Verb.WRITE, true),
    /** One READ at a time. */
    READ_LAT(Verb.READ, true),
    /** Ping-pong of SENDs: half a round trip. */
    SEND_LAT(Verb.SEND, true),
    /** One atomic at a time. */
    ATOMIC_LAT(Verb.ATOMIC, true),
    /** A stream of WRITEs. */
    WRITE_BW(Verb.WRITE, false),
    /** A stream of READs. */
    READ_BW(Verb.READ, false),
    /** A stream of SENDs. */
    SEND_BW(Verb.SEND, false),
    /** A stream of atomics. */
    ATOMIC_BW(Verb.ATOMIC, false);

    private final Verb verb;
    private final boolean latency;

    Tool(Verb verb, boolean latency) {
        this.verb = verb;
        this.latency = latency;
    }

    /** Returns what it does. */
    public Verb verb() {
        return verb;
    }

    /** Returns whether it measures one operation at a time rather than a stream. */
    public boolean isLatency() {
        return latency;
    }

    /** Returns whether both sides send in turn, so that one way is half of what is measured. */
    public boolean isPingPong() {
        return latency && !verb.isRoundTrip();
    }
}
