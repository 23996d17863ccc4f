package dev.clockwire.bench.cli;

import dev.clockwire.bench.perftest.BufferKind;
import dev.clockwire.bench.perftest.PerftestSpec;
import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.bench.perftest.Rounds;
import dev.clockwire.bench.perftest.Tool;
import dev.clockwire.bench.perftest.Usual;
import dev.clockwire.bench.perftest.Verb;
import dev.clockwire.bench.text.Decimal;
import dev.clockwire.nic.device.NicDevice;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.RateLimit;
import dev.clockwire.sim.error.Plain;
import dev.clockwire.sim.fault.FaultPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fills in the defaults of the real perftest and refuses what it or the simulation cannot do. */
final class PerftestResolver {
    /** Largest message a queue pair sends: 1 GiB, what the real devices report. */
    static final long LARGEST_MESSAGE = 1L << 30;

    /** Sizes of {@code -a}: powers of two up to 8 MiB. */
    static final int ALL_POWERS = 23;

    private static final long ATOMIC_BYTES = 8;
    private static final long LONGEST_SECONDS = 3600;
    private static final long LARGEST_COUNT = 1_000_000_000L;
    private static final int LARGEST_DEPTH = 32_768;
    private static final int LARGEST_QPS = NicDevice.uarPages();
    private static final int LARGEST_CQ = (1 << 22) - 1;
    private static final int LARGEST_INLINE = 828;
    private static final double SLOWEST_RATE = 100;
    private static final double FASTEST_RATE = 1e10;
    private static final double KBPS_PER_GBPS = 1e6;
    private static final double KBPS_PER_MIB = 8 * 1048.576;
    private static final double MAX_KBPS = 8e9;
    private static final double PS_PER_SECOND = 1e12;
    private static final double NS_PER_SECOND = 1e9;
    private static final long MAX_BURST = 0xFFFF_FFFFL;
    private static final List<Integer> MTUS = List.of(256, 512, 1024, 2048, 4096);

    private final Tool tool;
    private final PerftestOptions o;
    private final String name;

    PerftestResolver(Tool tool, PerftestOptions options) {
        this(tool, options, EnumConverter.name(tool));
    }

    /** Creates a resolver whose errors call the tool by a name of the caller's. */
    PerftestResolver(Tool tool, PerftestOptions options, String name) {
        this.tool = tool;
        this.o = options;
        this.name = name;
    }

    /** Resolves a run of one size. */
    PerftestSpec resolve(RunOptions run, @Nullable Long sizeOfRow) {
        checkService();
        int mtu = o.mtu == null ? 0 : mtu();
        Profile profile = ProfileChoice.of(run);
        if (mtu != 0) {
            profile = profile.with("link.mtu", Integer.toString(mtu), "-m", 'C');
        }
        if (o.throughSwitch && profile.text("link.switch").equals("none")) {
            profile = profile.with("link.switch", "store-and-forward", "--switch", 'C');
        }
        mtu = profile.integer("link.mtu");
        long typed = size(mtu);
        long size = sizeOfRow == null ? typed : sizeOfRow;
        long duration = duration();
        long iterations = duration > 0 ? 0 : iterations();
        int qps = qps();
        int txDepth = txDepth(iterations);
        int cqMod = Math.min(txDepth, cqMod(size));
        checkTogether(qps, "-t", txDepth);
        int rxDepth = count("-r", o.rxDepth, 512, LARGEST_DEPTH);
        if (tool.verb() == Verb.SEND) {
            checkTogether(qps, "-r", rxDepth);
        }
        int reads = profile.integer("nic.qp.max_rd_atomic");
        return new PerftestSpec(
                tool,
                profile,
                o.provider,
                o.connection,
                size,
                iterations,
                duration,
                o.exact,
                qps,
                txDepth,
                rxDepth,
                Math.min(txDepth, count("-l", o.postList, 1, LARGEST_DEPTH)),
                cqMod,
                mtu,
                inline(),
                count("-o", o.outstanding, reads, reads),
                o.atomic,
                rate(),
                pacing(size),
                o.ipv6,
                run.seed(),
                o.kernel,
                o.payload,
                o.hash == PerftestOptions.HashScope.FULL,
                FaultPlan.NONE,
                o.events,
                buffers(),
                rounds(profile, qps),
                TuningOptions.of(o, profile));
    }

    private BufferKind buffers() {
        if (o.registerEach && !(tool.isLatency() && tool.verb().isRoundTrip())) {
            throw CliException.usage("--register-each: read-lat and atomic-lat only");
        }
        return o.registerEach ? BufferKind.EACH : o.deviceMemory ? BufferKind.DEVICE : BufferKind.POOLED;
    }

    /** Returns the largest power of two that {@code -a} measures: a datagram is not larger than the path MTU. */
    static int powers(PerftestSpec spec) {
        return spec.connection() == QpType.UD ? 31 - Integer.numberOfLeadingZeros(spec.mtu()) : ALL_POWERS;
    }

    private void checkService() {
        if (tool.verb().isRoundTrip() && o.connection != QpType.RC) {
            throw CliException.usage("-c " + o.connection + ": " + name + " needs RC");
        }
        if (tool.verb() == Verb.WRITE && o.connection == QpType.UD) {
            throw CliException.usage("-c UD: " + name + " needs RC or UC");
        }
        if (tool.verb() == Verb.ATOMIC && o.all) {
            throw CliException.usage("-a: atomics have one size, 8 bytes");
        }
    }

    /** The pacing of {@code --rate_limit}. */
    private RateLimit pacing(long size) {
        if (o.rateLimit == null) {
            if (o.burstSize != null) {
                throw CliException.usage("--burst_size goes with --rate_limit");
            }
            return RateLimit.NONE;
        }
        if (tool.isLatency() || o.provider == Provider.SOFT) {
            throw CliException.usage("--rate_limit: " + (tool.isLatency() ? "bw tools only" : "--provider hw only"));
        }
        if (tool.verb().isRoundTrip()) {
            throw CliException.usage("--rate_limit: the device paces what it sends, the data of READs and atomics come"
                    + " from the peer; --rate MSGS_PER_S posts no faster");
        }
        double unit = switch (o.rateUnits) {
            case "g" -> KBPS_PER_GBPS;
            case "M" -> KBPS_PER_MIB;
            default -> throw CliException.usage("--rate_units " + o.rateUnits + ": the units are g and M");
        };
        double kbps = o.rateLimit * unit;
        if (!(kbps >= 1 && kbps <= MAX_KBPS)) {
            throw CliException.usage(
                    "--rate_limit " + Plain.text(o.rateLimit) + " is not in 0.000001.." + Plain.text(MAX_KBPS / unit));
        }
        long messages = o.burstSize == null ? 0 : o.burstSize;
        if (o.burstSize != null && (messages < 1 || messages > MAX_BURST / size)) {
            throw CliException.usage("--burst_size " + messages + " is not in 1.." + MAX_BURST / size);
        }
        return new RateLimit(Math.round(kbps), messages * size);
    }

    private int mtu() {
        int mtu = o.mtu == null ? 0 : o.mtu;
        if (!MTUS.contains(mtu)) {
            throw CliException.usage("-m " + mtu + ": a path MTU is 256, 512, 1024, 2048 or 4096 bytes");
        }
        return mtu;
    }

    private long size(int mtu) {
        ByteSize typed = o.size;
        if (tool.verb() == Verb.ATOMIC) {
            if (typed != null && typed.bytes() != ATOMIC_BYTES) {
                throw CliException.usage("-s " + typed.typed() + ": atomics have one size, 8 bytes");
            }
            return ATOMIC_BYTES;
        }
        ByteSize size = typed == null ? ByteSize.of(tool.isLatency() ? 2 : 65_536) : typed;
        if (o.connection == QpType.UD) {
            return typed == null ? Math.min(size.bytes(), mtu) : typed.in("-s", 0, mtu, "bytes, a datagram");
        }
        long least = tool == Tool.WRITE_LAT ? 1 : 0; // it waits for the last byte to change
        return size.in("-s", least, LARGEST_MESSAGE, "bytes");
    }

    private long iterations() {
        long usual = tool == Tool.WRITE_BW ? 5000 : 1000;
        return o.iterations == null ? usual : Range.check("-n", o.iterations, 1, LARGEST_COUNT, "");
    }

    private long duration() {
        if (o.seconds == null) {
            if (o.exact) {
                throw CliException.usage("--exact needs a duration -D");
            }
            return 0;
        }
        if (o.iterations != null) {
            throw CliException.usage("-n and -D exclude each other");
        }
        double seconds = o.seconds;
        if (!(seconds >= 1e-6 && seconds <= LONGEST_SECONDS)) {
            throw CliException.usage(
                    "-D " + Plain.text(seconds) + " is outside its range 0.000001 to " + LONGEST_SECONDS + " s");
        }
        return Math.round(seconds * 1e12);
    }

    private int qps() {
        if (tool.isLatency() && o.qps != null && o.qps != 1) {
            throw CliException.usage("-q " + o.qps + ": " + name + " measures one queue pair");
        }
        String rule = "queue pairs: each has a UAR page of 4096 bytes in BAR2";
        return o.qps == null ? 1 : (int) Range.check("-q", o.qps, 1, LARGEST_QPS, rule);
    }

    private int txDepth(long iterations) {
        if (tool.isLatency() && o.txDepth != null) {
            Range.check("-t", o.txDepth, 1, LARGEST_DEPTH, "");
        }
        int depth = tool.isLatency() ? 1 : count("-t", o.txDepth, Usual.DEPTH, LARGEST_DEPTH);
        return iterations == 0 ? depth : (int) Math.min(depth, iterations);
    }

    private int cqMod(long size) {
        int every = count("--cq-mod", o.cqMod, Usual.cqMod(tool, size), LARGEST_DEPTH);
        return tool.isLatency() ? 1 : every;
    }

    /** All queue pairs share one completion queue, which has room for everything in flight. */
    private static void checkTogether(int qps, String option, int depth) {
        if ((long) qps * depth > LARGEST_CQ) {
            throw CliException.usage("-q " + qps + " " + option + " " + depth + ": " + (long) qps * depth
                    + " messages in flight, their completion queue has room for " + LARGEST_CQ);
        }
    }

    private int inline() {
        int usual = Usual.inline(tool, o.connection);
        return o.inline == null ? usual : (int) Range.check("-I", o.inline, 0, LARGEST_INLINE, "bytes");
    }

    private Rounds rounds(Profile profile, int qps) {
        String together = o.together;
        if (together == null) {
            return Rounds.SPREAD;
        }
        if (o.rate == null || (o.postList != null && o.postList > 1)) {
            throw CliException.usage("--together needs --rate, and no list of posts (-l)");
        }
        if (together.equals("stalls")) {
            return new Rounds(0, stallPs(profile, qps / o.rate));
        }
        double share = share(together);
        if (!(share >= 0 && share <= 1)) {
            throw CliException.usage("--together " + together + " is outside its range 0 to 1, and not 'stalls'");
        }
        return new Rounds(share, 0);
    }

    private static double share(String text) {
        try {
            return Decimal.of(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** A round is as long as a period of stalls, or the two would drift apart. */
    private static long stallPs(Profile profile, double roundSeconds) {
        long period = profile.picoseconds("host.stall.period_ns");
        if (Math.abs(roundSeconds * PS_PER_SECOND - period) > 1) {
            throw CliException.usage(
                    "--together stalls: one post of each queue pair takes " + roundSeconds * NS_PER_SECOND
                            + " ns at --rate, host.stall.period_ns is " + profile.number("host.stall.period_ns"));
        }
        return period;
    }

    private double rate() {
        if (o.rate == null) {
            return 0;
        }
        if (tool.isLatency()) {
            throw CliException.usage("--rate: " + name + " sends when the peer has answered; the bw tools take a rate");
        }
        double rate = o.rate;
        if (!(rate >= SLOWEST_RATE && rate <= FASTEST_RATE)) {
            throw CliException.usage(
                    "--rate " + Plain.text(rate) + " is outside its range 100 to 10000000000 messages/s");
        }
        return rate;
    }

    private static int count(String option, @Nullable Integer value, int usual, int max) {
        return value == null ? usual : (int) Range.check(option, value, 1, max, "");
    }
}
