package dev.clockwire.bench.replay;

import dev.clockwire.roce.transport.RequestDecision;
import dev.clockwire.roce.transport.Responder;
import dev.clockwire.roce.transport.ResponderState;
import dev.clockwire.roce.wire.RocePacket;

/** The answers that a decision of the responder's rules asks for. */
final class Answering {
    private Answering() {}

    /** Returns how many packets answer. */
    static int count(RequestDecision d) {
        return switch (d.action) {
            case NAK, ATOMIC, REPLAY_ATOMIC -> 1;
            case READ, REREAD -> d.responses;
            default -> d.ackDue ? 1 : 0;
        };
    }

    /**
     * Makes one answer: everything from the BTH on but the payload.
     *
     * @param original with an atomic: the value before it
     * @return where the payload is in the data read, in bytes
     */
    static long fill(ResponderState s, RequestDecision d, int index, long original, RocePacket out) {
        switch (d.action) {
            case READ, REREAD -> {
                return Responder.fillReadResponse(s, d.ackPsn, d.length, index, d.syndrome, d.msn, out);
            }
            case ATOMIC, REPLAY_ATOMIC -> Responder.fillAtomicAck(s, d.ackPsn, d.syndrome, d.msn, original, out);
            default -> Responder.fillAck(s, d.ackPsn, d.syndrome, d.msn, out);
        }
        return 0;
    }
}
