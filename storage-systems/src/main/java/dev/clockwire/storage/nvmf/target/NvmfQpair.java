package dev.clockwire.storage.nvmf.target;

import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.nvmf.subsystem.TransportId;
import org.jspecify.annotations.Nullable;

/** One queue of a host at the target, as far as no transport matters. All of it happens on its poll group's thread. */
abstract class NvmfQpair {
    /** What a host may do with it. */
    enum State {
        /** Connect only. */
        CONNECTING,
        /** Everything. */
        ENABLED,
        /** Nothing; it is being taken down. */
        DEACTIVATING
    }

    /** What is told as head of the queue to a host that does without flow control. */
    static final int NO_HEAD = 0xFFFF;

    final NvmfTarget target;
    final int index;
    State state = State.CONNECTING;
    int qid;
    /** Entries of the host's submission queue; its head counts responses modulo this. */
    int entries = 1;

    int head;
    /** Whether the host wants no head told. */
    boolean headless;

    @Nullable
    Controller controller;

    @Nullable
    SubsystemChannels channels;
    /** The first of a fused pair, as long as its second has not been executed. */
    @Nullable
    NvmfRequest fusedFirst;
    /** Its number among those that have told where they want to be, -1 before. */
    int joining = -1;

    /** The Connect that is being looked into. */
    @Nullable
    NvmfRequest connecting;

    private final PollGroup group;

    NvmfQpair(NvmfTarget target, PollGroup group, int index) {
        this.target = target;
        this.group = group;
        this.index = index;
    }

    final PollGroup group() {
        return group;
    }

    /** Returns where the host has connected to. */
    abstract TransportId at();

    /** Returns whether the host has connected to an address, or to one of those that it stands for. */
    abstract boolean arrivedAt(TransportId listener);

    /** The host has connected the queue to a subsystem. */
    abstract void enabled(Subsystem subsystem);

    /** Ends the connection; everything under way ends without a response. */
    abstract void disconnect();

    /**
     * Aborts a command.
     *
     * @param by is ended with its result: 0 if the command was aborted, 1 if not
     */
    abstract void abort(int cid, NvmfRequest by);

    /** Returns a command by its place. */
    abstract NvmfRequest request(int slot);

    final boolean isAdmin() {
        return qid == 0;
    }

    /** A response leaves: the head moves. */
    final int advanceHead() {
        head = head + 1 == entries ? 0 : head + 1;
        return headless ? NO_HEAD : head;
    }
}
