package dev.clockwire.roce.congestion;

/**
 * The reaction point of the DCQCN paper. Times are in cycles of whatever clock the caller counts.
 *
 * @param lineRate bit/s, the rate at the start and the most there is; 1 Mbit/s to 8 Tbit/s
 * @param floorRate bit/s below which no cut goes
 * @param gainShift g is 2^-gainShift, 1 to 16; the paper has 8
 * @param alphaCycles K: cycles without a notification after which alpha decays, 1 or more
 * @param timerCycles T: cycles between increases by time, 1 or more
 * @param byteCounter B: bytes between increases by volume, 1 or more; 2^62 switches them off
 * @param fastRecovery F: increases until fast recovery ends, 1 to 255
 * @param additive R_AI in bit/s
 * @param hyper R_HAI in bit/s
 */
public record DcqcnSpec(
        long lineRate,
        long floorRate,
        int gainShift,
        long alphaCycles,
        long timerCycles,
        long byteCounter,
        int fastRecovery,
        long additive,
        long hyper) {
    private static final long MAX_RATE = 8_000_000_000_000L;
    private static final int MAX_GAIN_SHIFT = 16;
    private static final int MAX_FAST_RECOVERY = 255;
    private static final long MAX_CYCLES = 1L << 56;

    /** Checks the ranges. */
    public DcqcnSpec {
        TokenBucketSpec.range("DCQCN line rate", lineRate, 1_000_000, MAX_RATE);
        TokenBucketSpec.range("DCQCN lowest rate", floorRate, 1, lineRate);
        TokenBucketSpec.range("DCQCN gain shift", gainShift, 1, MAX_GAIN_SHIFT);
        TokenBucketSpec.range("DCQCN alpha timer", alphaCycles, 1, MAX_CYCLES);
        TokenBucketSpec.range("DCQCN rate timer", timerCycles, 1, MAX_CYCLES);
        TokenBucketSpec.range("DCQCN byte counter", byteCounter, 1, 1L << 62);
        TokenBucketSpec.range("DCQCN fast recovery", fastRecovery, 1, MAX_FAST_RECOVERY);
        TokenBucketSpec.range("DCQCN additive increase", additive, 0, lineRate);
        TokenBucketSpec.range("DCQCN hyper increase", hyper, 0, lineRate);
    }

    /** Returns the paper's values: g 1/256, K = T = 55 us, B 10 MB, F 5, 40 Mbit/s, hyper as given; floor 100 Mbit/s. */
    public static DcqcnSpec paper(long lineRate, long hyper, long clockHz) {
        long timer = 55 * clockHz / 1_000_000;
        return new DcqcnSpec(lineRate, 100_000_000, 8, timer, timer, 10_000_000, 5, 40_000_000, hyper);
    }

    /** Returns the rules of a machine whose time is counted in the same cycles. */
    RateRules rules() {
        return new RateRules(
                lineRate,
                floorRate,
                1L << (RateRules.ALPHA_BITS - gainShift),
                RateRules.AlphaClock.SINCE_NOTIFICATION,
                alphaCycles,
                RateRules.CutTrigger.EACH,
                RateRules.CutOrder.CUT_FIRST,
                1,
                1,
                timerCycles,
                byteCounter,
                fastRecovery,
                true,
                additive,
                hyper,
                RateRules.HyperRule.BOTH_STAGES,
                RateRules.Clamp.ALWAYS,
                false,
                0);
    }

    /** Returns the same with another byte counter. */
    public DcqcnSpec withByteCounter(long bytes) {
        return new DcqcnSpec(
                lineRate, floorRate, gainShift, alphaCycles, timerCycles, bytes, fastRecovery, additive, hyper);
    }
}
