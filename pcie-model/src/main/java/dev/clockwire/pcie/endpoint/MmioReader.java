package dev.clockwire.pcie.endpoint;

/** Answers reads of a device's windows. Called in a handler of the endpoint; reading must not change anything a tick can see. */
@FunctionalInterface
public interface MmioReader {
    /** Returns up to eight bytes of a window as a little-endian number. */
    long read(int bar, long offset, int bytes);
}
