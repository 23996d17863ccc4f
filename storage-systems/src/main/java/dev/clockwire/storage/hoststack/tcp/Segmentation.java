package dev.clockwire.storage.hoststack.tcp;

/** Cuts large segments into frames, as generic segmentation offload does below IP: numbers go on, PSH and FIN stay with the last. */
public final class Segmentation {
    private final int mss;
    private final boolean checksums;
    private byte[] frame = new byte[TcpSegment.HEADER_BYTES];
    private int ident;

    /** Takes a frame. */
    @FunctionalInterface
    public interface Frames {
        /** A frame of so many bytes, without padding; the array is used again. */
        void frame(byte[] frame, int bytes);
    }

    /**
     * Creates it.
     *
     * @param mss data of a frame at most
     * @param checksums see {@link TcpSegment#write}
     */
    public Segmentation(int mss, boolean checksums) {
        this.mss = mss;
        this.checksums = checksums;
        frame = new byte[TcpSegment.HEADER_BYTES + Math.max(mss, TcpSegment.HEADER_BYTES)];
    }

    /** Returns the frames that so many bytes of data make. */
    public int frames(int bytes) {
        return Math.max(1, (bytes + mss - 1) / mss);
    }

    /** Makes the frames of a segment, in order. */
    public void cut(TcpSegment headers, ByteRing data, int bytes, Frames to) {
        int seq = headers.seq;
        int flags = headers.flags;
        int done = 0;
        do {
            int n = Math.min(mss, bytes - done);
            boolean last = done + n == bytes;
            headers.seq = seq + done;
            headers.flags = last ? flags : flags & ~(TcpSegment.PSH | TcpSegment.FIN);
            headers.ident = ident++ & 0xFFFF;
            data.get(seq + done, frame, headers.headerBytes(), n);
            to.frame(frame, headers.write(frame, n, checksums));
            done += n;
        } while (done < bytes);
        headers.seq = seq;
        headers.flags = flags;
    }
}
