package dev.clockwire.storage.hoststack.block;

import dev.clockwire.nvme.format.SqEntry;

/** A queue of a remote controller, as a transport has it. Everything happens in steps of the host's core. */
public interface HostQueue {
    /** Is told of commands that end, wherever the transport finds out. */
    @FunctionalInterface
    interface Ended {
        /** A command has ended. */
        void ended(int tag, int status, long result);
    }

    /** Is told how an attempt to connect ends. */
    @FunctionalInterface
    interface Opened {
        /** The transport is up if there is no reason why not; Connect is still to be sent. */
        void opened(String failure);
    }

    /** Connects the transport. */
    void open(Opened then);

    /**
     * Sends a command.
     *
     * @param e without its data pointer
     * @param va first byte of its data
     * @param bytes of its data
     * @param tag its identifier, not in use
     */
    void submit(SqEntry e, long va, int bytes, int tag);
}
