package dev.clockwire.storage.daos.dtx;

/**
 * A transaction.
 *
 * @param client who began it
 * @param sequence which of the client's
 */
public record DtxId(long client, long sequence) implements Comparable<DtxId> {
    @Override
    public int compareTo(DtxId o) {
        int c = Long.compare(client, o.client);
        return c != 0 ? c : Long.compare(sequence, o.sequence);
    }
}
