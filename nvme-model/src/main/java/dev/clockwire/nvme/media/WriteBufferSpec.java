package dev.clockwire.nvme.media;

/**
 * A buffer in which writes wait until units have programmed them; a command is done when its data are in it.
 *
 * @param bytes 0 = there is none, to 16 GiB
 * @param programBytes that a unit programs at a time, 512 to 16 MiB
 * @param programPs a unit takes for it, 1 ps to 1 s
 * @param suspendPs a read that meets a program stops it within this time and prolongs it; 0 = the read waits
 */
public record WriteBufferSpec(long bytes, int programBytes, long programPs, long suspendPs) {
    /** Units write themselves. */
    public static final WriteBufferSpec NONE = new WriteBufferSpec(0, 4096, 1, 0);

    private static final long SECOND = 1_000_000_000_000L;

    /** Checks the ranges. */
    public WriteBufferSpec {
        MediaSpec.range("write buffer in bytes", bytes, 0, 1L << 34);
        MediaSpec.range("bytes programmed at a time", programBytes, 512, 1 << 24);
        MediaSpec.range("program in ps", programPs, 1, SECOND);
        MediaSpec.range("suspend in ps", suspendPs, 0, SECOND);
        if (bytes > 0 && bytes < programBytes) {
            MediaSpec.range("write buffer in bytes", bytes, programBytes, 1L << 34);
        }
    }
}
