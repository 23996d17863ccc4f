package dev.clockwire.storage.nvmf.target;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import org.jspecify.annotations.Nullable;

/** A command of the RDMA transport: its state, where the host's data are, and which buffer and receive it has. */
final class RdmaRequest extends NvmfRequest {
    /** No receive. */
    static final int NONE = -1;

    final RdmaResources resources;
    final int slot;
    private RequestState state = RequestState.FREE;
    private @Nullable RdmaQpair qpair;
    /** The receive whose memory its capsule is in. */
    int receive = NONE;
    /** Bytes of the capsule behind the command. */
    int behind;

    /** The head of the queue when a shared one's command came. */
    int head;

    long receivedPs;
    /** Pieces of the host's memory. */
    int descriptors;

    final long[] remote = new long[TransportSpec.MAX_DESCRIPTORS];
    final int[] bytes = new int[TransportSpec.MAX_DESCRIPTORS];
    final int[] keys = new int[TransportSpec.MAX_DESCRIPTORS];
    boolean invalidates;
    int invalidKey;
    /** The other of a fused pair; whether it is missing, or has failed before it could be executed. */
    @Nullable
    RdmaRequest partner;

    boolean alone;
    boolean partnerFailed;
    boolean hasBuffer;
    /** Work requests of the shared stock that it holds. */
    int dataWrs;
    /** READs that were posted, and those of them that have not ended; WRITEs posted whose end is not known. */
    int issued;

    int outstanding;

    RdmaRequest(RdmaResources resources, int slot) {
        this.resources = resources;
        this.slot = slot;
    }

    RequestState state() {
        return state;
    }

    /** Goes to another state; whoever watches is told. */
    void go(RequestState to) {
        RdmaQpair q = qpair();
        q.target.stateChanged(q, slot, cmd.cid(), state, to);
        state = to;
    }

    void own(RdmaQpair q) {
        qpair = q;
    }

    void start(int slotOfReceive, int bytesBehind, long ps) {
        begin();
        receive = slotOfReceive;
        behind = bytesBehind;
        receivedPs = ps;
        descriptors = 0;
        invalidates = false;
        partner = null;
        alone = false;
        partnerFailed = false;
        hasBuffer = false;
        dataWrs = 0;
        issued = 0;
        outstanding = 0;
    }

    @Override
    RdmaQpair qpair() {
        RdmaQpair q = qpair;
        if (q == null) {
            throw new InvariantViolation("request " + slot + " belongs to no queue");
        }
        return q;
    }

    @Override
    int slot() {
        return slot;
    }

    @Override
    void executed() {
        if (state != RequestState.EXECUTING) {
            throw new InvariantViolation("request " + slot + " was executed in " + state);
        }
        go(RequestState.EXECUTED);
        qpair().poller().advance(this);
    }
}
