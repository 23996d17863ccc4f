package dev.clockwire.bench.replay;

import dev.clockwire.roce.transport.Psn;
import dev.clockwire.roce.transport.Syndrome;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The captured answers of one queue pair by PSN, and what they say about what the capture does not show. */
final class Clues {
    /** No captured answer. */
    static final int NONE = -1;

    private final Endpoint endpoint;
    private final AnswerHead[] heads;
    private final @Nullable Deviation[] deviations;
    private final Map<Integer, List<Integer>> byPsn = new HashMap<>();
    private final Map<Integer, Long> lastSeen = new HashMap<>();
    private final boolean[] later;

    Clues(Endpoint endpoint) {
        this.endpoint = endpoint;
        heads = endpoint.answers.stream().map(a -> AnswerHead.of(a.packet())).toArray(AnswerHead[]::new);
        deviations = Deviation.of(endpoint);
        for (int i = 0; i < heads.length; i++) {
            byPsn.computeIfAbsent(heads[i].psn(), unused -> new ArrayList<>()).add(i);
        }
        endpoint.requests.forEach(r -> lastSeen.put(r.packet().psn, r.frame()));
        later = new boolean[endpoint.requests.size()];
        findRepeated();
    }

    /** Finds the requests whose PSN comes again later, be it in a READ that begins earlier. */
    private void findRepeated() {
        Set<Integer> coming = new HashSet<>();
        for (int i = later.length - 1; i >= 0; i--) {
            Captured r = endpoint.requests.get(i);
            later[i] = coming.contains(r.packet().psn);
            int count = r.isRead() ? Psn.count(r.packet().dmaLen, endpoint.mtu) : 1;
            for (int k = 0; k < Math.min(count, 1 << 16); k++) {
                coming.add(Psn.plus(r.packet().psn, k));
            }
        }
    }

    /** Tells whether the requester sent this again: a request that never arrived must be. */
    boolean comesAgain(int request) {
        return later[request];
    }

    int answers() {
        return heads.length;
    }

    long frame(int answer) {
        return endpoint.answers.get(answer).frame();
    }

    AnswerHead head(int answer) {
        return heads[answer];
    }

    @Nullable
    Deviation deviation(int answer) {
        return deviations[answer];
    }

    /** Tells whether the rules need not give a captured answer. */
    boolean isSurplus(int answer) {
        Deviation deviation = deviations[answer];
        return deviation != null && deviation.isSurplus();
    }

    /** Returns the earliest captured answer behind a frame that is this one and not yet taken, or {@link #NONE}. */
    int find(AnswerHead due, long behind, BitSet taken) {
        int deviating = NONE;
        for (int i : byPsn.getOrDefault(due.psn(), List.of())) {
            if (frame(i) > behind && !taken.get(i)) {
                if (heads[i].equals(due)) {
                    return i;
                }
                Deviation d = deviations[i];
                if (deviating == NONE && d != null && d.explains(due, heads[i])) {
                    deviating = i;
                }
            }
        }
        return deviating;
    }

    /** Tells whether the capture shows that there was no receive for a request: it was told so, and came again later. */
    boolean saysNotReady(Captured request, int msn, BitSet taken) {
        for (int i : byPsn.getOrDefault(request.packet().psn, List.of())) {
            if (isNak(i, request, msn, taken) && Syndrome.isRnr(heads[i].syndrome())) {
                return lastSeen.getOrDefault(heads[i].psn(), 0L) > frame(i) || isLast(i);
            }
        }
        return false;
    }

    /** Tells whether the capture shows that a request was refused for good, with this syndrome: nothing was done afterwards. */
    boolean saysRefused(Captured request, int msn, BitSet taken, int syndrome) {
        for (int i : byPsn.getOrDefault(request.packet().psn, List.of())) {
            if (isNak(i, request, msn, taken) && heads[i].syndrome() == syndrome) {
                return isLast(i);
            }
        }
        return false;
    }

    /** A refusal does not count the message it refuses: with another MSN it is none. */
    private boolean isNak(int answer, Captured request, int msn, BitSet taken) {
        return endpoint.answers.get(answer).isAck()
                && heads[answer].msn() == msn
                && frame(answer) > request.frame()
                && !taken.get(answer);
    }

    /** Tells whether nothing from this answer's PSN on was granted afterwards. */
    private boolean isLast(int answer) {
        for (int i = answer + 1; i < heads.length; i++) {
            boolean granted = !endpoint.answers.get(i).isAck() || Syndrome.isAck(heads[i].syndrome());
            if (granted && Psn.compare(heads[i].psn(), heads[answer].psn()) >= 0) {
                return false;
            }
        }
        return true;
    }
}
