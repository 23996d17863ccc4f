package dev.clockwire.sim.capture;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Writes classic pcap with nanoseconds, for tools that do not read pcapng. Ethernet frames without FCS. */
public final class PcapWriter extends CaptureWriter {
    private static final int LONGEST_FRAME = 262_144;

    private PcapWriter(Path target) {
        super(target);
        ByteBuffer header = room(24);
        header.putInt(PcapReader.NANOSECONDS);
        header.putShort((short) 2).putShort((short) 4);
        header.putInt(0).putInt(0);
        header.putInt(LONGEST_FRAME).putInt(CaptureReader.ETHERNET);
    }

    /**
     * Starts a file.
     *
     * @throws dev.clockwire.sim.error.ConfigurationException if nothing can be written there
     */
    public static PcapWriter create(Path target) {
        return new PcapWriter(target);
    }

    /**
     * Appends a record.
     *
     * @param ps time in picoseconds, rounded down to nanoseconds
     * @param data holds the bytes to keep, {@code len} of them from {@code off} on
     * @param originalLength the frame's length in bytes, at least {@code len}
     */
    public void write(long ps, byte[] data, int off, int len, long originalLength) {
        long ns = Math.floorDiv(ps, 1000L);
        room(16).putInt((int) (ns / 1_000_000_000))
                .putInt((int) (ns % 1_000_000_000))
                .putInt(len)
                .putInt((int) originalLength);
        put(data, off, len);
    }
}
