package dev.clockwire.nic.lab;

/** Messages of one name that are no part of an operation. */
final class WireAside {
    long messages;
    long bytes;

    WireAside() {}

    void restart() {
        messages = 0;
        bytes = 0;
    }
}
