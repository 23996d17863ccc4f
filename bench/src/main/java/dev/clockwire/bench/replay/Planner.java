package dev.clockwire.bench.replay;

import dev.clockwire.roce.transport.RequestDecision.Action;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Makes the plan of a replay as responder: explains every queue pair, then derives memory, keys and receives. */
final class Planner {
    /** Of a hundred requests this many may have been lost behind the tap. */
    private static final int LOST_PERCENT = 12;

    private final @Nullable Given given;
    private final RegionFinder regions = new RegionFinder();
    private final List<Given.Receive> receives = new ArrayList<>();
    private final Pages memory = new Pages();
    private final Shadow shadow = new Shadow();
    private final Map<Long, List<Plan.Change>> changes = new HashMap<>();
    private final Set<Long> lost = new TreeSet<>();
    private final Map<Captured, BitSet> known = new HashMap<>();

    /** What happened to a request of a queue pair. */
    private record Event(Endpoint endpoint, Outcome outcome) {}

    private Planner(@Nullable Given given) {
        this.given = given;
    }

    /**
     * Makes the plan.
     *
     * @param given the set-up, null to infer it
     */
    static Plan plan(Capture capture, @Nullable Given given) {
        return new Planner(given).plan(capture);
    }

    private Plan plan(Capture capture) {
        Collection<Endpoint> endpoints = Endpoints.of(capture);
        int requests = capture.requests().size();
        int mayLose = (requests * LOST_PERCENT + 99) / 100;
        List<Event> events = new ArrayList<>();
        for (Endpoint e : endpoints) {
            if (given != null) {
                given.tell(e);
            }
            List<Outcome> outcomes = Explainer.explain(e, given, mayLose, capture.damagedAnswers());
            mayLose -= (int) outcomes.stream().filter(o -> o.lost).count();
            outcomes.forEach(o -> events.add(new Event(e, o)));
            if (given == null) {
                receives.addAll(ReceiveFinder.find(e, outcomes));
            }
        }
        events.sort(Comparator.comparingLong(e -> e.outcome().request.frame()));
        events.forEach(e -> event(e.endpoint(), e.outcome()));
        Given setup = setup(endpoints);
        return new Plan(List.copyOf(endpoints), setup, memory.ranges(), changes, lost, known);
    }

    private Given setup(Collection<Endpoint> endpoints) {
        if (given == null) {
            List<Given.Region> initial = new ArrayList<>();
            regions.regions(initial, changes).forEach(this::reach);
            return new Given(List.of(), initial, receives);
        }
        List<Given.Region> all = new ArrayList<>();
        endpoints.stream()
                .map(e -> e.address)
                .distinct()
                .forEach(host -> given.regions(host)
                        .forEach(r -> all.add(new Given.Region(host, r.key(), r.va(), r.length(), r.access()))));
        all.forEach(this::reach);
        endpoints.forEach(e -> receives.addAll(given.receives(e)));
        return new Given(List.of(), all, receives);
    }

    private void reach(Given.Region r) {
        memory.add(Objects.requireNonNull(r.host()), r.va(), r.length());
    }

    private void event(Endpoint e, Outcome o) {
        if (o.lost) {
            lost.add(o.request.frame());
            return;
        }
        boolean executed = o.action == Action.WRITE || o.action == Action.READ || o.action == Action.ATOMIC;
        boolean hasRange =
                o.request.opcode().hasAtomicEth() || (o.request.opcode().hasReth() && o.request.packet().dmaLen > 0);
        if (hasRange && !reachable(e.address, o, executed)) {
            return;
        }
        if (hasRange && executed) {
            takeTurn(e.address, o);
        }
        switch (o.action) {
            case WRITE -> shadow.write(e.address, o.rkey, o.va, o.length);
            case READ, REREAD -> read(e, o);
            case ATOMIC -> atomic(e, o);
            default -> {}
        }
    }

    /** Whether the request can be what the capture says: it may have been granted where no region can be. Then nothing follows from it. */
    private boolean reachable(Gid host, Outcome o, boolean executed) {
        RocePacket p = o.request.packet();
        if (given != null) {
            return o.refused
                    || given.holds(host, p.rkey, p.va, o.request.opcode().hasAtomicEth() ? Long.BYTES : p.dmaLen);
        }
        if (executed || o.refused) {
            return regions.add(host, o);
        }
        return o.action != Action.REREAD || regions.holds(host, o);
    }

    /** Of given keys with one index the one in use is valid: a set-up file does not say when they change. */
    private void takeTurn(Gid host, Outcome o) {
        int key = o.request.packet().rkey;
        List<Given.Region> turns = given == null
                ? List.of()
                : given.regions(host).stream()
                        .filter(r -> r.key() >>> 8 == key >>> 8)
                        .toList();
        if (turns.size() > 1) {
            turns.stream()
                    .filter(r -> r.key() == key)
                    .findFirst()
                    .ifPresent(r -> change(o, new Plan.Change(host, h -> h.register(r))));
        }
    }

    /** Bytes that no request wrote are what the capture shows; the others must come out by themselves. */
    private void read(Endpoint e, Outcome o) {
        for (int k = 0; k < o.answers.length; k++) {
            if (o.answers[k] >= 0) {
                Captured answer = e.answers.get(o.answers[k]);
                byte[] bytes = new byte[answer.packet().payloadLength];
                answer.packet().payload.copyTo(0, bytes, 0, bytes.length);
                show(e.address, o, o.va + (long) k * e.mtu, bytes, answer);
            }
        }
    }

    private void show(Gid host, Outcome o, long va, byte[] bytes, Captured answer) {
        BitSet own = shadow.written(host, o.rkey, va, bytes.length);
        if (!own.isEmpty()) {
            known.put(answer, own);
        }
        for (int from = own.nextClearBit(0); from < bytes.length; ) {
            int next = own.nextSetBit(from);
            int to = next < 0 ? bytes.length : next;
            byte[] part = Arrays.copyOfRange(bytes, from, to);
            long at = va + from;
            change(o, new Plan.Change(host, h -> h.poke(at, part)));
            from = own.nextClearBit(to);
        }
    }

    private void change(Outcome o, Plan.Change change) {
        changes.computeIfAbsent(o.request.frame(), unused -> new ArrayList<>()).add(change);
    }

    /** The value before an atomic is in its answer and in that of every repetition. */
    private void atomic(Endpoint e, Outcome o) {
        boolean own = shadow.written(e.address, o.rkey, o.va, Long.BYTES).cardinality() == Long.BYTES;
        boolean shown = false;
        for (Captured a : e.answers) {
            if (a.opcode() == Opcode.RC_ATOMIC_ACKNOWLEDGE && a.packet().psn == o.request.packet().psn) {
                BitSet all = new BitSet();
                all.set(0, Long.BYTES);
                known.put(a, all);
                if (!own && !shown) {
                    shown = true;
                    byte[] value = LittleEndian.bytes(a.packet().original);
                    change(o, new Plan.Change(e.address, h -> h.poke(o.va, value)));
                }
            }
        }
        shadow.write(e.address, o.rkey, o.va, Long.BYTES);
    }
}
