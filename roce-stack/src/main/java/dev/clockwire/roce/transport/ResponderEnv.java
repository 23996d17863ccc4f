package dev.clockwire.roce.transport;

/** What the rules of the receive side ask of the device around them. */
public interface ResponderEnv {
    /** The answer of {@link #checkRemote} that grants the access. */
    int GRANTED = 0;

    /**
     * Checks a remote access: key, protection domain, range and right.
     *
     * @param rkey remote key of the request
     * @param va first byte
     * @param length bytes, at least 1
     * @param access the one {@link AccessFlag} bit that is needed
     * @return {@link #GRANTED}, or the {@link Syndrome} of the refusal
     */
    int checkRemote(int rkey, long va, long length, int access);

    /** Tells whether a receive work request is there to be taken. */
    boolean receiveAvailable();

    /**
     * Returns how many receive work requests are posted and not complete, the one in use included; -1 if that is no promise to the
     * peer, because other queue pairs take from them, too.
     */
    default int receivesPosted() {
        return -1;
    }

    /**
     * Returns the bytes of the buffers of the receive work request that is in use or, if none is, comes next.
     * {@link Long#MAX_VALUE} if the device does not know yet; it then checks itself and calls {@link Responder#refuse}.
     */
    long receiveCapacity();
}
