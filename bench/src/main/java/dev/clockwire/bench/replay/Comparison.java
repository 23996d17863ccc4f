package dev.clockwire.bench.replay;

import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares the answers of one queue pair with the captured ones, as multisets; what remains is paired by PSN. */
final class Comparison {
    private final Endpoint endpoint;
    private final Map<Captured, BitSet> known;
    private final List<ReplayReport.Difference> differences = new ArrayList<>();
    private final List<ReplayReport.Known> deviations = new ArrayList<>();
    private final @Nullable Deviation[] candidates;
    private final List<Integer> missing = new ArrayList<>();
    private final List<Sent> surplus;
    private int matching;

    private Comparison(Endpoint endpoint, List<Sent> sent, Map<Captured, BitSet> known) {
        this.endpoint = endpoint;
        this.known = known;
        surplus = new ArrayList<>(sent);
        candidates = Deviation.of(endpoint);
    }

    /**
     * Compares.
     *
     * @param sent what the simulated queue pair sent, in order
     * @param known bytes that must agree
     */
    static Comparison of(Endpoint endpoint, List<Sent> sent, Map<Captured, BitSet> known) {
        Comparison c = new Comparison(endpoint, sent, known);
        c.match();
        c.deviate();
        c.pair();
        return c;
    }

    private void match() {
        for (int i = 0; i < endpoint.answers.size(); i++) {
            Captured a = endpoint.answers.get(i);
            Sent found = take(s -> s.packet().destQp == a.packet().destQp
                    && AnswerHead.of(s.packet()).equals(AnswerHead.of(a.packet())));
            if (found == null) {
                missing.add(i);
            } else {
                matching++;
                bytes(a, found.packet());
            }
        }
    }

    private @Nullable Sent take(java.util.function.Predicate<Sent> wanted) {
        for (int i = 0; i < surplus.size(); i++) {
            if (wanted.test(surplus.get(i))) {
                return surplus.remove(i);
            }
        }
        return null;
    }

    private void bytes(Captured a, RocePacket got) {
        BitSet own = known.get(a);
        if (own == null) {
            return;
        }
        if (a.opcode() == Opcode.RC_ATOMIC_ACKNOWLEDGE) {
            differ(a, "original", a.packet().original, got.original);
            return;
        }
        for (int i = own.nextSetBit(0); i >= 0; i = own.nextSetBit(i + 1)) {
            if (a.packet().payload.byteAt(i) != got.payload.byteAt(i)) {
                differ(a, "payload[" + i + "]", a.packet().payload.byteAt(i) & 0xFF, got.payload.byteAt(i) & 0xFF);
                return;
            }
        }
    }

    private void deviate() {
        for (int i : List.copyOf(missing)) {
            Deviation d = candidates[i];
            AnswerHead head = AnswerHead.of(endpoint.answers.get(i).packet());
            if (d != null && (d.isSurplus() || take(s -> d.explains(AnswerHead.of(s.packet()), head)) != null)) {
                missing.remove((Integer) i);
                deviations.add(new ReplayReport.Known(endpoint.answers.get(i).frame(), d.rule(), d.why()));
            }
        }
    }

    /** What is left on both sides with the same PSN, or with the same everything else, differs in fields. */
    private void pair() {
        for (int i : missing) {
            Captured a = endpoint.answers.get(i);
            Sent other = take(s -> s.packet().psn == a.packet().psn && s.packet().opcode == a.packet().opcode);
            other = other != null ? other : take(s -> s.packet().psn == a.packet().psn);
            other = other != null
                    ? other
                    : take(s -> s.packet().opcode == a.packet().opcode
                            && s.packet().msn == a.packet().msn
                            && s.packet().syndrome == a.packet().syndrome);
            if (other == null) {
                differences.add(new ReplayReport.Difference(a.frame(), "packet", text(a.packet()), null));
            } else {
                fields(a, other.packet());
            }
        }
    }

    private void fields(Captured a, RocePacket got) {
        RocePacket want = a.packet();
        differ(a, "dest_qp", want.destQp, got.destQp);
        if (want.opcode != got.opcode) {
            differences.add(new ReplayReport.Difference(
                    a.frame(),
                    "opcode",
                    a.opcode().name(),
                    Opcode.of(got.opcode).name()));
        }
        differ(a, "psn", want.psn, got.psn);
        differ(a, "syndrome", want.syndrome, got.syndrome);
        differ(a, "msn", want.msn, got.msn);
        differ(a, "payload_len", want.payloadLength, got.payloadLength);
    }

    private void differ(Captured a, String field, long expected, long got) {
        new Differ(a.frame(), differences).compare(field, expected, got);
    }

    private static String text(RocePacket p) {
        String text = Opcode.of(p.opcode).name() + " PSN " + Differ.hex(p.psn);
        return Opcode.of(p.opcode).hasAeth() ? text + " syndrome " + Differ.hex(p.syndrome) + " MSN " + p.msn : text;
    }

    /** Returns how many captured answers the simulated queue pair gave, too. */
    int matching() {
        return matching;
    }

    /** Returns where both differ, answers that only the simulated queue pair gave apart. */
    List<ReplayReport.Difference> differences() {
        return differences;
    }

    /** Returns the captured answers that are known not to follow the standard. */
    List<ReplayReport.Known> deviations() {
        return deviations;
    }

    /**
     * Returns answers that only the simulated queue pair gave, as differences.
     *
     * @param excused how many are left out: their captured frames are damaged
     */
    static List<ReplayReport.Difference> surplus(List<Comparison> all, int excused) {
        return all.stream()
                .flatMap(c -> c.surplus.stream())
                .sorted(Comparator.comparingLong(Sent::cause))
                .skip(excused)
                .map(s -> new ReplayReport.Difference(s.cause(), "packet", null, text(s.packet())))
                .toList();
    }
}
