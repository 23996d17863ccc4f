package dev.clockwire.storage.nvmf.target;

import java.util.List;

/**
 * What {@code nvmf_subsystem_get_controllers} and {@code nvmf_subsystem_get_qpairs} say.
 *
 * @param cntlid its number
 * @param hostnqn name of the host
 * @param hostid 32 hexadecimal digits
 * @param qpairs its queues, the admin queue first
 */
public record ControllerInfo(int cntlid, String hostnqn, String hostid, List<Qpair> qpairs) {
    /** Copies the list. */
    public ControllerInfo {
        qpairs = List.copyOf(qpairs);
    }

    /**
     * A queue.
     *
     * @param qid 0 for the admin queue
     * @param state enabled, connecting or deactivating
     * @param thread of its poll group
     */
    public record Qpair(int qid, String state, String thread) {}
}
