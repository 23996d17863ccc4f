package dev.clockwire.storage.threefs.lane;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.roce.cm.PrivateData;
import java.util.Comparator;

/**
 * Whose bytes come over a lane.
 *
 * @param client that writes
 * @param chain that it writes to
 * @param chainVer version of the chain: a lane is of one
 */
public record LaneTag(long client, int chain, int chainVer) implements Comparable<LaneTag> {
    private static final int BYTES = 16;
    private static final Comparator<LaneTag> ORDER = Comparator.comparingLong(LaneTag::client)
            .thenComparingInt(LaneTag::chain)
            .thenComparingInt(LaneTag::chainVer);

    PrivateData encode() {
        byte[] b = new byte[BYTES];
        LittleEndian.put64(b, 0, client);
        LittleEndian.put32(b, 8, chain);
        LittleEndian.put32(b, 12, chainVer);
        return PrivateData.of(b);
    }

    /** Reads what came with the wish for a connection. */
    public static LaneTag decode(PrivateData data) {
        byte[] b = data.bytes(BYTES);
        return new LaneTag(LittleEndian.get64(b, 0), LittleEndian.get32(b, 8), LittleEndian.get32(b, 12));
    }

    @Override
    public int compareTo(LaneTag o) {
        return ORDER.compare(this, o);
    }
}
