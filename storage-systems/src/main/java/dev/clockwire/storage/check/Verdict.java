package dev.clockwire.storage.check;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a checker says of a history.
 *
 * @param kind whether it is right
 * @param key the key of which it is not, empty if it is right
 * @param rule what was broken, null unless it is a violation
 * @param witness operations that cannot have happened all, as few as were found; empty unless it is a violation
 * @param words why, in one sentence
 */
public record Verdict(Kind kind, String key, @Nullable Rule rule, List<Operation> witness, String words) {
    /** Whether a history is right. */
    public enum Kind {
        LINEARIZABLE,
        VIOLATION,
        /** The checker cannot tell, or not within its bounds. */
        UNDECIDED
    }

    /** Copies the witness. */
    public Verdict {
        witness = List.copyOf(witness);
    }

    static Verdict linearizable() {
        return new Verdict(Kind.LINEARIZABLE, "", null, List.of(), "an order explains all operations");
    }

    static Verdict violation(Rule rule, String words, Operation... witness) {
        return violation(rule, words, List.of(witness));
    }

    static Verdict violation(Rule rule, String words, List<Operation> witness) {
        return violation(witness.get(0).key(), rule, words, witness);
    }

    static Verdict violation(String key, Rule rule, String words, List<Operation> witness) {
        return new Verdict(Kind.VIOLATION, key, rule, witness, words);
    }

    static Verdict undecided(String key, String why) {
        return new Verdict(Kind.UNDECIDED, key, null, List.of(), why);
    }

    /** Returns whether the history is right. */
    public boolean isLinearizable() {
        return kind == Kind.LINEARIZABLE;
    }

    /** Returns whether the history cannot have been right. */
    public boolean isViolation() {
        return kind == Kind.VIOLATION;
    }

    /** Returns the graver of two verdicts, this one if they are the same: violation, undecided, linearizable. */
    Verdict or(Verdict other) {
        return isViolation() || other.isLinearizable() || kind == other.kind ? this : other;
    }

    /** Returns the verdict in one line, and the witness in one line for each operation. */
    public String text() {
        StringBuilder s = new StringBuilder();
        s.append(kind.name().toLowerCase(Locale.ROOT));
        s.append(key.isEmpty() ? "" : ", key " + key);
        s.append(rule == null ? "" : " (" + rule.words() + ")").append(": ").append(words);
        for (Operation op : witness) {
            s.append("\n  ").append(op.words());
        }
        return s.toString();
    }
}
