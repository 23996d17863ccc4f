package dev.clockwire.storage.threefs.server;

/** Rules that tests have a service break, to see that somebody finds out. */
enum Flaw {
    /** A write goes on without the chunk's lock. */
    NO_LOCK,
    /** The head acknowledges before anybody behind it has the version. */
    EARLY_ACK,
    /** Requests of any version of the chain are taken. */
    NO_CHAIN_VERSION,
    /** A reader gets what is pending. */
    NO_PENDING_CHECK,
    /** What is brought up to date is compared by its version alone. */
    VERSION_ONLY,
    /** A target that is brought up to date gets parts of chunks. */
    PARTIAL_SYNC,
    /** A buffer is free again while the device may still write it. */
    EARLY_FREE,
    /** Slots of a lost connection are free while writes still use them. */
    EARLY_SLOT,
    /** A node serves for as long as nobody tells it otherwise. */
    NO_LEASE
}
