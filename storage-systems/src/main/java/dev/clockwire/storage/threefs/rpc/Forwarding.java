package dev.clockwire.storage.threefs.rpc;

/** Who sends pushed bytes on to the next replica. */
public enum Forwarding {
    /** The core, when it has stored them. */
    CPU,
    /**
     * The NIC, by sends that wait for the arrival, into slots that only these lead to; cores order, check and store, and a replica uses what has come only when
     * it knows that it has.
     */
    NIC,
    /**
     * The NIC as article 1 has it: bytes and request go down the chain without a core, each replica stores in the order in which they come, and the tail confirms what is
     * in its memory. Not safe.
     */
    ARTICLE
}
