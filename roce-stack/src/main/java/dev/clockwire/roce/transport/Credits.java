package dev.clockwire.roce.transport;

import dev.clockwire.roce.transport.RequestDecision.Action;
import dev.clockwire.roce.wire.RocePacket;

/**
 * End-to-end flow control: a responder says in each acknowledgement how many receives it has beyond the messages executed, and a
 * requester sends what takes a receive no further than that, the limit sequence number (LSN = MSN + credits). Messages are numbered
 * from 1 (SSN). Source: InfiniBand Architecture volume 1, section 9.7.7.2.
 */
final class Credits {
    private Credits() {}

    /** Tells whether a packet may leave as far as receives of the peer are concerned. */
    static boolean maySend(RequesterState s, long entry, int packet) {
        if (!beyond(s, entry)) {
            return true;
        }
        int first = s.firstPsn(entry);
        // One packet of one message may ask whether there is a receive after all; the rest follows when it was taken.
        return packet == 0 ? first == s.ackPsn || ssn(entry) == Psn.plus(s.lsn, 1) : Psn.compare(s.ackPsn, first) > 0;
    }

    /** Tells whether an entry wants a receive that the peer has not announced. */
    static boolean beyond(RequesterState s, long entry) {
        return s.credits
                && !s.unlimited
                && s.type == QpType.RC
                && s.opcode(entry).takesReceive()
                && Psn.compare(ssn(entry), s.lsn) > 0;
    }

    private static int ssn(long entry) {
        return (int) (entry + 1) & Psn.MASK;
    }

    /** Takes what a positive acknowledgement announces. A limit only grows: older acknowledgements may come later. */
    static void learn(RequesterState s, RocePacket in) {
        int credits = Syndrome.credits(in.syndrome);
        if (credits < 0) {
            s.unlimited = true;
            return;
        }
        int limit = Psn.plus(in.msn, credits);
        if (Psn.compare(limit, s.lsn) > 0) {
            s.lsn = limit;
        }
    }

    /** Puts into a decision that is answered, and keeps for an answer that is held back, what receives there are. */
    static void announce(ResponderState s, ResponderEnv env, RequestDecision d) {
        if (!s.credits || d.action == Action.DROP || d.action == Action.NAK) {
            return;
        }
        int posted = env.receivesPosted();
        d.syndrome = posted < 0 ? Syndrome.ACK : Syndrome.creditCode(posted - (d.completesReceive ? 1 : 0));
        s.ackSyndrome = d.syndrome;
    }
}
