package dev.clockwire.bench.replay;

import dev.clockwire.roce.transport.Psn;
import dev.clockwire.roce.transport.Syndrome;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.PayloadRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the queue pairs of a capture, whose answers are whose, and what the packets say of their set-up. */
final class Endpoints {
    private static final int DEFAULT_RNR_TIMER = 12;
    /** The smallest path MTU: no READ has more responses than with this one. */
    private static final int SMALLEST_MTU = 256;

    private static final int LARGEST_MTU = 4096;

    private final Map<Place, Endpoint> found = new LinkedHashMap<>();

    /** Where requests go to. */
    private record Place(Gid address, int qpn) {}

    /** Where answers come from and go to. */
    private record Stream(Gid from, Gid to, int destQpn) {}

    private Endpoints() {}

    /** Returns the queue pairs to which requests go, in the order of their first request. */
    static Collection<Endpoint> of(Capture capture) {
        Endpoints endpoints = new Endpoints();
        Map<Stream, List<Captured>> streams = new LinkedHashMap<>();
        for (Captured p : capture.packets()) {
            FlowAddress flow = p.packet().flow;
            Gid to = new Gid(flow.dstHi, flow.dstLo);
            if (p.isRequest()) {
                Place place = new Place(to, p.packet().destQp);
                endpoints
                        .found
                        .computeIfAbsent(place, unused -> new Endpoint(p))
                        .requests
                        .add(p);
            } else {
                Stream stream = new Stream(new Gid(flow.srcHi, flow.srcLo), to, p.packet().destQp);
                streams.computeIfAbsent(stream, unused -> new ArrayList<>()).add(p);
            }
        }
        endpoints.giveAnswers(streams);
        for (Endpoint e : endpoints.found.values()) {
            e.startPsn = startPsn(e.requests);
            e.rnrTimer = rnrTimer(e.answers);
            e.mtu = endpoints.mtu(e);
        }
        return endpoints.found.values();
    }

    /**
     * Gives every stream of answers to the queue pair whose requests have its PSNs. The largest stream of a queue pair tells
     * its peer's number.
     */
    private void giveAnswers(Map<Stream, List<Captured>> streams) {
        Map<Endpoint, Set<Integer>> psns = new HashMap<>();
        found.values().forEach(e -> psns.put(e, psns(e)));
        Map<Endpoint, Integer> most = new HashMap<>();
        streams.forEach((stream, answers) -> {
            Endpoint best = null;
            long votes = -1;
            for (Endpoint e : found.values()) {
                if (e.address.equals(stream.from()) && e.peer().equals(stream.to())) {
                    Set<Integer> own = psns.getOrDefault(e, Set.of());
                    long fitting = answers.stream()
                            .filter(a -> own.contains(a.packet().psn))
                            .count();
                    if (fitting > votes) {
                        best = e;
                        votes = fitting;
                    }
                }
            }
            if (best != null) {
                best.answers.addAll(answers);
                if (answers.size() > most.getOrDefault(best, 0)) {
                    most.put(best, answers.size());
                    best.peerQpn = stream.destQpn();
                }
            }
        });
        found.values().forEach(e -> e.answers.sort((a, b) -> Long.compare(a.frame(), b.frame())));
    }

    /** The PSNs that answers may have. */
    private static Set<Integer> psns(Endpoint e) {
        Set<Integer> psns = new HashSet<>();
        for (Captured r : e.requests) {
            int count = r.isRead() ? Psn.count(r.packet().dmaLen, SMALLEST_MTU) : 1;
            for (int i = 0; i < Math.min(count, 1 << 16); i++) {
                psns.add(Psn.plus(r.packet().psn, i));
            }
        }
        return psns;
    }

    /** The lowest PSN of the first window: packets may have overtaken each other. */
    private static int startPsn(List<Captured> requests) {
        int first = requests.get(0).packet().psn;
        int lowest = first;
        for (Captured r : requests) {
            if (Psn.compare(r.packet().psn, lowest) < 0) {
                lowest = r.packet().psn;
            }
        }
        return lowest;
    }

    private static int rnrTimer(List<Captured> answers) {
        return answers.stream()
                .filter(a -> a.isAck() && Syndrome.isRnr(a.packet().syndrome))
                .mapToInt(a -> a.packet().syndrome & 0x1F)
                .findFirst()
                .orElse(DEFAULT_RNR_TIMER);
    }

    /** The payload of packets that must be full, of both directions; nothing limits it if there is none. */
    private int mtu(Endpoint e) {
        int largest = Math.max(fullPayload(e.requests), fullPayload(e.answers));
        Endpoint reverse = reverse(e);
        if (reverse != null) {
            largest = Math.max(largest, Math.max(fullPayload(reverse.requests), fullPayload(reverse.answers)));
        }
        for (Mtu mtu : Mtu.values()) {
            if (largest > 0 && mtu.bytes() >= largest) {
                return mtu.bytes();
            }
        }
        return LARGEST_MTU;
    }

    private @Nullable Endpoint reverse(Endpoint e) {
        return found.get(new Place(e.peer(), e.peerQpn));
    }

    private static int fullPayload(List<Captured> packets) {
        return packets.stream()
                .filter(p -> isFull(p.opcode()))
                .mapToInt(p -> p.packet().payloadLength)
                .max()
                .orElse(0);
    }

    private static boolean isFull(Opcode opcode) {
        return opcode.payloadRule() == PayloadRule.FULL || opcode == Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
    }
}
