package dev.clockwire.pcie.tlp;

/** The status field of a completion. */
public enum CompletionStatus {
    /** Successful completion. */
    SC(0b000),
    /** Unsupported request. */
    UR(0b001),
    /** Configuration request retry status. */
    CRS(0b010),
    /** Completer abort. */
    CA(0b100),
    /** A code that the specification reserves; a receiver treats it as UR. */
    RESERVED(0b111);

    private final int code;

    CompletionStatus(int code) {
        this.code = code;
    }

    /** Returns the three bits of the header. */
    public int code() {
        return code;
    }

    /** Returns the status for three header bits. */
    public static CompletionStatus of(int code) {
        return switch (code) {
            case 0b000 -> SC;
            case 0b001 -> UR;
            case 0b010 -> CRS;
            case 0b100 -> CA;
            default -> RESERVED;
        };
    }
}
