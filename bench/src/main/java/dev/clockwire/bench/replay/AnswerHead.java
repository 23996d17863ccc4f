package dev.clockwire.bench.replay;

import dev.clockwire.roce.wire.RocePacket;

/**
 * What of an answer is compared, besides its queue pair and its bytes.
 *
 * @param opcode BTH opcode
 * @param psn packet sequence number
 * @param syndrome of the AETH, 0 without one
 * @param msn of the AETH, 0 without one
 * @param length bytes of payload
 */
record AnswerHead(int opcode, int psn, int syndrome, int msn, int length) {
    static AnswerHead of(RocePacket p) {
        return new AnswerHead(p.opcode, p.psn, p.syndrome, p.msn, p.payloadLength);
    }
}
