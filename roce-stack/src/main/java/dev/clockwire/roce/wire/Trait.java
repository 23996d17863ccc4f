package dev.clockwire.roce.wire;

/** Bits of a row of the opcode table. They stand outside {@link Opcode} because enum constants cannot see its constants. */
final class Trait {
    static final int PAYLOAD = 1;
    static final int REQUEST = 1 << 1;
    static final int RESPONSE = 1 << 2;
    static final int STARTS = 1 << 3;
    static final int ENDS = 1 << 4;
    static final int TAKES_RECV = 1 << 5;
    static final int RECV_CQE = 1 << 6;

    static final int ONLY = STARTS | ENDS;

    private Trait() {}
}
