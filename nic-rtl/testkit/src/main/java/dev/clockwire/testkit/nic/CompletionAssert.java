package dev.clockwire.testkit.nic;

import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.WcFlag;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.testkit.ModelAssert;

/** The end of a work request. */
public final class CompletionAssert extends ModelAssert<CompletionAssert, WorkCompletion> {
    CompletionAssert(WorkCompletion actual, String path) {
        super(actual, CompletionAssert.class, path);
    }

    /** Says that the work was done. */
    public CompletionAssert isSuccess() {
        return hasStatus(WcStatus.SUCCESS);
    }

    /** Says how it ended. */
    public CompletionAssert hasStatus(WcStatus status) {
        return same("status", status, actual.status);
    }

    /** Says what it was; after an error a completion does not say. */
    public CompletionAssert hasOpcode(WcOpcode opcode) {
        return same("opcode", opcode, actual.opcode);
    }

    /** Says which work request it belongs to. */
    public CompletionAssert isOf(long wrId) {
        return same("wr_id", wrId, actual.wrId);
    }

    /** Says how many bytes were received, read or written by the peer. */
    public CompletionAssert hasBytes(long bytes) {
        return same("byte_len", bytes, actual.byteLength);
    }

    /** Says that it carries immediate data. */
    public CompletionAssert hasImmediate(int data) {
        same("imm flag", true, WcFlag.WITH_IMM.in(actual.flags));
        return same("imm", data, actual.immOrKey);
    }

    private CompletionAssert same(String what, Object expected, Object found) {
        if (!expected.equals(found)) {
            throw error(actual + ": " + what + " is " + found + ", expected " + expected, expected, found);
        }
        return this;
    }
}
