package dev.clockwire.storage.nvmf.target;

import java.util.List;

/**
 * What {@code nvmf_get_stats} says of a poll group.
 *
 * @param name of its thread
 * @param adminQpairs admin queues it has had
 * @param ioQpairs I/O queues it has had
 * @param currentAdminQpairs admin queues it has
 * @param currentIoQpairs I/O queues it has
 * @param pendingBdevIo commands that wait for an I/O of the pool
 * @param pendingDataBuffer how often a command had to wait for a buffer
 * @param devices of the RDMA transport
 */
public record PollGroupStats(
        String name,
        int adminQpairs,
        int ioQpairs,
        int currentAdminQpairs,
        int currentIoQpairs,
        long pendingBdevIo,
        long pendingDataBuffer,
        List<DeviceStats> devices) {
    /** Copies the list. */
    public PollGroupStats {
        devices = List.copyOf(devices);
    }

    /**
     * What a poller has done, named as SPDK names it.
     *
     * @param requestLatencyPs sum over commands, from the start of the poll that found them to the end of their response; SPDK gives ticks
     */
    public record DeviceStats(
            String name,
            long polls,
            long idlePolls,
            long completions,
            long requests,
            long requestLatencyPs,
            long pendingFreeRequest,
            long pendingRdmaRead,
            long pendingRdmaWrite,
            long pendingRdmaSend,
            long totalSendWrs,
            long sendDoorbellUpdates,
            long totalRecvWrs,
            long recvDoorbellUpdates) {}
}
