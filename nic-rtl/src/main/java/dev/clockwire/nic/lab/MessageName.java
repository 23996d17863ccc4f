package dev.clockwire.nic.lab;

/**
 * What a message is for, said by who posts it.
 *
 * @param name as a diagram shows it, such as {@code UPDATE}
 * @param overhead what reports call it if it is no part of an operation, such as {@code heartbeat}; else empty
 */
public record MessageName(String name, String overhead) {
    /** What is known of a message that nobody has named: it belongs to an operation. */
    public static final MessageName NONE = new MessageName("", "");

    /** A message that a NIC passes on by itself: part of an operation, but no core waits for its acknowledgement. */
    public static final MessageName PASSED_ON = new MessageName("passed on", "");

    /** Returns the name of a message of an operation. */
    public static MessageName of(String name) {
        return new MessageName(name, "");
    }

    /** Returns the name of a message that is no part of an operation, the same in diagrams and reports. */
    public static MessageName aside(String overhead) {
        return new MessageName(overhead, overhead);
    }

    /** Returns whether the host that sent it learns something of its acknowledgement. */
    public boolean isAwaited() {
        return !isAside() && !equals(PASSED_ON);
    }

    /** Returns whether it is no part of an operation. */
    public boolean isAside() {
        return !overhead.isEmpty();
    }
}
