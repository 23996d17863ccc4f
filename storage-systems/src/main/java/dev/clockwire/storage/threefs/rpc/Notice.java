package dev.clockwire.storage.threefs.rpc;

/** How a receiver hears of bytes that were pushed into its slot. */
public enum Notice {
    /** The request follows as a SEND on the same connection. */
    SEND,
    /** The request lies before the bytes, and both are one WRITE with immediate data, which names the slot: no SEND, but a receive of the peer's all the same. */
    IMM
}
