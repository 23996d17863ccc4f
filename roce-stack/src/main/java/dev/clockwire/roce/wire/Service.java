package dev.clockwire.roce.wire;

import dev.clockwire.sim.error.InvariantViolation;

/** The transport service of an opcode: its bits 7:5. */
public enum Service {
    /** Reliable connection. */
    RC(0),
    /** Unreliable connection. */
    UC(1),
    /** Reliable datagram: known to the decoder only. */
    RD(2),
    /** Unreliable datagram. */
    UD(3),
    /** Congestion notification: one opcode, outside every PSN stream. */
    CNP(4),
    /** Extended reliable connection: known to the decoder only. */
    XRC(5);

    private final int bits;

    Service(int bits) {
        this.bits = bits;
    }

    /** Returns bits 7:5 of the service's opcodes. */
    public int bits() {
        return bits;
    }

    static Service ofBits(int bits) {
        for (Service service : values()) {
            if (service.bits == bits) {
                return service;
            }
        }
        throw new InvariantViolation("no service has the bits " + bits);
    }
}
