package dev.clockwire.roce.congestion;

/**
 * The reaction point of a NIC, with the vendor's parameter names. Source of names, units and defaults: mlxconfig dumps of eight cards
 * and the vendor's page of DCQCN parameters.
 *
 * @param lineRate Mbit/s, 1 to 2^23 - 1 (also rpg_max_rate 0)
 * @param dceTcpG retention of alpha in 1/1024, 0 to 1024
 * @param initialAlpha initial_alpha_value in 1/1024, 0 to 1023
 * @param rpgGd a cut takes rate x alpha / 2^rpg_gd, 10 to 15; 11 is half of alpha
 * @param rpgMinDecFac per cent a cut leaves at least, 1 to 100
 * @param rpgMinRate Mbit/s below which no cut goes
 * @param rateReduceMonitorPeriod us, at most one cut in each
 * @param rpgTimeReset us between increases
 * @param rpgThreshold increases until fast recovery ends, 0 to 31
 * @param rpgAiRate Mbit/s
 * @param rpgHaiRate Mbit/s
 * @param clampTgtRate every cut lowers the rate to recover to
 * @param clampTgtRateAfterTimeInc a cut lowers it only if an increase by time came since the last cut
 */
public record VendorDcqcnSpec(
        int lineRate,
        int dceTcpG,
        int initialAlpha,
        int rpgGd,
        int rpgMinDecFac,
        int rpgMinRate,
        int rateReduceMonitorPeriod,
        int rpgTimeReset,
        int rpgThreshold,
        int rpgAiRate,
        int rpgHaiRate,
        boolean clampTgtRate,
        boolean clampTgtRateAfterTimeInc) {
    static final int ONE = 1024;
    private static final int MAX_RATE = (1 << 23) - 1;
    private static final int MAX_US = 1 << 20;

    /** Checks the ranges. */
    public VendorDcqcnSpec {
        TokenBucketSpec.range("line rate in Mbit/s", lineRate, 1, MAX_RATE);
        TokenBucketSpec.range("dce_tcp_g", dceTcpG, 0, ONE);
        TokenBucketSpec.range("initial_alpha_value", initialAlpha, 0, ONE - 1);
        TokenBucketSpec.range("rpg_gd", rpgGd, 10, 15);
        TokenBucketSpec.range("rpg_min_dec_fac", rpgMinDecFac, 1, 100);
        TokenBucketSpec.range("rpg_min_rate", rpgMinRate, 1, lineRate);
        TokenBucketSpec.range("rate_reduce_monitor_period", rateReduceMonitorPeriod, 1, MAX_US);
        TokenBucketSpec.range("rpg_time_reset", rpgTimeReset, 1, MAX_US);
        TokenBucketSpec.range("rpg_threshold", rpgThreshold, 0, 31);
        TokenBucketSpec.range("rpg_ai_rate", rpgAiRate, 0, MAX_RATE);
        TokenBucketSpec.range("rpg_hai_rate", rpgHaiRate, 0, MAX_RATE);
    }

    /** Returns the values cards have when nobody changed them. */
    public static VendorDcqcnSpec defaults(int lineRate) {
        return new VendorDcqcnSpec(lineRate, 1019, 1023, 11, 50, 1, 4, 300, 1, 5, 50, false, true);
    }
}
