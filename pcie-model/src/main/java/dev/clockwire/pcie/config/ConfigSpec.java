package dev.clockwire.pcie.config;

import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.List;

/**
 * What a function says of itself in its configuration space.
 *
 * @param vendor vendor id, 16 bits
 * @param device device id, 16 bits
 * @param revision revision, 8 bits
 * @param classCode class, subclass, interface, 24 bits
 * @param subsystem subsystem id in the upper, subsystem vendor in the lower 16 bits
 * @param bars the windows
 * @param vectors MSI-X vectors, 1 to 2048
 * @param vectorBar BAR with the table and the pending bits
 * @param tableOffset of the table in that BAR, a multiple of 8
 * @param pendingOffset of the pending bits in that BAR, a multiple of 8
 * @param maxPayload largest payload the function could be set to, in bytes
 * @param link the link it is made for
 * @param maxLanes lanes that the device has: a slot may have fewer, and not all may train
 */
public record ConfigSpec(
        int vendor,
        int device,
        int revision,
        int classCode,
        int subsystem,
        List<BarSpec> bars,
        int vectors,
        int vectorBar,
        long tableOffset,
        long pendingOffset,
        int maxPayload,
        PcieLinkSpec link,
        int maxLanes) {
    /** Bytes of an entry of the MSI-X table. */
    public static final int VECTOR_BYTES = 16;

    private static final int MOST_VECTORS = 2048;
    private static final int PENDING_WORD = 64;

    /** A device all of whose lanes are used. */
    public ConfigSpec(
            int vendor,
            int device,
            int revision,
            int classCode,
            int subsystem,
            List<BarSpec> bars,
            int vectors,
            int vectorBar,
            long tableOffset,
            long pendingOffset,
            int maxPayload,
            PcieLinkSpec link) {
        this(
                vendor,
                device,
                revision,
                classCode,
                subsystem,
                bars,
                vectors,
                vectorBar,
                tableOffset,
                pendingOffset,
                maxPayload,
                link,
                link.lanes());
    }

    /** Refuses what cannot exist, and says which rule it breaks. */
    public ConfigSpec {
        bars = List.copyOf(bars);
        for (int i = 0; i < bars.size(); i++) {
            for (int j = 0; j < i; j++) {
                bars.get(j).requireApart(bars.get(i));
            }
        }
        if (vectors < 1 || vectors > MOST_VECTORS) {
            throw new ConfigurationException("MSI-X vectors " + vectors + " are not in 1..2048");
        }
        long tableEnd = tableOffset + (long) VECTOR_BYTES * vectors;
        long pendingEnd = pendingOffset + (vectors + PENDING_WORD - 1L) / PENDING_WORD * Long.BYTES;
        if (tableOffset % 8 != 0 || pendingOffset % 8 != 0) {
            throw new ConfigurationException("MSI-X table and pending bits must lie at multiples of 8: "
                    + hex(tableOffset) + ", " + hex(pendingOffset));
        }
        if (tableOffset < pendingEnd && pendingOffset < tableEnd) {
            throw new ConfigurationException("MSI-X pending bits at " + hex(pendingOffset)
                    + " overlap the table, which goes from " + hex(tableOffset) + " to " + hex(tableEnd));
        }
        long room = size(bars, vectorBar);
        if (tableOffset < 0 || pendingOffset < 0 || tableEnd > room || pendingEnd > room) {
            throw new ConfigurationException(
                    "MSI-X table and pending bits do not fit into BAR " + vectorBar + " of " + hex(room) + " bytes");
        }
        if (link.lanes() > maxLanes) {
            throw new ConfigurationException("pcie.lanes=" + link.lanes() + " is more than the device has: at most "
                    + maxLanes + ", its pcie.lanes_supported (Width of LnkCap)");
        }
        if (link.maxPayload() > maxPayload) {
            throw new ConfigurationException(
                    "pcie.mps=" + link.maxPayload() + " is more than the device supports: at most " + maxPayload
                            + " B, its pcie.mps_supported (MaxPayload of DevCap)");
        }
    }

    private static long size(List<BarSpec> bars, int number) {
        for (BarSpec b : bars) {
            if (b.number() == number) {
                return b.bytes();
            }
        }
        throw new ConfigurationException("MSI-X needs BAR " + number + ", which does not exist");
    }

    private static String hex(long x) {
        return "0x" + Long.toHexString(x);
    }
}
