package dev.clockwire.bench.replay;

import dev.clockwire.roce.transport.RequestDecision.Action;
import java.util.ArrayList;
import java.util.List;

/** Infers receives: each is posted before the first frame, or after the last RNR NAK before it was taken. */
final class ReceiveFinder {
    private final Endpoint endpoint;
    private final List<Given.Receive> found = new ArrayList<>();
    private long after;
    private long message;
    private long longest = 1;

    private ReceiveFinder(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Returns the receives that a queue pair must have had. */
    static List<Given.Receive> find(Endpoint endpoint, List<Outcome> outcomes) {
        ReceiveFinder finder = new ReceiveFinder(endpoint);
        outcomes.forEach(finder::size);
        outcomes.forEach(finder::add);
        return finder.found;
    }

    private void size(Outcome o) {
        if (o.action == Action.SEND) {
            count(o);
            longest = Math.max(longest, message);
        }
    }

    private void count(Outcome o) {
        message = (o.request.opcode().startsMessage() ? 0 : message) + o.request.packet().payloadLength;
    }

    private void add(Outcome o) {
        if (o.denied) {
            after = o.request.frame();
        }
        if (o.action == Action.SEND || o.tooLong) {
            count(o);
        }
        if (o.takesReceive || (o.tooLong && o.request.opcode().startsMessage())) {
            found.add(receive(longest));
        }
        if (o.tooLong) {
            found.set(found.size() - 1, receive(message - 1));
        }
    }

    private Given.Receive receive(long size) {
        return new Given.Receive(endpoint.address, endpoint.qpn, size, 1, after);
    }
}
