package dev.clockwire.storage.check;

import dev.clockwire.storage.check.Operation.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks histories whose system names versions: versions are the order, so nothing has to be searched. An operation that ended before another
 * began must not have the higher place, and content must be that of the version. O(n log n) for each key. Sound and complete for a register
 * whose writes have one version each; a write that was sent again may have several, and has the place of its last.
 */
public final class VersionOrder {
    private VersionOrder() {}

    /** Whether versions may be left out. */
    public enum Gaps {
        /** As epochs or clocks do. */
        ALLOWED,
        /** Counted from 1, one for each effect; the history must be of a run that has come to rest. */
        REFUSED
    }

    /** Checks each key; returns the gravest verdict, the first of its kind. */
    public static Verdict check(History history, Gaps gaps) {
        Verdict all = Verdict.linearizable();
        for (String key : history.keys()) {
            all = all.or(checkKey(history.operations(key), gaps));
        }
        return all;
    }

    static Verdict checkKey(List<Operation> ops, Gaps gaps) {
        VersionOwners owners = new VersionOwners(ops);
        @Nullable Verdict bad = owners.find();
        if (bad == null) {
            bad = sweep(ops, owners);
        }
        if (bad == null && gaps == Gaps.REFUSED) {
            bad = owners.gap();
        }
        return bad == null ? placed(ops, owners) : bad;
    }

    /** What has no place was left out: reads of it there are none or they name no version either. */
    private static Verdict placed(List<Operation> ops, VersionOwners owners) {
        for (int i = 0; i < ops.size(); i++) {
            Operation op = ops.get(i);
            if (op.outcome() == Outcome.OK && owners.place(i) == VersionOwners.NOWHERE) {
                return Verdict.undecided(op.key(), "nobody names the version of " + op.words());
            }
        }
        return Verdict.linearizable();
    }

    /** Walks over the calls; knows the highest write and the highest read of those that ended before. */
    private static @Nullable Verdict sweep(List<Operation> ops, VersionOwners owners) {
        List<Integer> byEnd = new ArrayList<>();
        for (int i = 0; i < ops.size(); i++) {
            if (ops.get(i).outcome() == Outcome.OK && owners.place(i) != VersionOwners.NOWHERE) {
                byEnd.add(i);
            }
        }
        byEnd.sort(Comparator.comparingLong(i -> ops.get(i).returnPs()));
        int ended = 0;
        int write = -1;
        int read = -1;
        for (int i = 0; i < ops.size(); i++) {
            for (; ended < byEnd.size() && ops.get(byEnd.get(ended)).precedes(ops.get(i)); ended++) {
                int e = byEnd.get(ended);
                if (ops.get(e).isWrite()) {
                    write = higher(owners, write, e);
                } else {
                    read = higher(owners, read, e);
                }
            }
            boolean checked = owners.place(i) != VersionOwners.NOWHERE && happened(ops.get(i));
            if (checked && write >= 0 && owners.place(write) > owners.place(i)) {
                return misplaced(ops, owners, write, i);
            }
            if (checked
                    && read >= 0
                    && owners.place(read) > owners.place(i) - (ops.get(i).isWrite() ? 1 : 0)) {
                return misplaced(ops, owners, read, i);
            }
        }
        return null;
    }

    private static boolean happened(Operation op) {
        return op.isWrite() || op.outcome() == Outcome.OK;
    }

    private static int higher(VersionOwners owners, int a, int b) {
        return a < 0 || owners.place(b) > owners.place(a) ? b : a;
    }

    private static Verdict misplaced(List<Operation> ops, VersionOwners owners, int before, int after) {
        Operation x = ops.get(before);
        Operation y = ops.get(after);
        if (owners.told(before) < owners.told(after)) {
            return Verdict.violation(
                    Rule.SECOND_EFFECT,
                    "a write that was sent again took effect again, as version " + owners.place(before)
                            + ", after version " + owners.told(after) + " of another",
                    witness(owners, before, after));
        }
        String versions = " (version " + owners.told(before) + ", then " + owners.told(after) + ")";
        if (y.isWrite()) {
            return x.isWrite()
                    ? Verdict.violation(
                            Rule.WRITE_ORDER,
                            "a write came before one that had ended" + versions,
                            witness(owners, before, after))
                    : owners.place(before) == owners.place(after)
                            ? Verdict.violation(
                                    Rule.FUTURE_READ,
                                    "a read returned what was not yet written",
                                    witness(owners, before, after))
                            : Verdict.violation(
                                    Rule.OLD_WRITE,
                                    "a write came before one that had been read" + versions,
                                    witness(owners, before, after));
        }
        return x.isWrite()
                ? Verdict.violation(
                        Rule.STALE_READ,
                        "a read did not see a write that had ended" + versions,
                        witness(owners, before, after))
                : Verdict.violation(
                        Rule.INVERSION,
                        "a read returned older data than one before it" + versions,
                        witness(owners, before, after));
    }

    /** The two, the writes of those that are reads, and who names the places if these do not themselves. */
    private static List<Operation> witness(VersionOwners owners, int before, int after) {
        List<Operation> all = new ArrayList<>();
        for (int i : new int[] {before, after}) {
            for (Operation op : owners.grounds(i)) {
                if (!all.contains(op)) {
                    all.add(op);
                }
            }
        }
        return all;
    }
}
