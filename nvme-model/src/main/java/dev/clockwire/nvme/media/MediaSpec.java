package dev.clockwire.nvme.media;

import dev.clockwire.sim.error.ConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * What a medium is made of. A command passes the pipeline, one at a time; its pieces are worked on by units, each one piece at a time; what
 * they give or take passes the link, one piece at a time.
 *
 * @param name of the profile
 * @param pipelinePs the pipeline takes for a command, 0 to 1 ms
 * @param units that work beside each other, 0 (no time at all) to 4096
 * @param pieceBytes what a unit works on at a time; a piece's unit follows from its address; a power of two, 512 to 1 MiB
 * @param readPs a unit takes to read a piece, 0 to 1 s
 * @param writePs a unit takes to write a piece, 0 to 1 s; a medium with a buffer programs instead
 * @param unitRate of a piece between unit and link, bytes per second, 0 = it takes no time
 * @param linkRate bytes per second, 0 = it takes no time
 * @param fixedPs on top of every command, 0 to 1 s
 * @param buffer where writes wait to be programmed
 * @param gc how room is made for them, null = there always is some
 */
public record MediaSpec(
        String name,
        long pipelinePs,
        int units,
        int pieceBytes,
        long readPs,
        long writePs,
        long unitRate,
        long linkRate,
        long fixedPs,
        WriteBufferSpec buffer,
        @Nullable GcSpec gc) {
    private static final long MS = 1_000_000_000L;
    private static final long SECOND = 1000 * MS;
    private static final long MOST_RATE = 1_000_000_000_000L;
    private static final int MOST_UNITS = 4096;
    private static final int MOST_PIECE = 1 << 20;
    private static final int LEAST_PIECE = 512;

    /** Checks the ranges. */
    public MediaSpec {
        range("pipeline in ps", pipelinePs, 0, MS);
        range("number of units", units, 0, MOST_UNITS);
        range("bytes of a piece", pieceBytes, LEAST_PIECE, MOST_PIECE);
        range("read of a piece in ps", readPs, 0, SECOND);
        range("write of a piece in ps", writePs, 0, SECOND);
        range("rate of a unit in B/s", unitRate, 0, MOST_RATE);
        range("rate of the link in B/s", linkRate, 0, MOST_RATE);
        range("fixed time in ps", fixedPs, 0, SECOND);
        if (Integer.bitCount(pieceBytes) != 1) {
            throw new ConfigurationException("bytes of a piece " + pieceBytes + ": must be a power of two");
        }
        if (gc != null && (buffer.bytes() == 0 || buffer.programBytes() % GcSpec.PAGE != 0)) {
            throw new ConfigurationException(
                    "garbage collection needs a write buffer that programs whole pages of " + GcSpec.PAGE + " B");
        }
        if (units == 0 && buffer.bytes() > 0) {
            throw new ConfigurationException("a write buffer needs units that program, and there are 0");
        }
    }

    /** Creates a medium that always has room. */
    public MediaSpec(
            String name,
            long pipelinePs,
            int units,
            int pieceBytes,
            long readPs,
            long writePs,
            long unitRate,
            long linkRate,
            long fixedPs,
            WriteBufferSpec buffer) {
        this(name, pipelinePs, units, pieceBytes, readPs, writePs, unitRate, linkRate, fixedPs, buffer, null);
    }

    static void range(String what, long value, long low, long high) {
        if (value < low || value > high) {
            throw new ConfigurationException(what + " " + value + " is not in " + low + ".." + high);
        }
    }

    /** Returns a copy with another write buffer. */
    public MediaSpec withBuffer(WriteBufferSpec other) {
        return new MediaSpec(
                name, pipelinePs, units, pieceBytes, readPs, writePs, unitRate, linkRate, fixedPs, other, gc);
    }

    /** Returns a copy with another fixed time. */
    public MediaSpec withFixedPs(long other) {
        return new MediaSpec(
                name, pipelinePs, units, pieceBytes, readPs, writePs, unitRate, linkRate, other, buffer, gc);
    }

    /** Returns a copy that has to make room for what is written. */
    public MediaSpec withGc(GcSpec other) {
        return new MediaSpec(
                name, pipelinePs, units, pieceBytes, readPs, writePs, unitRate, linkRate, fixedPs, buffer, other);
    }
}
