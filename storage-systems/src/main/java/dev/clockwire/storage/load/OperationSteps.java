package dev.clockwire.storage.load;

import java.util.Arrays;

/** One operation of a client, and which machine took which step for it, in the order in which they were taken. */
public final class OperationSteps {
    private static final int USUAL = 48;

    private String[] names = new String[USUAL];
    private int[] hosts = new int[USUAL];
    private long[] times = new long[USUAL];
    private int count;
    private int client;
    private boolean write;
    private long number;
    private long startPs;
    private long endPs;

    OperationSteps() {}

    void begin(int host, boolean isWrite, long ps) {
        count = 0;
        client = host;
        write = isWrite;
        startPs = ps;
        endPs = ps;
    }

    void add(String step, int host, long ps) {
        if (count == names.length) {
            names = Arrays.copyOf(names, 2 * count);
            hosts = Arrays.copyOf(hosts, 2 * count);
            times = Arrays.copyOf(times, 2 * count);
        }
        names[count] = step;
        hosts[count] = host;
        times[count++] = ps;
    }

    /** Sets the number that the client has given it. */
    void number(long ofClient) {
        number = ofClient;
    }

    long number() {
        return number;
    }

    void end(long ps) {
        endPs = ps;
    }

    int count() {
        return count;
    }

    String name(int i) {
        return names[i];
    }

    int host(int i) {
        return hosts[i];
    }

    long ps(int i) {
        return times[i];
    }

    /** Returns the number of the client's machine. */
    public int client() {
        return client;
    }

    /** Returns whether it writes. */
    public boolean isWrite() {
        return write;
    }

    /** Returns when the client began it, in ps. */
    public long startPs() {
        return startPs;
    }

    /** Returns when the client saw its end, in ps. */
    public long endPs() {
        return endPs;
    }

    /** Returns how long it took, in ps. */
    public long latencyPs() {
        return endPs - startPs;
    }

    /** Returns steps and times, for people. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(
                (write ? "write" : "read") + " of host " + client + ", " + startPs + " to " + endPs + " ps:");
        for (int i = 0; i < count; i++) {
            text.append(' ')
                    .append(names[i])
                    .append('@')
                    .append(hosts[i])
                    .append('+')
                    .append(times[i] - startPs);
        }
        return text.toString();
    }
}
