package dev.clockwire.storage.check;

import dev.clockwire.storage.check.Linearizability.Bounds;
import dev.clockwire.storage.check.VersionOrder.Gaps;

/** The verdict on a history: by versions for each key of which they decide, by search for the others. */
public final class HistoryCheck {
    private HistoryCheck() {}

    /** Returns the gravest verdict of any key, the first of its kind. */
    public static Verdict check(History history, Gaps gaps, Bounds bounds) {
        Verdict all = Verdict.linearizable();
        for (String key : history.keys()) {
            Verdict byVersions = VersionOrder.checkKey(history.operations(key), gaps);
            all = all.or(
                    byVersions.kind() == Verdict.Kind.UNDECIDED
                            ? Linearizability.checkKey(history.operations(key), bounds)
                            : byVersions);
        }
        return all;
    }
}
