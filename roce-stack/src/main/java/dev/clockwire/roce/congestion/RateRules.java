package dev.clockwire.roce.congestion;

/**
 * How a reaction point works: every point in which implementations of DCQCN differ has a name here. Times are in ps, or in cycles where the
 * machine counts these; rates in bit/s.
 *
 * @param lineRate the rate at the start and the most there is; 1 Mbit/s to 8 Tbit/s
 * @param floorRate no cut goes below it
 * @param gain g with 48 binary places, 1 to 2^48: what a notification adds to alpha and what alpha loses without one
 * @param alphaClock when alpha falls
 * @param alphaPs K: period of the alpha clock
 * @param cutTrigger which notifications cut
 * @param cutOrder whether the cut sees alpha before or after the notification raised it; only where each notification cuts
 * @param monitorPs period of the check that may cut, with {@link CutTrigger#MONITOR}
 * @param leastLeft what a cut leaves at least, in per cent of the rate, 1 to 100
 * @param timerPs T: time between increases
 * @param byteCounter B: bytes between increases; 2^62 switches them off
 * @param recoveries F: see {@link #countBefore}
 * @param countBefore a stage is counted before it is compared with F (F - 1 fast recoveries), or after (F of them)
 * @param additive R_AI
 * @param hyper R_HAI
 * @param hyperRule how far hyper increase goes
 * @param clamp which cuts lower the rate to recover to
 * @param targetDivided a target above ten times the rate is divided by 8 in the first increase (left over from QCN)
 * @param firstRate rate after the first notification, 0 = not forced
 */
public record RateRules(
        long lineRate,
        long floorRate,
        long gain,
        AlphaClock alphaClock,
        long alphaPs,
        CutTrigger cutTrigger,
        CutOrder cutOrder,
        long monitorPs,
        int leastLeft,
        long timerPs,
        long byteCounter,
        int recoveries,
        boolean countBefore,
        long additive,
        long hyper,
        HyperRule hyperRule,
        Clamp clamp,
        boolean targetDivided,
        long firstRate) {
    /** Binary places of alpha and of its gain. */
    public static final int ALPHA_BITS = 48;

    /** The byte counter of a reaction point that has none. */
    public static final long NO_BYTE_COUNTER = 1L << 62;

    private static final long US = 1_000_000;
    private static final long MBPS = 1_000_000;
    private static final long MAX_RATE = 8_000_000_000_000L;
    private static final long MAX_PS = 1L << 56;
    private static final int MAX_STAGES = 255;

    /** When alpha falls. */
    public enum AlphaClock {
        /** A period after the last notification, and each period from then on; a notification raises alpha at once. */
        SINCE_NOTIFICATION,
        /** Each period; what a notification raised shows at the next. */
        FREE_RUNNING
    }

    /** Which notifications cut. */
    public enum CutTrigger {
        /** Every one, when it comes. */
        EACH,
        /** A check each period cuts once if any came since the last cut. */
        MONITOR
    }

    /** The order within a cut. */
    public enum CutOrder {
        /** The rate is cut by the alpha of before. */
        CUT_FIRST,
        /** Alpha rises first. */
        ALPHA_FIRST
    }

    /** How far hyper increase goes; i counts the stages beyond F. */
    public enum HyperRule {
        /** i x R_HAI, i the smaller of both stages beyond F. */
        BOTH_STAGES,
        /** (i + 1) x R_HAI, i as before; time and bytes to the next increase are halved. */
        BOTH_STAGES_HALVED,
        /** R_HAI, as soon as the larger of both stages is beyond F. */
        FLAT
    }

    /** Which cuts lower the rate to recover to. */
    public enum Clamp {
        /** All. */
        ALWAYS,
        /** Those after an increase by time. */
        AFTER_INCREASE
    }

    /** Checks the ranges. */
    public RateRules {
        TokenBucketSpec.range("DCQCN line rate in bit/s", lineRate, MBPS, MAX_RATE);
        TokenBucketSpec.range("DCQCN lowest rate in bit/s", floorRate, 1, lineRate);
        TokenBucketSpec.range("DCQCN gain x 2^48", gain, 1, 1L << ALPHA_BITS);
        TokenBucketSpec.range("DCQCN alpha period in ps", alphaPs, 1, MAX_PS);
        TokenBucketSpec.range("DCQCN monitor period in ps", monitorPs, 1, MAX_PS);
        TokenBucketSpec.range("DCQCN rest of a cut in per cent", leastLeft, 1, 100);
        TokenBucketSpec.range("DCQCN rate timer in ps", timerPs, 1, MAX_PS);
        TokenBucketSpec.range("DCQCN byte counter", byteCounter, 1, NO_BYTE_COUNTER);
        TokenBucketSpec.range("DCQCN fast recovery stages", recoveries, 0, MAX_STAGES);
        TokenBucketSpec.range("DCQCN additive increase in bit/s", additive, 0, lineRate);
        TokenBucketSpec.range("DCQCN hyper increase in bit/s", hyper, 0, lineRate);
        TokenBucketSpec.range("DCQCN first rate in bit/s", firstRate, 0, lineRate);
    }

    /** Returns g for a whole divisor: 256 in the paper. */
    public static long gainOf(double g) {
        return Math.max(1, Math.round(g * (1L << ALPHA_BITS)));
    }

    /** Returns the rules and values of the paper (SIGCOMM 2015, 40 Gbit/s testbed); a floor of 100 Mbit/s, R_HAI of ten R_AI. */
    public static RateRules paper(long lineRate) {
        return new RateRules(
                lineRate,
                Math.min(lineRate, 100 * MBPS),
                gainOf(1.0 / 256),
                AlphaClock.SINCE_NOTIFICATION,
                55 * US,
                CutTrigger.EACH,
                CutOrder.CUT_FIRST,
                4 * US,
                1,
                55 * US,
                10_000_000,
                5,
                true,
                Math.min(lineRate, 40 * MBPS),
                Math.min(lineRate, 400 * MBPS),
                HyperRule.BOTH_STAGES,
                Clamp.ALWAYS,
                false,
                0);
    }

    /** Returns the rules of NVIDIA NICs with the values of their mlxconfig; alpha without the rounding of their registers. */
    public static RateRules nvidia(long lineRate) {
        return new RateRules(
                lineRate,
                MBPS,
                gainOf(5.0 / 1024),
                AlphaClock.FREE_RUNNING,
                US,
                CutTrigger.MONITOR,
                CutOrder.CUT_FIRST,
                4 * US,
                50,
                300 * US,
                NO_BYTE_COUNTER,
                1,
                false,
                Math.min(lineRate, 5 * MBPS),
                Math.min(lineRate, 50 * MBPS),
                HyperRule.FLAT,
                Clamp.AFTER_INCREASE,
                false,
                0);
    }

    /** Returns the rules and values of the "Mlx" congestion control in the ns-3 model published with HPCC, at its recommended values. */
    public static RateRules hpcc(long lineRate) {
        return new RateRules(
                lineRate,
                Math.min(lineRate, 1000 * MBPS),
                gainOf(1.0 / 256),
                AlphaClock.FREE_RUNNING,
                US,
                CutTrigger.MONITOR,
                CutOrder.CUT_FIRST,
                4 * US,
                1,
                300 * US,
                NO_BYTE_COUNTER,
                1,
                false,
                Math.min(lineRate, 20 * MBPS),
                Math.min(lineRate, 200 * MBPS),
                HyperRule.FLAT,
                Clamp.AFTER_INCREASE,
                false,
                0);
    }
}
