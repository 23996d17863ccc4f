package dev.clockwire.storage.nvmf.target;

/** Where a command of the RDMA transport is in its life, with the names and the order of SPDK's {@code spdk_nvmf_rdma_request_state}. */
public enum RequestState {
    /** Not in use. */
    FREE,
    /** Its capsule has arrived. */
    NEW,
    /** Waits for work requests for its descriptors; others of its poll group wait behind it. */
    NEED_DATA_WR,
    /** Waits for a buffer. */
    NEED_BUFFER,
    /** Has one. */
    HAVE_BUFFER,
    /** Waits for room to READ its data from the host. */
    DATA_TRANSFER_TO_CONTROLLER_PENDING,
    /** Its data are being read from the host. */
    TRANSFERRING_HOST_TO_CONTROLLER,
    /** May be executed. */
    READY_TO_EXECUTE,
    /** The block device, or the controller, has it. */
    EXECUTING,
    /** Its response is known. */
    EXECUTED,
    /** Waits for room to WRITE its data to the host. */
    DATA_TRANSFER_TO_HOST_PENDING,
    /** Waits for room to send its response. */
    READY_TO_COMPLETE_PENDING,
    /** Its response is being made. */
    READY_TO_COMPLETE,
    /** Data and response are on their way. */
    TRANSFERRING_CONTROLLER_TO_HOST,
    /** Its response is on its way. */
    COMPLETING,
    /** Over. */
    COMPLETED
}
