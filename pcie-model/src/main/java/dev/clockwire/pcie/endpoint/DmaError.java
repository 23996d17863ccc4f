package dev.clockwire.pcie.endpoint;

import dev.clockwire.pcie.tlp.CompletionStatus;

/** Why the data of a read are not to be used. */
public enum DmaError {
    /** They are right. */
    NONE,
    /** No completion came in time. */
    TIMEOUT,
    /** They came marked as wrong. */
    POISONED,
    /** The host does not serve such a request. */
    UNSUPPORTED,
    /** The host gave the request up. */
    ABORTED;

    /** Returns what a completion says. */
    static DmaError of(CompletionStatus status) {
        return switch (status) {
            case SC -> NONE;
            case CA -> ABORTED;
            default -> UNSUPPORTED;
        };
    }
}
