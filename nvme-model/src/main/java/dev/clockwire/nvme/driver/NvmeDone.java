package dev.clockwire.nvme.driver;

/** Takes a command that has ended. */
@FunctionalInterface
public interface NvmeDone {
    /**
     * Called while a queue pair is polled; it may submit.
     *
     * @param status type and code as {@link dev.clockwire.nvme.format.NvmeStatus#code}, 0 is success
     * @param result double words 0 and 1 of the completion
     */
    void done(int tag, int status, long result);
}
