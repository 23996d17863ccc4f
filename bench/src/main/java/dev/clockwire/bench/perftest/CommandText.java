package dev.clockwire.bench.perftest;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.verbs.RateLimit;
import java.util.Locale;

/** The command line that makes the trace of a run again: every choice spelled out, nothing that cannot change the trace. */
public final class CommandText {
    private static final double KBPS_PER_GBPS = 1e6;

    private CommandText() {}

    /** Returns the command of one operation or, if there are several, of the slowest; parameters as above. */
    public static String explain(PerftestSpec s, String overrides) {
        Verb verb = s.tool().verb();
        return "clockwire explain " + verb.name().toLowerCase(Locale.ROOT) + " --profile "
                + s.profile().name() + overrides + " -c " + s.connection() + " -s " + s.size() + " -m " + s.mtu()
                + (verb.isRoundTrip() ? "" : " -I " + s.inline())
                + (s.iterations() > 1 ? " --tail -n " + s.iterations() : "")
                + (s.buffers() == BufferKind.DEVICE ? " --device-memory" : "")
                + pacing(s) + (s.ipv6() ? " --ipv6" : "") + " --seed " + s.seed();
    }

    private static String pacing(PerftestSpec s) {
        RateLimit limit = s.pacing();
        if (limit.kbps() == 0) {
            return "";
        }
        String burst = limit.maxBurstBytes() == 0 ? "" : " --burst_size " + limit.maxBurstBytes() / s.size();
        return " --rate_limit " + limit.kbps() / KBPS_PER_GBPS + burst;
    }

    private static boolean putsSwitch(Profile p) {
        return !p.text("link.switch").equals("none")
                && Profiles.named(p.name()).text("link.switch").equals("none");
    }

    /** Returns the command; {@code overrides} are the {@code -P} options as typed, each with a blank in front. */
    public static String of(PerftestSpec s, String overrides) {
        StringBuilder text = new StringBuilder("clockwire perftest ");
        text.append(s.tool().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        text.append(" --profile ").append(s.profile().name()).append(overrides);
        text.append(s.provider() == Provider.SOFT ? " --provider soft" : "");
        text.append(" -c ").append(s.connection()).append(" -s ").append(s.size());
        if (s.iterations() > 0) {
            text.append(" -n ").append(s.iterations());
        } else {
            text.append(" -D ").append(s.durationPs() / 1e12).append(s.exact() ? " --exact" : "");
        }
        text.append(" -m ").append(s.mtu()).append(s.events() ? " --event" : "");
        text.append(s.buffers() == BufferKind.EACH ? " --register-each" : "");
        Verb verb = s.tool().verb();
        if (verb.isRoundTrip()) {
            text.append(" -o ").append(s.outstandingReads());
        } else {
            text.append(" -I ").append(s.inline());
        }
        if (verb == Verb.ATOMIC) {
            text.append(" -A ").append(s.atomic());
        }
        if (verb == Verb.SEND) {
            text.append(" -r ").append(s.rxDepth());
        }
        if (!s.tool().isLatency()) {
            text.append(" -q ").append(s.qps()).append(" -t ").append(s.txDepth());
            text.append(" -l ").append(s.postList()).append(" --cq-mod ").append(s.cqMod());
            text.append(s.rate() > 0 ? " --rate " + s.rate() : "").append(pacing(s));
            text.append(s.rounds().text());
        }
        return text.append(s.tuning().text())
                .append(putsSwitch(s.profile()) ? " --switch" : "")
                .append(s.ipv6() ? " --ipv6" : "")
                .append(" --seed ")
                .append(s.seed())
                .toString();
    }
}
