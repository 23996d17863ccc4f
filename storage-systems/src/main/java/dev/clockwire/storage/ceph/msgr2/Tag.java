package dev.clockwire.storage.ceph.msgr2;

import org.jspecify.annotations.Nullable;

/** Kinds of frames, those of {@code ceph::msgr::v2::Tag} that a run without authentication has. */
enum Tag {
    HELLO(1),
    CLIENT_IDENT(8),
    SERVER_IDENT(9),
    SESSION_RECONNECT(11),
    SESSION_RESET(12),
    SESSION_RECONNECT_OK(15),
    MESSAGE(17),
    KEEPALIVE2(18),
    KEEPALIVE2_ACK(19),
    ACK(20);

    private static final Tag[] ALL = values();
    private final int code;

    Tag(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static @Nullable Tag of(int code) {
        for (Tag t : ALL) {
            if (t.code == code) {
                return t;
            }
        }
        return null;
    }
}
