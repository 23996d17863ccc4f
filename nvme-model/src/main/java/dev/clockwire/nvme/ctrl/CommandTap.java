package dev.clockwire.nvme.ctrl;

/** Observes how commands of one submission queue get on in the controller. It changes nothing and is part of no snapshot. */
public interface CommandTap {
    /** Its entry has come from memory. */
    int FETCHED = 0;
    /** The data that it writes or compares have come from memory. */
    int DATA_IN = 1;
    /** The medium is done with it. */
    int MEDIA = 2;
    /** The last bit of the data that it reads has left. */
    int DATA_OUT = 3;
    /** Its completion was handed to the link. */
    int COMPLETED = 4;

    /**
     * The doorbell has told of entries.
     *
     * @param from first entry of the ring
     * @param to the one behind the last
     */
    void told(int from, int to, long ps);

    /** A command has reached a step, one of this interface's constants. */
    void reached(int step, int cid, long ps);
}
