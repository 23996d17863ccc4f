package dev.clockwire.storage.threefs.rpc;

import dev.clockwire.nic.lab.MessageName;
import org.jspecify.annotations.Nullable;

/** What is asked for. */
@SuppressWarnings("ImmutableEnumChecker") // records of strings are
public enum Method {
    /** Client to head, or a node to its successor: a new version of a chunk. */
    WRITE(0, ""),
    /** Client to any serving target. */
    READ(1, ""),
    /** A target's part of a version, asked by a reader of another replica. */
    QUERY(2, ""),
    /** Node to manager. */
    HEARTBEAT(3, "heartbeat"),
    /** Anybody to manager. */
    ROUTING(4, "routing"),
    /** Node to a new neighbour: slots to write into. */
    GRANT(5, "grant"),
    /** Predecessor to a target that is syncing: what do you have? */
    SYNC_START(6, "resync"),
    /** Predecessor to a target that is syncing: this chunk is gone. */
    REMOVE(7, "resync"),
    /** Predecessor to a target that is syncing: you are up to date. */
    SYNC_DONE(8, "resync"),
    /** Server to client: may I send so much? */
    APPLY(9, ""),
    /** Client to metadata service. */
    META(10, ""),
    /** Client to head: answers to what comes over the lane go over this connection. */
    LANE(11, "grant"),
    /** Node to the one before it: those behind have what came over the lane. */
    CONFIRM(12, ""),
    /** Predecessor to a target's node, named by its id: take it offline, it cannot be brought up to date. */
    OFFLINE(13, "resync");

    private static final Method[] BY_CODE = values();

    private final int code;
    private final MessageName request;
    private final MessageName response;

    Method(int code, String overhead) {
        this.code = code;
        request = new MessageName(name(), overhead);
        response = new MessageName(name() + " answer", overhead);
    }

    /** Returns what a request is for the wire. */
    public MessageName request() {
        return request;
    }

    /** Returns what its answer is for the wire. */
    public MessageName response() {
        return response;
    }

    /** Returns the number that stands for it in a message. */
    public int code() {
        return code;
    }

    /** Returns what a number stands for, null if nothing. */
    public static @Nullable Method of(int code) {
        return code < 0 || code >= BY_CODE.length ? null : BY_CODE[code];
    }
}
