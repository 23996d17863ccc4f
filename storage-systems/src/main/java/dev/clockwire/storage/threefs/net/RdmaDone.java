package dev.clockwire.storage.threefs.net;

/** Takes a one-sided operation that has ended. */
@FunctionalInterface
public interface RdmaDone {
    /** One has ended; {@code ok} is false if the connection broke. */
    void done(boolean ok);
}
