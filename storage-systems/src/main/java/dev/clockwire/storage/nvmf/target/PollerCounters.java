package dev.clockwire.storage.nvmf.target;

/** What a poller of the RDMA transport counts, as {@link PollGroupStats.DeviceStats} tells it. */
final class PollerCounters {
    long busyPolls;
    long completions;
    long requests;
    long requestLatencyPs;
    long pendingFreeRequest;
    long pendingDataBuffer;
    long pendingRdmaRead;
    long pendingRdmaWrite;
    long pendingRdmaSend;
    long totalSendWrs;
    long sendDoorbells;
    long totalRecvWrs;
    long recvDoorbells;

    PollGroupStats.DeviceStats read(String device, long polls) {
        return new PollGroupStats.DeviceStats(
                device,
                polls,
                polls - busyPolls,
                completions,
                requests,
                requestLatencyPs,
                pendingFreeRequest,
                pendingRdmaRead,
                pendingRdmaWrite,
                pendingRdmaSend,
                totalSendWrs,
                sendDoorbells,
                totalRecvWrs,
                recvDoorbells);
    }
}
