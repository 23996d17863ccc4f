package dev.clockwire.bench.artefact;

import dev.clockwire.bench.artefact.FlowStage.Role;
import dev.clockwire.bench.artefact.OperationTimeline.FlowPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Leads arrows through one operation: a flow for each packet that its sender has put on the line, once more for each time that it was sent
 * again. The first one comes from the post and its doorbell, the others from where the first left the WQE; a response's comes from the request
 * that it answers. Each passes what its packet was made of and what became of it, TLPs included, then the last ACK, and ends in the CQE. What
 * the peer receives into a posted buffer has a flow of its own, to the peer's CQE.
 */
final class OperationFlows {
    private static final int DEVICE_SHIFT = 40;
    private static final int ID_DEVICE_SHIFT = 52;
    private static final int ID_OPERATION_SHIFT = 24;
    private static final long OPERATIONS = (1L << (ID_DEVICE_SHIFT - ID_OPERATION_SHIFT)) - 1;

    private final long journey;
    private final List<FlowPart> front = new ArrayList<>();
    private final List<FlowPart> back = new ArrayList<>();
    private final List<FlowPart> receive = new ArrayList<>();
    private final List<Sent> requests = new ArrayList<>();
    private final List<Sent> responses = new ArrayList<>();
    private @Nullable FlowPart cqe;
    private @Nullable FlowPart receiveCqe;
    private long flows;

    private OperationFlows(long journey) {
        this.journey = journey;
    }

    /** A packet on the line, with what belongs to it. */
    private static final class Sent {
        final FlowPart wire;
        final List<FlowPart> parts = new ArrayList<>();

        Sent(FlowPart wire) {
            this.wire = wire;
            parts.add(wire);
        }
    }

    /** Lets flows come by the slices of all operations; the parts are in {@link FlowPart#ORDER}. */
    static void lead(List<FlowPart> parts) {
        Map<Long, List<FlowPart>> operations = new TreeMap<>();
        for (FlowPart p : parts) {
            if (p.journey() != 0 && p.stage().role() != Role.NONE) {
                operations.computeIfAbsent(p.journey(), k -> new ArrayList<>()).add(p);
            }
        }
        operations.forEach((journey, own) -> new OperationFlows(journey).through(own));
    }

    private void through(List<FlowPart> parts) {
        sort(parts);
        belong(parts, requests, Role.TO_REQUEST, Role.FROM_REQUEST);
        belong(parts, responses, Role.TO_RESPONSE, Role.FROM_RESPONSE);
        List<FlowPart> last = lastAnswer();
        if (requests.isEmpty()) {
            flow(front, List.of(), last, cqe); // done without a packet, or its packets are no longer known
        }
        for (int i = 0; i < requests.size(); i++) {
            flow(i == 0 ? front : tail(front), requests.get(i).parts, last, cqe);
        }
        for (Sent response : responses) {
            flow(tail(before(response.parts.get(0))), response.parts, last, cqe);
        }
        earlierAnswers(last);
        if (!receive.isEmpty() || receiveCqe != null) {
            List<FlowPart> from = requests.isEmpty() ? List.of() : tail(requests.get(requests.size() - 1).parts);
            flow(from, receive, List.of(), receiveCqe);
        }
    }

    private void sort(List<FlowPart> parts) {
        for (FlowPart p : parts) {
            switch (p.stage().role()) {
                case FRONT -> front.add(p);
                case REQUEST -> requests.add(new Sent(p));
                case RESPONSE -> responses.add(new Sent(p));
                case BACK -> back.add(p);
                case RECEIVE -> receive.add(p);
                case CQE -> cqe = p;
                case RECEIVE_CQE -> receiveCqe = p;
                default -> {}
            }
        }
    }

    /**
     * Gives slices to the packets that they belong to: of several with one PSN, what a packet is made of to the first that leaves behind it, what becomes of it to
     * the last that has arrived by then.
     */
    private static void belong(List<FlowPart> parts, List<Sent> packets, Role to, Role from) {
        Map<Integer, List<Sent>> byPsn = new TreeMap<>();
        packets.forEach(
                s -> byPsn.computeIfAbsent(s.wire.psn(), k -> new ArrayList<>()).add(s));
        for (FlowPart p : parts) {
            Role role = p.stage().role();
            if (role != to && role != from) {
                continue;
            }
            Sent found = null;
            for (Sent s : byPsn.getOrDefault(p.psn(), List.of())) {
                if (role == to
                        && found == null
                        && s.wire.slice().in() >= p.slice().in()) {
                    found = s;
                } else if (role == from && s.wire.slice().out() <= p.slice().in()) {
                    found = s;
                }
            }
            if (found != null) {
                found.parts.add(p);
            }
        }
        packets.forEach(s -> s.parts.sort(FlowPart.ORDER));
    }

    /** Returns the way from the last ACK on, or from what the operation ended with otherwise. */
    private List<FlowPart> lastAnswer() {
        FlowPart end = cqe;
        int from = back.size();
        for (int i = 0; i < back.size(); i++) {
            if (back.get(i).stage() == FlowStage.ACK
                    && (end == null || back.get(i).slice().in() < end.slice().in())) {
                from = i;
            }
        }
        while (from > 0
                && from < back.size()
                && back.get(from - 1).stage() == FlowStage.ACK
                && back.get(from - 1).psn() == back.get(from).psn()) {
            from--; // assembly and MAC of the same ACK
        }
        return from < back.size()
                ? back.subList(from, back.size())
                : back.stream().filter(p -> p.stage() == FlowStage.COMPLETION).toList();
    }

    /** ACKs and NAKs before the one that ends the operation; a NAK has the PSN of a packet that did not arrive. */
    private void earlierAnswers(List<FlowPart> last) {
        Map<Integer, List<FlowPart>> answers = new TreeMap<>();
        for (FlowPart p : back) {
            if (!last.contains(p) && p.stage() != FlowStage.COMPLETION) {
                answers.computeIfAbsent(p.psn(), k -> new ArrayList<>()).add(p);
            }
        }
        for (FlowPart p : back) {
            List<FlowPart> answer = answers.get(p.psn());
            if (!last.contains(p) && p.stage() == FlowStage.COMPLETION && answer != null) {
                answer.add(p);
            }
        }
        answers.values().forEach(a -> flow(tail(before(a.get(0))), a, List.of(), cqe));
    }

    /** Returns what had become of the last request that arrived before an answer was made. */
    private List<FlowPart> before(FlowPart answer) {
        long made = answer.slice().in();
        List<FlowPart> found = front;
        for (Sent request : requests) {
            if (request.wire.slice().out() <= made) {
                found = request.parts;
            }
        }
        return found;
    }

    private static List<FlowPart> tail(List<FlowPart> parts) {
        return parts.isEmpty() ? parts : parts.subList(parts.size() - 1, parts.size());
    }

    /** Leads one flow, and a second one to what a packet is still at while its ACK is on the way. */
    private void flow(List<FlowPart> from, List<FlowPart> own, List<FlowPart> last, @Nullable FlowPart end) {
        long turn = last.isEmpty() ? Long.MAX_VALUE : last.get(0).slice().in();
        List<FlowPart> early = own.stream().filter(p -> p.slice().in() <= turn).toList();
        List<FlowPart> late = own.stream().filter(p -> p.slice().in() > turn).toList();
        lead(from, early, last, end);
        if (!late.isEmpty()) {
            lead(tail(early.isEmpty() ? from : early), late, List.of(), end);
        }
    }

    /** What lies behind the end is not of the way. */
    private void lead(List<FlowPart> from, List<FlowPart> own, List<FlowPart> last, @Nullable FlowPart end) {
        List<FlowPart> way = new ArrayList<>(from);
        way.addAll(own);
        way.addAll(last);
        way.sort(FlowPart.ORDER);
        if (end != null) {
            way.removeIf(p -> p.slice().in() > end.slice().in());
            way.add(end);
        }
        if (way.size() < 2) {
            return;
        }
        long id = id(++flows);
        way.subList(0, way.size() - 1).forEach(p -> p.slice().passes(id));
        way.get(way.size() - 1).slice().ends(id);
    }

    private long id(long flow) {
        long device = journey >>> DEVICE_SHIFT;
        return device << ID_DEVICE_SHIFT | (journey & OPERATIONS) << ID_OPERATION_SHIFT | flow;
    }
}
