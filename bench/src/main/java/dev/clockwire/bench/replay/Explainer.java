package dev.clockwire.bench.replay;

import dev.clockwire.roce.transport.Psn;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.RequestDecision;
import dev.clockwire.roce.transport.Responder;
import dev.clockwire.roce.transport.ResponderEnv;
import dev.clockwire.roce.transport.ResponderSpec;
import dev.clockwire.roce.transport.ResponderState;
import dev.clockwire.roce.transport.Syndrome;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.state.Snapshot;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a capture does not show of one queue pair: which receives and keys there were, and which requests were lost
 * between the tap and the responder. It runs the responder's rules over the requests and looks what set-up, and which
 * smallest set of lost requests, makes them give the captured answers. The answers themselves are not taken from here: the
 * simulated side gives them.
 */
final class Explainer {
    private static final int BEAM = 64;
    /** A hypothesis that is so many mismatches behind the best one is given up: what really happened explains nearly everything. */
    private static final int BEHIND = 4;
    /**
     * Losses must explain at least three quarters of what is unexplained without them, and what they leave must be few of the
     * answers: they are no excuse for wrong or missing ones.
     */
    private static final int WORTH = 4;
    /** Shorter than any packet. */
    private static final long TOO_SHORT = -1;

    private final Endpoint endpoint;
    private final @Nullable Given given;
    private final List<Given.Region> regions;
    private final List<Given.Receive> receives;
    private final Clues clues;
    private final int damaged;
    private final ResponderState state = new ResponderState();
    private final RequestDecision decision = new RequestDecision();
    private final RocePacket answer = new RocePacket();
    private final Asked env = new Asked();

    private Explainer(Endpoint endpoint, @Nullable Given given, int damaged) {
        this.endpoint = endpoint;
        this.damaged = damaged;
        this.given = given;
        regions = given == null ? List.of() : given.regions(endpoint.address);
        receives = given == null ? List.of() : given.receives(endpoint);
        clues = new Clues(endpoint);
    }

    /**
     * Explains the answers of a queue pair.
     *
     * @param given the set-up, null to infer it
     * @param mayLose how many requests may be taken for lost
     * @param damaged how many answers are missing because their captured frames are damaged
     * @return what became of each request to it
     */
    static List<Outcome> explain(Endpoint endpoint, @Nullable Given given, int mayLose, int damaged) {
        Explainer explainer = new Explainer(endpoint, given, damaged);
        Hypothesis plain = explainer.search(1, 0);
        int unexplained = explainer.unexplained(plain);
        if (unexplained == 0 || endpoint.type != QpType.RC || mayLose == 0) {
            return plain.outcomes();
        }
        Hypothesis best = explainer.search(BEAM, mayLose);
        int rest = explainer.unexplained(best) * WORTH;
        return rest <= unexplained && rest < endpoint.answers.size() ? best.outcomes() : plain.outcomes();
    }

    /** Returns the parameters of a queue pair as responder. */
    static ResponderSpec spec(Endpoint e) {
        ResponderSpec usual = ResponderSpec.of(e.type, e.mtu, e.peerQpn);
        return new ResponderSpec(
                e.type, e.mtu, e.peerQpn, usual.pkey(), e.startPsn, usual.access(), e.kept(), e.rnrTimer, true);
    }

    private Hypothesis search(int width, int mayLose) {
        state.connect(spec(endpoint));
        List<Hypothesis> beam = List.of(new Hypothesis(state));
        for (int i = 0; i < endpoint.requests.size(); i++) {
            Map<Hypothesis.Key, Hypothesis> next = new LinkedHashMap<>();
            for (Hypothesis h : beam) {
                keep(next, deliver(h, i));
                if (h.lost < mayLose && mayBeLost(h, i)) {
                    keep(next, lose(h, i));
                }
            }
            List<Hypothesis> all = new ArrayList<>(next.values());
            all.sort(Hypothesis::compare);
            int worst = all.get(0).mismatches + BEHIND;
            beam = all.stream()
                    .limit(width)
                    .takeWhile(h -> h.mismatches <= worst)
                    .toList();
        }
        return beam.stream()
                .min(Comparator.comparingInt(this::unexplained).thenComparingInt(h -> h.lost))
                .orElseThrow();
    }

    private int unexplained(Hypothesis h) {
        return h.unexplained(clues, damaged);
    }

    private void keep(Map<Hypothesis.Key, Hypothesis> next, Hypothesis h) {
        next.merge(h.key(), h, (old, other) -> Hypothesis.compare(old, other) <= 0 ? old : other);
    }

    /** A new request that never arrived is sent again; a duplicate need not be. */
    private boolean mayBeLost(Hypothesis h, int i) {
        load(h);
        int psn = endpoint.requests.get(i).packet().psn;
        return clues.comesAgain(i) || Psn.compare(psn, state.expectedPsn()) < 0;
    }

    private void load(Hypothesis h) {
        h.state.rewind();
        state.load(h.state);
    }

    private Hypothesis lose(Hypothesis h, int i) {
        Hypothesis after = new Hypothesis(h, new Outcome(endpoint.requests.get(i), true), h.state);
        judge(after, i);
        return after;
    }

    private Hypothesis deliver(Hypothesis h, int i) {
        Captured request = endpoint.requests.get(i);
        Outcome outcome = new Outcome(request, false);
        load(h);
        RequestDecision d = decision;
        if (!h.dead) {
            env.about(request, outcome, h);
            Responder.onRequest(state, request.packet(), env, d);
            if (d.action == RequestDecision.Action.ATOMIC) {
                Responder.atomicDone(state, d.resource, d.psn, 0);
            }
        }
        Snapshot saved = new Snapshot();
        state.save(saved);
        Hypothesis after = new Hypothesis(h, outcome, saved);
        if (!h.dead) {
            outcome.action = d.action;
            outcome.takesReceive = d.takesReceive && d.action != RequestDecision.Action.NAK;
            outcome.va = d.va;
            outcome.rkey = d.rkey;
            outcome.length = d.length;
            after.receives += outcome.takesReceive ? 1 : 0;
            after.dead = d.qpError;
            answer(after, outcome, d);
        }
        judge(after, i);
        return after;
    }

    private void answer(Hypothesis h, Outcome outcome, RequestDecision d) {
        outcome.answers = new int[Answering.count(d)];
        for (int k = 0; k < outcome.answers.length; k++) {
            Answering.fill(state, d, k, 0, answer);
            int found = clues.find(AnswerHead.of(answer), outcome.request.frame(), h.taken);
            outcome.answers[k] = found;
            if (found == Clues.NONE) {
                h.mismatches++;
            } else {
                h.taken.set(found);
            }
        }
    }

    /** Captured answers in front of the next request cannot be the answers of later ones. */
    private void judge(Hypothesis h, int i) {
        boolean last = i + 1 == endpoint.requests.size();
        long until = last ? Long.MAX_VALUE : endpoint.requests.get(i + 1).frame();
        for (; h.judged < clues.answers() && clues.frame(h.judged) < until; h.judged++) {
            h.mismatches += h.taken.get(h.judged) || clues.isSurplus(h.judged) ? 0 : 1;
        }
    }

    /** What the rules ask about keys and receives: answered from the given set-up, else as the captured answers need it. */
    private final class Asked implements ResponderEnv {
        private @Nullable Captured request;
        private @Nullable Outcome outcome;
        private BitSet taken = new BitSet();
        private int consumed;

        void about(Captured packet, Outcome result, Hypothesis h) {
            request = packet;
            outcome = result;
            taken = h.taken;
            consumed = h.receives;
        }

        private Captured request() {
            return Objects.requireNonNull(request);
        }

        private Outcome outcome() {
            return Objects.requireNonNull(outcome);
        }

        @Override
        public int checkRemote(int rkey, long va, long length, int access) {
            boolean refused = given == null
                    ? clues.saysRefused(request(), state.msn(), taken, Syndrome.NAK_REMOTE_ACCESS)
                    : regions.stream().noneMatch(r -> r.key() == rkey && r.grants(va, length, access));
            outcome().refused = refused;
            return refused ? Syndrome.NAK_REMOTE_ACCESS : GRANTED;
        }

        @Override
        public boolean receiveAvailable() {
            boolean ready = given == null
                    ? !clues.saysNotReady(request(), state.msn(), taken)
                    : consumed < receives.size()
                            && receives.get(consumed).afterFrame() < request().frame();
            outcome().denied = !ready;
            return ready;
        }

        @Override
        public long receiveCapacity() {
            if (given != null) {
                int present = state.receiveHeld() ? consumed - 1 : consumed;
                return present >= 0 && present < receives.size()
                        ? receives.get(present).size()
                        : Long.MAX_VALUE;
            }
            boolean tooLong = clues.saysRefused(request(), state.msn(), taken, Syndrome.NAK_REMOTE_OPERATION)
                    || clues.saysRefused(request(), state.msn(), taken, Syndrome.NAK_INVALID_REQUEST);
            if (!tooLong) {
                return Long.MAX_VALUE;
            }
            outcome().tooLong = true;
            return TOO_SHORT;
        }
    }
}
