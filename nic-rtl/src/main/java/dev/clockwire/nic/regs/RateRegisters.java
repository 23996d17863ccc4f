package dev.clockwire.nic.regs;

import dev.clockwire.roce.congestion.TokenBucketSpec;
import dev.clockwire.sim.reg.RegisterArray;
import dev.clockwire.sim.reg.RegisterBank;
import java.util.function.IntConsumer;

/**
 * The token bucket of each queue pair as software sets it. Rates are bytes for each core clock with 16 fractional bits; the bucket
 * writes back when it last refilled.
 */
public final class RateRegisters {
    private static final int STRIDE = 0x10;
    private static final int BURST = 65_536;
    private static final long MASK = 0xFFFF_FFFFL;

    private final RegisterArray rates;
    private final RegisterArray bursts;
    private final RegisterArray stamps;

    RateRegisters(RegisterBank bank, int offset, int count) {
        rates = bank.array32(offset, STRIDE, count, "TB_RATE_REG", "Rate of a queue pair");
        rates.element().rw("rate", 0, 32, 0, "Bytes for each core clock, 16 fractional bits; 0: no limit");
        bursts = bank.array32(offset + 4, STRIDE, count, "TB_BURST_REG", "Depth of a queue pair's bucket");
        bursts.element().rw("burst", 0, 32, BURST, "Bytes");
        stamps = bank.array32(offset + 8, STRIDE, count, "TB_TS_REG", "Last refill of a queue pair's bucket");
        stamps.element().ro("clock", 0, 32, 0, "Core clocks modulo 2^32");
    }

    /** Returns how many buckets there are. */
    public int count() {
        return rates.count();
    }

    /** Calls back with the number of a bucket whose rate or depth software has written. */
    public void onWrite(IntConsumer written) {
        rates.onWrite((bucket, value) -> written.accept(bucket));
        bursts.onWrite((bucket, value) -> written.accept(bucket));
    }

    /** Returns what a bucket is told. A depth of 0 is one byte: a packet larger than the bucket waits until that is full. */
    public TokenBucketSpec bucket(int number) {
        long depth = Math.max(1, bursts.get(number) & MASK);
        return new TokenBucketSpec(rates.get(number) & MASK, TokenBucketSpec.REGISTER_BITS, depth);
    }

    /** Shows what a bucket was told by a command; numbers without a register are not shown. */
    public void show(int number, TokenBucketSpec spec) {
        if (number < count() && !bucket(number).equals(spec)) {
            rates.set(number, Math.min(spec.perCycle(), MASK));
            bursts.set(number, spec.burstBytes());
        }
    }

    /** Returns the rate in bytes for each core clock, with 16 fractional bits; 0: no limit. */
    public int rate(int bucket) {
        return (int) rates.get(bucket);
    }

    /** Returns the depth in bytes. */
    public int burst(int bucket) {
        return (int) bursts.get(bucket);
    }

    /** Notes when a bucket refilled last, in core clocks. */
    public void refilled(int bucket, long clock) {
        stamps.set(bucket, clock & 0xFFFF_FFFFL);
    }
}
