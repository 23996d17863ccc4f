package dev.clockwire.bench.replay;

import dev.clockwire.roce.transport.ResponderState;
import dev.clockwire.sim.state.Snapshot;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One way in which the first requests of a capture can have gone: the responder's state afterwards, and what it leaves unexplained. */
final class Hypothesis {
    private final @Nullable Hypothesis before;
    private final @Nullable Outcome outcome;
    final Snapshot state;
    final BitSet taken;
    /** The queue pair is in ERR. */
    boolean dead;
    /** Receives taken so far. */
    int receives;
    /** Requests taken for lost. */
    int lost;
    /** Answers that were not captured, and captured ones that are overdue. */
    int mismatches;
    /** Captured answers before this one are judged. */
    int judged;

    /** Creates the hypothesis before the first request. */
    Hypothesis(ResponderState start) {
        before = null;
        outcome = null;
        state = new Snapshot();
        start.save(state);
        taken = new BitSet();
    }

    /** Creates what follows from another with one more request. */
    Hypothesis(Hypothesis before, Outcome outcome, Snapshot state) {
        this.before = before;
        this.outcome = outcome;
        this.state = state;
        taken = (BitSet) before.taken.clone();
        dead = before.dead;
        receives = before.receives;
        lost = before.lost + (outcome.lost ? 1 : 0);
        mismatches = before.mismatches;
        judged = before.judged;
    }

    /** What must be equal of two hypotheses for the rest of the capture to go the same way. */
    record Key(long digest, BitSet taken, boolean dead, int receives, int judged) {}

    Key key() {
        return new Key(state.digest(), taken, dead, receives, judged);
    }

    /** Returns the order of preference: fewer mismatches, then fewer losses. */
    static int compare(Hypothesis a, Hypothesis b) {
        return a.mismatches != b.mismatches
                ? Integer.compare(a.mismatches, b.mismatches)
                : Integer.compare(a.lost, b.lost);
    }

    /** Returns what became of each request. */
    List<Outcome> outcomes() {
        List<Outcome> all = new ArrayList<>();
        for (Hypothesis h = this; h != null && h.outcome != null; h = h.before) {
            all.add(h.outcome);
        }
        Collections.reverse(all);
        return all;
    }

    /** Returns what cannot be explained: surplus answers beyond those that damaged captured ones excuse, and captured ones. */
    int unexplained(Clues clues, int damaged) {
        int surplus = outcomes().stream().mapToInt(Outcome::surplus).sum();
        int missing = 0;
        for (int i = 0; i < clues.answers(); i++) {
            missing += taken.get(i) || clues.isSurplus(i) ? 0 : 1;
        }
        return missing + Math.max(0, surplus - damaged);
    }
}
