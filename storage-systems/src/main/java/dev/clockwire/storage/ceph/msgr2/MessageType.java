package dev.clockwire.storage.ceph.msgr2;

import dev.clockwire.nic.lab.MessageName;
import org.jspecify.annotations.Nullable;

/** Types of messages with the bytes of their fronts. Those of operations are the assumed sizes of the comparison of systems: Ceph's vary with names and versions. */
@SuppressWarnings("ImmutableEnumChecker") // records of strings are
public enum MessageType {
    /** A client's operation, {@code MOSDOp}. */
    OSD_OP(42, 260, ""),
    /** Its answer. */
    OSD_OP_REPLY(43, 150, ""),
    /** A transaction for a replica, {@code MOSDRepOp}. */
    REP_OP(112, 700, ""),
    /** It is durable there. */
    REP_OP_REPLY(113, 90, ""),
    /** Whole map of a cluster. */
    OSD_MAP(41, 90, "map"),
    /** An OSD has begun, or a client wants maps. */
    BOOT(71, 90, "mon"),
    /** An OSD does not answer. */
    FAILURE(72, 90, "mon"),
    /** Asks whether somebody lives. */
    PING(70, 90, "heartbeat"),
    /** Somebody does. */
    PING_REPLY(73, 90, "heartbeat"),
    /** A primary asks what a replica has. */
    PG_QUERY(81, 90, "peering"),
    /** What it has. */
    PG_INFO(82, 90, "peering"),
    /** What it is to have. */
    PG_LOG(83, 90, "peering"),
    /** It has noted that. */
    PG_LOG_ACK(84, 90, "peering"),
    /** A primary asks for an object. */
    PULL(85, 90, "recovery"),
    /** An object. */
    PUSH(86, 90, "recovery"),
    /** It is there. */
    PUSH_REPLY(87, 90, "recovery");

    private static final MessageType[] ALL = values();
    private final int code;
    private final int front;
    private final MessageName wire;

    MessageType(int code, int front, String overhead) {
        this.code = code;
        this.front = front;
        wire = new MessageName(name(), overhead);
    }

    /** Returns the number in the header. */
    public int code() {
        return code;
    }

    /** Returns the bytes of a front without lists. */
    public int front() {
        return front;
    }

    /** Returns what it is for the wire. */
    public MessageName wire() {
        return wire;
    }

    static @Nullable MessageType of(int code) {
        for (MessageType t : ALL) {
            if (t.code == code) {
                return t;
            }
        }
        return null;
    }
}
