package dev.clockwire.bench.validate;

import dev.clockwire.bench.perftest.AtomicKind;
import dev.clockwire.bench.perftest.BufferKind;
import dev.clockwire.bench.perftest.PerftestSpec;
import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.bench.perftest.Rounds;
import dev.clockwire.bench.perftest.Tool;
import dev.clockwire.bench.perftest.Tuning;
import dev.clockwire.bench.perftest.Usual;
import dev.clockwire.bench.perftest.Verb;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.RateLimit;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** From a row's tool, size, depth and note to a run of perftest. */
final class RunRules {
    private static final Pattern TOOL = Pattern.compile("ib_(write|read|send|atomic)_(lat|bw)\\b.*");
    private static final Pattern QPS = Pattern.compile("\\bq([0-9]{1,4})\\b");
    private static final Pattern DEPTH = Pattern.compile("\\bd([0-9]{1,5})\\b");
    private static final Pattern OUTSTANDING = Pattern.compile("\\bout([0-9]{1,3})\\b");
    private static final Pattern INLINE = Pattern.compile("\\binline <?([0-9]{1,3})\\b");
    private static final Pattern CQ_MOD = Pattern.compile("\\bCQ mod ([0-9]{1,4})\\b");
    private static final Pattern POST_LIST = Pattern.compile("\\bpost-list([0-9]{1,4})\\b");

    private static final int ATOMIC_BYTES = 8;
    private static final int USUAL_RECEIVES = 512;
    private static final int UD_RECEIVES = 2048;
    private static final int MOST_PINGS = 40;
    private static final int FEWEST = 3;
    private static final long PING_BYTES = 1 << 20;
    private static final int MOST_MESSAGES = 5000;

    /** A stream that lasts this long: start and end then are a few parts in a thousand. */
    private static final double STREAM_US = 3000;

    private RunRules() {}

    static boolean isPerftest(Measurement m) {
        return TOOL.matcher(m.tool()).matches();
    }

    static Tool tool(Measurement m) {
        Matcher t = TOOL.matcher(m.tool());
        if (!t.matches()) {
            throw new IllegalArgumentException(m.tool());
        }
        return Tool.valueOf((t.group(1) + "_" + t.group(2)).toUpperCase(Locale.ROOT));
    }

    /** Returns the run of a row. */
    static PerftestSpec spec(Measurement m, Profile profile) {
        Tool tool = tool(m);
        QpType service = service(m);
        long size = tool.verb() == Verb.ATOMIC ? ATOMIC_BYTES : m.size();
        int qps = tool.isLatency() ? 1 : stated(QPS, m.depth(), 1);
        int reads = profile.integer("nic.qp.max_rd_atomic");
        long messages = messages(tool, size, qps, profile);
        int depth = tool.isLatency() ? 1 : (int) Math.min(messages, stated(DEPTH, m.depth(), Usual.DEPTH));
        int cqMod = stated(CQ_MOD, m.note(), Usual.cqMod(tool, size));
        return new PerftestSpec(
                tool,
                profile,
                Provider.HW,
                service,
                size,
                messages,
                0,
                false,
                qps,
                depth,
                service == QpType.UD ? UD_RECEIVES : USUAL_RECEIVES,
                Math.min(depth, stated(POST_LIST, m.tool(), 1)),
                Math.min(depth, cqMod),
                profile.integer("link.mtu"),
                inline(m, tool, service),
                Math.min(reads, stated(OUTSTANDING, m.depth(), reads)),
                AtomicKind.FETCH_AND_ADD,
                0,
                RateLimit.NONE,
                false,
                1,
                KernelMode.ACTIVITY,
                PayloadMode.SIZES,
                false,
                FaultPlan.NONE,
                false,
                BufferKind.POOLED,
                Rounds.SPREAD,
                Tuning.NONE);
    }

    private static int stated(Pattern pattern, String text, int otherwise) {
        int n = Words.number(pattern, text);
        return n <= 0 ? otherwise : n;
    }

    static QpType service(Measurement m) {
        return Words.any(m.tool(), "UD") ? QpType.UD : Words.any(m.tool(), "UC") ? QpType.UC : QpType.RC;
    }

    private static int inline(Measurement m, Tool tool, QpType service) {
        if (m.tool().contains("no inline")) {
            return 0;
        }
        int usual = Usual.inline(tool, service);
        return usual == 0 ? 0 : stated(INLINE, m.note(), usual);
    }

    /** As few messages of each queue pair as give the figure: times hardly vary, a stream has to outlast its start. */
    private static long messages(Tool tool, long size, int qps, Profile profile) {
        if (tool.isLatency()) {
            return Math.max(FEWEST, Math.min(MOST_PINGS, PING_BYTES / Math.max(1, size)));
        }
        double bytes = profile.number("link.gbps") * 1000 / 8 * STREAM_US / qps;
        long few = (long) Math.ceil(bytes / Math.max(1, size));
        return Math.max(FEWEST, Math.min(MOST_MESSAGES, few));
    }
}
