package dev.clockwire.roce.verbs;

/** What stands behind a {@link SharedReceiveQueue}. Posting charges the core of the context; nothing keeps an entry. */
public interface SharedReceiveQueueProvider {
    /** Returns the number, 24 bits. */
    int number();

    /** Returns how many more receives fit. */
    int space();

    /** Writes one receive into the queue. The device does not know of it before {@link #ring}. */
    void postReceive(ReceiveEntry wr);

    /** Tells the device of the receives written since the last call. */
    void ring();

    /**
     * Arms the limit event: {@link AsyncEventType#SRQ_LIMIT_REACHED} comes once when fewer receives are left, at once if there
     * are fewer already.
     *
     * @param limit 0 takes the event away
     */
    void modifyLimit(int limit, Completion<Integer> done);

    /** Gives the attributes; the limit is 0 after its event. */
    void query(Completion<SrqAttributes> done);

    /** Destroys the queue, which no queue pair uses: gives its number. */
    void destroy(Completion<Integer> done);
}
