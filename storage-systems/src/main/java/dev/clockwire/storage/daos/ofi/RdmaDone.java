package dev.clockwire.storage.daos.ofi;

/** Takes the end of a READ or WRITE, inside {@link RdmEndpoint#progress}: nothing touches its memory any more, well or not. */
@FunctionalInterface
public interface RdmaDone {
    /** It has ended. */
    void done(boolean ok);
}
