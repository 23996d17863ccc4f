package dev.clockwire.pcie.config;

/** What lies behind a port of a switch. */
public interface BridgeWindows {
    /** First address of a window that has none. */
    long NO_FIRST = 0xFFF0_0000L;

    /** Returns the bus that the port itself is on. */
    int primary();

    /** Returns the bus behind it. */
    int secondary();

    /** Returns the last bus behind it. */
    int subordinate();

    /** Returns the first address of 32 or 64 bits behind it, {@link #NO_FIRST} if there is none. */
    long first(boolean narrow);

    /** Returns the last address, 0 if there is none. */
    long last(boolean narrow);
}
