package dev.clockwire.storage.threefs.server;

import java.util.function.Consumer;

/** Lets tests of other packages leave out a rule of a service. */
public final class Flaws {
    private Flaws() {}

    /** Returns what leaves out a rule of that name. */
    public static Consumer<StorageService> of(String name) {
        Flaw flaw = Flaw.valueOf(name);
        return s -> s.leaveOut(flaw);
    }
}
