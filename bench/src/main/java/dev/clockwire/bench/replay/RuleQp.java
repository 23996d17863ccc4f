package dev.clockwire.bench.replay;

import dev.clockwire.roce.transport.RequesterSpec;
import dev.clockwire.roce.transport.RequesterState;
import dev.clockwire.roce.transport.ResponderEnv;
import dev.clockwire.roce.transport.ResponderState;
import dev.clockwire.roce.transport.Syndrome;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A queue pair of a {@link RuleHost}: the states of the transport's rules and what they ask the device about. */
final class RuleQp implements ResponderEnv {
    private static final int WORK_REQUESTS = 1 << 14;
    /** Nothing keeps a requester of a replay from sending: the captured one decides when. */
    private static final int MANY_READS = 1 << 14;

    private static final int RETRIES = 7;

    final Endpoint endpoint;
    final ResponderState responder = new ResponderState();
    final RequesterState requester = new RequesterState(WORK_REQUESTS);
    final Deque<Long> receives = new ArrayDeque<>();
    /** Bytes of the send work requests by their number. */
    final Map<Long, byte[]> payloads = new HashMap<>();

    private final List<Given.Region> regions;
    /** Bytes of the receive in use. */
    private long held;
    /** The queue pair is in ERR. */
    boolean dead;

    RuleQp(Endpoint endpoint, List<Given.Region> regions) {
        this.endpoint = endpoint;
        this.regions = regions;
        responder.connect(Explainer.spec(endpoint));
        requester.connect(RequesterSpec.of(endpoint.type, endpoint.mtu, endpoint.qpn, endpoint.peerQpn)
                .withFirstPsn(endpoint.sendPsn)
                .withMaxRdAtomic(MANY_READS)
                .withRetries(RETRIES, RequesterSpec.ENDLESS));
    }

    void takeReceive() {
        held = receives.removeFirst();
    }

    @Override
    public int checkRemote(int rkey, long va, long length, int access) {
        boolean granted = regions.stream().anyMatch(r -> r.key() == rkey && r.grants(va, length, access));
        return granted ? GRANTED : Syndrome.NAK_REMOTE_ACCESS;
    }

    @Override
    public boolean receiveAvailable() {
        return !receives.isEmpty();
    }

    @Override
    public long receiveCapacity() {
        Long next = receives.peekFirst();
        return responder.receiveHeld() ? held : next == null ? Long.MAX_VALUE : next;
    }
}
