package dev.clockwire.bench.replay;

import dev.clockwire.roce.transport.Syndrome;
import dev.clockwire.roce.wire.Opcode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What Linux soft-RoCE is known to answer otherwise than the standard says. docs/replay.md has each with the rule it breaks. */
enum Deviation {
    /** A PSN sequence NAK for the packet behind one that got an RNR NAK. */
    NAK_BEHIND_RNR("nak-behind-rnr", "after an RNR NAK no sequence NAK is due: the packets behind it are in vain"),
    /** A restarted READ is answered as if it went on. */
    READ_RESTART(
            "read-restart",
            "the first response to a READ request is FIRST or ONLY, also if it asks for the rest of a READ"),
    /** The wrong refusal of a message that is longer than its receive. */
    TOO_LONG("too-long-0x63", "a message longer than its receive is an invalid request (0x61)");

    private final String rule;
    private final String why;

    Deviation(String rule, String why) {
        this.rule = rule;
        this.why = why;
    }

    /** Returns the name that scripts know. */
    String rule() {
        return rule;
    }

    /** Returns what the standard says instead. */
    String why() {
        return why;
    }

    /** Returns for every answer of a queue pair the deviation it may be; the standard's answer is still compared first. */
    static @Nullable Deviation[] of(Endpoint e) {
        @Nullable Deviation[] found = new @Nullable Deviation[e.answers.size()];
        Set<Integer> reads = new HashSet<>();
        List<Captured> requests = e.requests;
        int r = 0;
        int rnrPsn = -1;
        for (int i = 0; i < found.length; i++) {
            Captured a = e.answers.get(i);
            for (; r < requests.size() && requests.get(r).frame() < a.frame(); r++) {
                if (requests.get(r).isRead()) {
                    reads.add(requests.get(r).packet().psn);
                }
            }
            found[i] = of(a, reads, rnrPsn);
            if (a.isAck() && a.packet().syndrome != Syndrome.NAK_SEQUENCE) {
                rnrPsn = Syndrome.isRnr(a.packet().syndrome) ? a.packet().psn : -1;
            }
        }
        return found;
    }

    private static @Nullable Deviation of(Captured answer, Set<Integer> reads, int rnrPsn) {
        int psn = answer.packet().psn;
        if (answer.opcode() == Opcode.RC_RDMA_READ_RESPONSE_MIDDLE
                || answer.opcode() == Opcode.RC_RDMA_READ_RESPONSE_LAST) {
            return reads.contains(psn) ? READ_RESTART : null;
        }
        if (!answer.isAck()) {
            return null;
        }
        int syndrome = answer.packet().syndrome;
        if (syndrome == Syndrome.NAK_REMOTE_OPERATION) {
            return TOO_LONG;
        }
        return syndrome == Syndrome.NAK_SEQUENCE && psn == rnrPsn ? NAK_BEHIND_RNR : null;
    }

    /** Tells whether this makes the standard's answer into a captured one. */
    boolean explains(AnswerHead due, AnswerHead captured) {
        if (due.psn() != captured.psn() || due.length() != captured.length()) {
            return false;
        }
        return switch (this) {
            case NAK_BEHIND_RNR -> false;
            case TOO_LONG ->
                due.syndrome() == Syndrome.NAK_INVALID_REQUEST
                        && captured.syndrome() == Syndrome.NAK_REMOTE_OPERATION
                        && due.msn() == captured.msn();
            case READ_RESTART ->
                (due.opcode() == Opcode.RC_RDMA_READ_RESPONSE_FIRST.code()
                                && captured.opcode() == Opcode.RC_RDMA_READ_RESPONSE_MIDDLE.code())
                        || (due.opcode() == Opcode.RC_RDMA_READ_RESPONSE_ONLY.code()
                                && captured.opcode() == Opcode.RC_RDMA_READ_RESPONSE_LAST.code()
                                && due.msn() == captured.msn());
        };
    }

    /** Tells whether the standard has no answer at all where this has one. */
    boolean isSurplus() {
        return this == NAK_BEHIND_RNR;
    }
}
