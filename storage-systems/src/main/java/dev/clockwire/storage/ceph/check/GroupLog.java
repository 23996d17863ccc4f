package dev.clockwire.storage.ceph.check;

import java.util.Arrays;

/** Entries of a log by version, and the versions of requests; the oldest are forgotten when there are twice as many as a group keeps. */
final class GroupLog {
    private static final int KEPT = 10_000;
    private static final int FIRST = 16;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private long[] versions = new long[FIRST];
    private long[] oids = new long[FIRST];
    private long[] clients = new long[FIRST];
    private long[] tids = new long[FIRST];
    private int[] table = new int[2 * FIRST];
    private int size;

    void clear() {
        size = 0;
        Arrays.fill(table, 0);
    }

    long last() {
        return size == 0 ? 0 : versions[size - 1];
    }

    /** Returns the place of a version, negative as {@link Arrays#binarySearch} if it is not there. */
    int find(long version) {
        return size == 0 || version > versions[size - 1] ? -size - 1 : Arrays.binarySearch(versions, 0, size, version);
    }

    boolean isSame(int at, long oid, long client, long tid) {
        return oids[at] == oid && clients[at] == client && tids[at] == tid;
    }

    /** Returns an entry in words. */
    String text(int at) {
        return text(oids[at], clients[at], tids[at]);
    }

    static String text(long oid, long client, long tid) {
        return "object " + oid + " by request " + client + "." + tid;
    }

    /** Returns the version that a request has, 0 if none. */
    long versionOf(long client, long tid) {
        int i = table[slot(client, tid)];
        return i == 0 ? 0 : versions[i - 1];
    }

    /** Adds an entry where its version belongs. */
    void add(long version, long oid, long client, long tid) {
        if (size == versions.length) {
            makeRoom();
        }
        int at = find(version);
        int to = at < 0 ? -at - 1 : at;
        if (to < size) {
            for (long[] column : new long[][] {versions, oids, clients, tids}) {
                System.arraycopy(column, to, column, to + 1, size - to);
            }
        }
        versions[to] = version;
        oids[to] = oid;
        clients[to] = client;
        tids[to] = tid;
        size++;
        if (to == size - 1) {
            table[slot(client, tid)] = size;
        } else {
            index();
        }
    }

    private void makeRoom() {
        int forget = size >= 2 * KEPT ? size - KEPT : 0;
        int room = forget > 0 ? size : 2 * size;
        versions = Arrays.copyOf(Arrays.copyOfRange(versions, forget, size), room);
        oids = Arrays.copyOf(Arrays.copyOfRange(oids, forget, size), room);
        clients = Arrays.copyOf(Arrays.copyOfRange(clients, forget, size), room);
        tids = Arrays.copyOf(Arrays.copyOfRange(tids, forget, size), room);
        size -= forget;
        index();
    }

    private void index() {
        table = table.length == 2 * versions.length
                ? table
                : new int[2 * Integer.highestOneBit(2 * versions.length - 1)];
        Arrays.fill(table, 0);
        for (int i = 0; i < size; i++) {
            table[slot(clients[i], tids[i])] = i + 1;
        }
    }

    private int slot(long client, long tid) {
        long hash = (client * MIX ^ tid) * MIX;
        int at = (int) (hash >>> Integer.SIZE) & (table.length - 1);
        while (table[at] != 0 && (clients[table[at] - 1] != client || tids[table[at] - 1] != tid)) {
            at = (at + 1) & (table.length - 1);
        }
        return at;
    }
}
