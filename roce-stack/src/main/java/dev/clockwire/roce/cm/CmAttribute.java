package dev.clockwire.roce.cm;

import org.jspecify.annotations.Nullable;

/** The messages of the connection manager by their attribute id. */
public enum CmAttribute {
    /** Request for a connection. */
    REQ(0x10, 140, 92),
    /** The request or reply has been received, the answer takes longer. */
    MRA(0x11, 10, 222),
    /** No. */
    REJ(0x12, 84, 148),
    /** Reply to a request. */
    REP(0x13, 36, 196),
    /** Ready to use: the reply has been received. */
    RTU(0x14, 8, 224),
    /** Request to disconnect. */
    DREQ(0x15, 12, 220),
    /** Reply to that. */
    DREP(0x16, 8, 224),
    /** Which queue pair serves datagrams? */
    SIDR_REQ(0x17, 16, 216),
    /** Reply to that. */
    SIDR_REP(0x18, 96, 136);

    private final int id;
    private final int dataAt;
    private final int dataBytes;

    CmAttribute(int id, int dataAt, int dataBytes) {
        this.id = id;
        this.dataAt = dataAt;
        this.dataBytes = dataBytes;
    }

    /** Returns the attribute id in the header. */
    public int id() {
        return id;
    }

    /** Returns how many bytes of private data fit. */
    public int privateBytes() {
        return dataBytes;
    }

    int privateAt() {
        return dataAt;
    }

    /** Returns the message of an attribute id, null if it is none of these. */
    public static @Nullable CmAttribute find(int id) {
        return id >= REQ.id && id <= SIDR_REP.id ? values()[id - REQ.id] : null;
    }
}
