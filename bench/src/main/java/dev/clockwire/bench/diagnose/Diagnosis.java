package dev.clockwire.bench.diagnose;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Says what counters betray. */
public final class Diagnosis {
    private static final List<Rule> RULES = Stream.of(LossRules.ALL, CongestionRules.ALL, HostRules.ALL, LossRules.LAST)
            .flatMap(List::stream)
            .toList();

    private Diagnosis() {}

    /** Returns likely causes, the most certain first; none of machines that are well. */
    public static List<Finding> of(Counters all) {
        List<Finding> found = new ArrayList<>();
        for (Rule rule : RULES) {
            String evidence =
                    rule.last() && !found.isEmpty() ? null : rule.evidence().in(all);
            if (evidence != null) {
                found.add(new Finding(rule.name(), rule.cause(), evidence, rule.cure()));
            }
        }
        return found;
    }

    /** Returns the names of all rules. */
    public static List<String> rules() {
        return RULES.stream().map(Rule::name).toList();
    }
}
