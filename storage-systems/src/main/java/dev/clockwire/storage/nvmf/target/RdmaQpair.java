package dev.clockwire.storage.nvmf.target;

import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.nvmf.subsystem.TransportId;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A queue over RDMA: a connection, how much may be under way on it, and commands that wait for something. */
final class RdmaQpair extends NvmfQpair {
    private static final int BATCH = 8;

    final CmId id;
    final boolean isAdminByCm;
    private final TransportId at;
    private final Gid gid;
    final int depth;
    final int maxSends;
    final int maxReads;
    final SendBatch sends = new SendBatch(BATCH, 1);
    final ArrayDeque<RdmaRequest> reading = new ArrayDeque<>();
    final ArrayDeque<RdmaRequest> writing = new ArrayDeque<>();
    final ArrayDeque<RdmaRequest> completing = new ArrayDeque<>();
    /** Receives whose capsules wait for a request, and the bytes of these behind the command; never more than the depth. */
    final int[] waitingReceive;

    final int[] waitingBehind;
    private int firstWaiting;
    int waiting;

    private final RdmaPoller poller;

    @Nullable
    QueuePair qp;

    @Nullable
    RdmaResources resources;

    /** Set if the NIC shares the queue. */
    TargetOffload.@Nullable OffloadedQueue offload;

    /** A first of a fused pair whose second has not arrived. */
    @Nullable
    RdmaRequest fused;

    /** Commands that are not over. */
    int active;
    /** Commands that have not been answered: the host sends the next one when it has the answer, long before the answer's send is polled. */
    int unanswered;

    int sendDepth;
    int readDepth;
    /** Whether its queue pair is there and polled. */
    boolean isAdded;
    /** Whether the queue pair is in ERR, and the connection manager has been told. */
    boolean inError;

    boolean cmDone;
    boolean isGone;

    RdmaQpair(RdmaPoller poller, int index, CmId id, Terms terms) {
        super(poller.target(), poller.group(), index);
        this.poller = poller;
        this.id = id;
        isAdminByCm = terms.admin();
        at = terms.at();
        gid = terms.gid();
        depth = terms.depth();
        waitingReceive = new int[depth];
        waitingBehind = new int[depth];
        maxSends = terms.sends();
        maxReads = terms.reads();
    }

    /**
     * What was agreed on when the host connected.
     *
     * @param depth commands under way
     * @param sends work requests under way
     * @param reads READs under way
     */
    record Terms(boolean admin, TransportId at, Gid gid, int depth, int sends, int reads) {}

    RdmaPoller poller() {
        return poller;
    }

    @Override
    TransportId at() {
        return at;
    }

    @Override
    boolean arrivedAt(TransportId listener) {
        return listener.port() == at.port() && listener.isAt(gid);
    }

    @Override
    void enabled(Subsystem subsystem) {
        TargetOffload.OffloadedQueue shared = offload;
        if (shared != null) {
            shared.serve(subsystem, headless ? 0 : entries);
        }
    }

    @Override
    void disconnect() {
        poller.disconnect(this);
    }

    @Override
    void abort(int cid, NvmfRequest by) {
        poller.abort(this, cid, by);
    }

    @Override
    NvmfRequest request(int slot) {
        return poller.resources(this).request(slot);
    }

    /** A capsule has to wait for a request. */
    void arrive(int receive, int behind) {
        int at = (firstWaiting + waiting++) % depth;
        waitingReceive[at] = receive;
        waitingBehind[at] = behind;
    }

    /** Returns the place of the first capsule that waits, and takes it away. */
    int leave() {
        int at = firstWaiting;
        firstWaiting = (at + 1) % depth;
        waiting--;
        return at;
    }

    boolean hasWaiting() {
        return waiting > 0 || !reading.isEmpty() || !writing.isEmpty() || !completing.isEmpty();
    }
}
