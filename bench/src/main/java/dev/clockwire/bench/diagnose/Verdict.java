package dev.clockwire.bench.diagnose;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What was found, and what it rests upon.
 *
 * @param findings likely causes, the most certain first
 * @param lookedAt counters that rules asked for and that were known
 * @param near ratios that came near to a limit, each with its rule
 * @param notJudged rules of which no counter was known, with those that they would need
 * @param notes what to know of the readings: what means nothing in them, what began anew, since when they count
 */
public record Verdict(
        List<Finding> findings, List<String> lookedAt, List<String> near, List<String> notJudged, List<String> notes) {
    private static final String SINCE_BOOT =
            "these are counts since the driver was loaded: what they tell of may be over. Two readings (--before) tell"
                    + " what happens now";
    private static final String OTHER_DRIVER =
            " counters, so none was judged: rules know the names of mlx5 and of InfiniBand's ports, not those of other"
                    + " drivers";
    private static final int SHOWN = 3;
    private static final String NO_TIME =
            "pauses are weighed by packets, for nobody said how long the counters have counted (--duration)";

    Verdict(List<Finding> findings, Counters all) {
        this(
                List.copyOf(findings),
                all.ledger().looked(),
                all.ledger().near().stream().map(Object::toString).toList(),
                all.ledger().unjudged().stream().map(Object::toString).toList(),
                notes(all));
    }

    private static List<String> notes(Counters all) {
        List<String> notes = new ArrayList<>(all.remarks());
        List<String> noNumbers = all.ledger().noNumbers();
        noNumbers.stream()
                .limit(SHOWN)
                .forEach(line -> notes.add("left out: " + OddLines.quoted(line) + " (is no number)"));
        if (noNumbers.size() > SHOWN) {
            notes.add("left out: " + (noNumbers.size() - SHOWN) + " other counters that are no numbers");
        }
        if (all.sums().isEmpty()) {
            return notes;
        }
        if (all.ledger().looked().isEmpty()) {
            notes.add("no rule knows any of these " + all.sums().size() + OTHER_DRIVER);
        }
        boolean paused = all.sums().entrySet().stream()
                .anyMatch(e -> e.getKey().endsWith("_pause_duration") && e.getValue() > 0);
        if (all.since() == Counters.Since.BOOT) {
            notes.add(SINCE_BOOT);
        } else if (all.since() == Counters.Since.READING && all.seconds() > 0) {
            notes.add(String.format(Locale.ROOT, "differences of two readings, %.3g s apart", all.seconds()));
        }
        if (paused && all.seconds() == 0) {
            notes.add(NO_TIME);
        }
        return notes;
    }
}
