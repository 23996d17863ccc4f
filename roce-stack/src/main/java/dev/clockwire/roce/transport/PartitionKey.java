package dev.clockwire.roce.transport;

/** The rule for partition keys: 15 bits of partition, bit 15 = full member. */
public final class PartitionKey {
    private static final int PARTITION = 0x7FFF;
    private static final int FULL_MEMBER = 0x8000;

    private PartitionKey() {}

    /**
     * Tells whether a packet with one key may reach a queue pair with the other: same partition, not the invalid partition 0,
     * and at least one of both a full member. A mismatch is a silent drop; no refusal exists for it.
     */
    public static boolean matches(int a, int b) {
        int partition = a & PARTITION;
        return partition != 0 && partition == (b & PARTITION) && ((a | b) & FULL_MEMBER) != 0;
    }
}
