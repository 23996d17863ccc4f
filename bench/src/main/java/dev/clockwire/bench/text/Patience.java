package dev.clockwire.bench.text;

import java.util.function.Consumer;
import java.util.function.Supplier;

/** Tells a user who has waited for a while how far a run is, and again now and then. */
public final class Patience {
    private static final long FIRST_NS = 20_000_000_000L;
    private static final long NEXT_NS = 20_000_000_000L;

    private Consumer<String> notes = text -> {};
    private long nextNs = System.nanoTime() + FIRST_NS;

    /** Waits for nobody yet. */
    public Patience() {}

    /** Says who is told; the waiting begins. */
    public void tell(Consumer<String> who) {
        notes = who;
        nextNs = System.nanoTime() + FIRST_NS;
    }

    /** Tells now. */
    public void say(String text) {
        notes.accept(text);
    }

    /** Tells if it is time to. */
    public void look(Supplier<String> text) {
        if (System.nanoTime() - nextNs >= 0) {
            nextNs = System.nanoTime() + NEXT_NS;
            notes.accept(text.get());
        }
    }
}
