package dev.clockwire.pcie.link;

import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;

/**
 * The last packets of some link directions in one ring of primitives, for timelines: unlike a {@link TlpTap} it takes a packet when its time is
 * known, which may be ahead, so that it costs no event and leaves trains together.
 */
public final class TlpLog {
    /** Most packets that a log may be told to keep. */
    public static final int MOST = 1 << 24;

    private static final int WIDTH = 6;
    private static final int BYTES_SHIFT = 24;
    private static final int STAGE_SHIFT = 40;
    private static final int BITS_16 = 0xFFFF;

    private final long[] ring;
    private final TlpType[] types;
    private final int mask;
    private final List<String> directions = new ArrayList<>();
    private long total;

    /**
     * One packet.
     *
     * @param direction on which link, and which way
     * @param type its kind
     * @param bytes of data that it carries or asks for
     * @param address where its range starts
     * @param tag of a request that is answered, and of its completions; 0 for others
     * @param startPs when its first bit leaves
     * @param endPs when its last bit leaves
     * @param journey of the operation that it belongs to, 0 if none is known
     * @param stage in which the operation waits for it, 0 if nobody does
     * @param part which part of the operation it belongs to (a PSN)
     */
    public record Packet(
            String direction,
            TlpType type,
            int bytes,
            long address,
            int tag,
            long startPs,
            long endPs,
            long journey,
            int stage,
            int part) {}

    /**
     * Creates an empty log.
     *
     * @param capacity packets kept, 1 to {@link #MOST}, rounded up to a power of two
     */
    public TlpLog(int capacity) {
        if (capacity < 1 || capacity > MOST) {
            throw new ConfigurationException("TLP log capacity " + capacity + " is not in 1.." + MOST);
        }
        int n = Integer.highestOneBit(Math.max(1, 2 * capacity - 1));
        mask = n - 1;
        ring = new long[WIDTH * n];
        types = new TlpType[n];
    }

    /** Listens to a direction from now on. */
    public void watch(String name, LinkDirection direction) {
        directions.add(name);
        direction.log(this, directions.size() - 1);
    }

    /** Takes a packet that leaves. */
    void sent(int direction, TlpTrain train, int i, long startPs, long endPs) {
        int slot = (int) total++ & mask;
        int at = slot * WIDTH;
        types[slot] = train.type;
        long[] r = ring;
        r[at] = train.journey;
        r[at + 1] = startPs;
        r[at + 2] = endPs;
        r[at + 3] = train.address + train.offset[i];
        r[at + 4] = direction
                | (long) (train.bytes(i) & BITS_16) << BYTES_SHIFT
                | (long) (train.within & BITS_16) << STAGE_SHIFT;
        int tag = train.flowClass() == FlowClass.POSTED ? 0 : train.tag[i]; // nobody answers these
        r[at + 5] = (long) train.part << 32 | (tag & 0xFFFF_FFFFL);
    }

    /** Returns the number of packets kept. */
    public int size() {
        return (int) Math.min(total, mask + 1L);
    }

    /** Returns the number of packets that were overwritten. */
    public long lost() {
        return total - size();
    }

    /** Returns a packet, 0 being the oldest kept; those of one direction are in the order of the line. */
    public Packet packet(int i) {
        int slot = (int) (total - size() + i) & mask;
        int at = slot * WIDTH;
        long what = ring[at + 4];
        return new Packet(
                directions.get((int) what & BITS_16),
                types[slot],
                (int) (what >>> BYTES_SHIFT) & BITS_16,
                ring[at + 3],
                (int) ring[at + 5],
                ring[at + 1],
                ring[at + 2],
                ring[at],
                (int) (what >>> STAGE_SHIFT) & BITS_16,
                (int) (ring[at + 5] >> 32));
    }
}
