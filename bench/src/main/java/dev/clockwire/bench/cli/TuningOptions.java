package dev.clockwire.bench.cli;

import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.bench.perftest.Tuning;
import dev.clockwire.nic.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads shares of queue pairs and moderation of completion queues from what was typed. */
final class TuningOptions {
    private static final int MOST_WEIGHT = 255;
    private static final int MOST_PRIORITY = 7;
    private static final int MOST = 65_535;
    private static final int MOST_TIMEOUT = 31;
    private static final int MOST_CLASS = 255;

    private TuningOptions() {}

    /** Returns the tuning of a run; what its device cannot do is refused with exit code 2. */
    static Tuning of(PerftestOptions o, Profile profile) {
        List<Integer> weights = list("--tx_weight", o.txWeight, 1, MOST_WEIGHT);
        List<Integer> priorities = list("--tx_priority", o.txPriority, 0, MOST_PRIORITY);
        needs("--tx_weight", weights, "wrr", o, profile);
        needs("--tx_priority", priorities, "strict", o, profile);
        int count = o.cqCount == null ? 0 : (int) Range.check("--cq_count", o.cqCount, 0, MOST, "");
        int period = o.cqPeriod == null ? 0 : (int) Range.check("--cq_period", o.cqPeriod, 0, MOST, "us");
        if (count > 1 && period == 0) {
            throw CliException.usage(
                    "--cq_count " + count + " needs --cq_period US: fewer completions would wait for ever");
        }
        int timeout =
                o.qpTimeout == null ? Tuning.USUAL_TIMEOUT : (int) Range.check("-u", o.qpTimeout, 0, MOST_TIMEOUT, "");
        int traffic = o.trafficClass == null ? 0 : (int) Range.check("--tclass", o.trafficClass, 0, MOST_CLASS, "");
        return new Tuning(weights, priorities, count, period, timeout, traffic, o.sharedReceives);
    }

    private static void needs(String option, List<Integer> given, String policy, PerftestOptions o, Profile profile) {
        if (given.isEmpty()) {
            return;
        }
        if (o.provider == Provider.SOFT) {
            throw CliException.usage(option + ": --provider hw only, software devices let queue pairs take turns");
        }
        String used = profile.text("nic.sched.policy");
        if (!used.equals(policy)) {
            throw CliException.usage(option + " needs -P nic.sched.policy=" + policy + "; it is " + used);
        }
    }

    private static List<Integer> list(String option, @Nullable String text, int least, int most) {
        List<Integer> values = new ArrayList<>();
        if (text != null) {
            for (String word : text.split(",", -1)) {
                if (!word.matches("\\d{1,4}")) {
                    throw CliException.usage(option + " " + text + ": expected whole numbers with commas between them");
                }
                values.add((int) Range.check(option, Integer.parseInt(word), least, most, ""));
            }
        }
        return values;
    }
}
