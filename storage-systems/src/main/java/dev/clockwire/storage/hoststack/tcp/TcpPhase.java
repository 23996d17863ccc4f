package dev.clockwire.storage.hoststack.tcp;

import dev.clockwire.sim.error.InvariantViolation;

/** The states of RFC 9293; a port that listens is no connection, see {@link TcpConnection#accept}. */
public enum TcpPhase {
    /** Nothing is known of a peer. */
    CLOSED(0),
    /** Has sent a SYN. */
    SYN_SENT(1),
    /** Has answered a SYN. */
    SYN_RECEIVED(2),
    /** Data go both ways. */
    ESTABLISHED(3),
    /** Has sent a FIN. */
    FIN_WAIT_1(4),
    /** The FIN is acknowledged, the peer may still send. */
    FIN_WAIT_2(5),
    /** The peer sends no more, this end may. */
    CLOSE_WAIT(6),
    /** Both FINs have crossed. */
    CLOSING(7),
    /** Has sent a FIN after the peer's. */
    LAST_ACK(8),
    /** Waits until old segments have died. */
    TIME_WAIT(9);

    private final int code;

    TcpPhase(int code) {
        this.code = code;
    }

    /** Returns its number in snapshots. */
    int code() {
        return code;
    }

    static TcpPhase of(int code) {
        for (TcpPhase p : values()) {
            if (p.code == code) {
                return p;
            }
        }
        throw new InvariantViolation("TCP state " + code + " of a snapshot is unknown");
    }

    /** Returns whether the numbers of both ends are known. */
    boolean isSynchronized() {
        return compareTo(SYN_RECEIVED) > 0;
    }

    /** Returns whether data and a FIN may be sent, for the first time or again. */
    boolean sends() {
        return this == ESTABLISHED || this == CLOSE_WAIT || this == FIN_WAIT_1 || this == CLOSING || this == LAST_ACK;
    }
}
