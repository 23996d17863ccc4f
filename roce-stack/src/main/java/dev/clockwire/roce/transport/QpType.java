package dev.clockwire.roce.transport;

import dev.clockwire.roce.wire.Service;
import dev.clockwire.sim.error.InvariantViolation;

/** The transport service of a queue pair ({@code ibv_qp_type}). */
public enum QpType {
    /** Reliable connection. */
    RC(2, Service.RC),
    /** Unreliable connection. */
    UC(3, Service.UC),
    /** Unreliable datagram. */
    UD(4, Service.UD);

    private static final QpType[] ALL = values();

    private final int code;
    private final Service service;

    QpType(int code, Service service) {
        this.code = code;
        this.service = service;
    }

    /** Returns the value of the C enum. */
    public int code() {
        return code;
    }

    /**
     * Returns the type of a C value.
     *
     * @throws InvariantViolation if none has it
     */
    public static QpType of(int code) {
        for (QpType type : ALL) {
            if (type.code == code) {
                return type;
            }
        }
        throw new InvariantViolation("no queue pair type " + code);
    }

    /** Returns the service of the opcodes that this type sends and accepts. */
    public Service service() {
        return service;
    }
}
