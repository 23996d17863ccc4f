package dev.clockwire.bench.diagnose;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Says what counters betray. */
public final class Diagnosis {
    private static final List<Rule> RULES = Stream.of(
                    LossRules.ALL,
                    LineRules.ALL,
                    CongestionRules.ALL,
                    PauseRules.ALL,
                    HostRules.ALL,
                    PcieRules.ALL,
                    LossRules.LAST)
            .flatMap(List::stream)
            .toList();

    private Diagnosis() {}

    /**
     * Looks at one reading, or at what has happened between two.
     *
     * @param earlier null: at what was counted so far
     */
    public static Verdict of(@Nullable Counters earlier, Counters reading) {
        return judge(earlier == null ? reading : Difference.of(earlier, reading));
    }

    /** Returns likely causes, the most certain first; none of machines that are well. */
    public static List<Finding> of(Counters all) {
        return judge(all).findings();
    }

    private static Verdict judge(Counters all) {
        List<Finding> found = new ArrayList<>();
        for (Rule rule : RULES) {
            all.ledger().begin(rule.name());
            String evidence =
                    rule.last() && !found.isEmpty() ? null : rule.evidence().in(all);
            if (evidence != null) {
                found.add(new Finding(rule.name(), rule.cause(), evidence, rule.cure()));
            }
        }
        all.ledger().begin("");
        return new Verdict(found, all);
    }

    /** Returns the names of all rules. */
    public static List<String> rules() {
        return RULES.stream().map(Rule::name).toList();
    }
}
