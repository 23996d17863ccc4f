package dev.clockwire.storage.reactor;

/**
 * A function that messages and events call, known to the {@link Reactors} by a number: so a message is data, and a snapshot holds it.
 */
public final class MsgFn {
    private final String name;
    private final int ordinal;
    private final Body body;

    MsgFn(String name, int ordinal, Body body) {
        this.name = name;
        this.ordinal = ordinal;
        this.body = body;
    }

    int ordinal() {
        return ordinal;
    }

    void run(long a, long b) {
        body.run(a, b);
    }

    @Override
    public String toString() {
        return name;
    }

    /** What is called. */
    @FunctionalInterface
    public interface Body {
        /** Runs on the thread, or for an event the reactor, that it was sent to. */
        void run(long a, long b);
    }
}
