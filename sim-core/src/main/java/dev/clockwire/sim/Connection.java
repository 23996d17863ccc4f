package dev.clockwire.sim;

/**
 * How two parts of a design are joined, for documents and exporters.
 *
 * @param kind simple name of the class that joins them, such as {@code LongChannel}
 * @param path full name
 * @param from path of the module that writes; empty where handlers of the reading module write
 * @param to path of the module that reads
 * @param capacity words that fit, or credits
 * @param latency edges of the reader's clock until a word is visible
 */
public record Connection(String kind, String path, String from, String to, int capacity, int latency) {
    static Connection of(Link link, String from, String to, int capacity, int latency) {
        return new Connection(link.getClass().getSimpleName(), link.path(), from, to, capacity, latency);
    }
}
