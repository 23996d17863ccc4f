package dev.clockwire.storage.daos.rpc;

import dev.clockwire.nic.lab.MessageName;
import org.jspecify.annotations.Nullable;

/** What an RPC asks for. */
@SuppressWarnings("ImmutableEnumChecker") // records of strings are
public enum RpcOp {
    /** Writes a value; from the client to the leader, and from there to the other replicas. */
    UPDATE(1, ""),
    /** Reads a value. */
    FETCH(2, ""),
    /** Says that transactions are committed, or aborted. */
    DTX_COMMIT(3, "dtx.commit"),
    /** Asks a leader what became of transactions. */
    DTX_REFRESH(4, "dtx.refresh"),
    /** A new leader asks for transactions that are prepared. */
    DTX_LIST(5, "dtx.resync"),
    /** A new leader asks what a replica knows of transactions. */
    DTX_CHECK(6, "dtx.resync"),
    /** Asks whether somebody is there. */
    PING(7, "swim"),
    /** Asks somebody to ping a third one. */
    PING_FOR(8, "swim"),
    /** Tells the manager who seems to be gone. */
    SUSPECT(9, "swim"),
    /** Asks the manager for the pool map. */
    POOL_QUERY(10, "pool.query"),
    /** An engine begins. */
    JOIN(11, "pool.query"),
    /** An engine has everything again. */
    REBUILT(12, "rebuild"),
    /** Asks a leader for the keys of a group. */
    SCAN_KEYS(13, "rebuild"),
    /** Asks a leader for the transactions of a group. */
    SCAN_DTX(14, "rebuild"),
    /** Fetches a value to have it again. */
    REBUILD_FETCH(15, "rebuild"),
    /** Makes a connection. */
    CONNECT(16, "connect");

    private final int code;
    private final MessageName request;
    private final MessageName response;
    private final MessageName bulk;

    RpcOp(int code, String overhead) {
        this.code = code;
        request = new MessageName(name(), overhead);
        response = new MessageName(name() + " answer", overhead);
        bulk = new MessageName(name() + " bulk", overhead);
    }

    /** Returns the number on the wire. */
    public int code() {
        return code;
    }

    /** Returns what a request is for the wire. */
    public MessageName request() {
        return request;
    }

    /** Returns what its answer is for the wire. */
    public MessageName response() {
        return response;
    }

    /** Returns what its one-sided transfers are for the wire. */
    public MessageName bulk() {
        return bulk;
    }

    /** Returns the one with a number. */
    public static @Nullable RpcOp of(int code) {
        for (RpcOp op : values()) {
            if (op.code == code) {
                return op;
            }
        }
        return null;
    }
}
