package dev.clockwire.bench.live;

/** What runs on the simulated host; it acts between two stretches of simulated time. */
interface LiveProgram {
    /** Called when the peer has been heard of for the first time: its addresses are known. */
    void begin();

    /** Looks at the completion queues and does what follows. */
    void poll();

    /** Returns whether the peer has closed everything. */
    boolean isOver();

    /** Returns a line for the end: what was done. */
    String summary();
}
