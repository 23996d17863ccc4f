package dev.clockwire.bench.artefact;

import dev.clockwire.sim.capture.PcapngWriter;
import java.util.Locale;

/** Ends a capture at a frame before its file becomes larger than wanted: a second of a fast line is tens of gigabytes. */
public final class CaptureLimit {
    /** Bytes of a capture unless the user says otherwise. */
    public static final long USUAL = 256L << 20;

    /** What a record has besides its frame, padding counted. */
    private static final int RECORD = 36;

    private static final double PS_PER_US = 1e6;

    private final PcapngWriter file;
    private final long most;
    private long bytes;
    private long kept;
    private long left;
    private long lastPs;

    /**
     * Writes to a file.
     *
     * @param most bytes, 0 = as many as come
     */
    public CaptureLimit(PcapngWriter file, long most) {
        this.file = file;
        this.most = most;
    }

    /** Writes a frame, unless it or one before it has no room; frames come in order. */
    public void write(int port, FrameOrder.Frame f) {
        long more = bytes + RECORD + f.data().length;
        if (left > 0 || (most > 0 && more > most)) {
            left++;
            return;
        }
        file.write(port, f.ps(), f.data(), 0, f.data().length, f.bytes());
        bytes = more;
        kept++;
        lastPs = f.ps();
    }

    /** Returns what the capture lacks, empty if it is whole. */
    public String remark() {
        return left == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%s has the first %d frames, until %.3f us; %d more are left out; --capture-limit says how many bytes it may have",
                        RunFiles.CAPTURE,
                        kept,
                        lastPs / PS_PER_US,
                        left);
    }
}
