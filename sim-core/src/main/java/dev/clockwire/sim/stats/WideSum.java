package dev.clockwire.sim.stats;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.math.BigInteger;

/** An exact sum of products of two longs, 192 bits wide, in two's complement: no order of addition changes it. */
final class WideSum implements State {
    private long low;
    private long middle;
    private long high;

    /** Adds a times b. */
    void addProduct(long a, long b) {
        long upper = Math.multiplyHigh(a, b);
        add(upper >> 63, upper, a * b);
    }

    /** Adds the square of a value {@code times} times; neither is negative. */
    void addSquares(long value, long times) {
        long upper = Math.multiplyHigh(value, value);
        long lower = value * value; // unsigned
        long carried = Math.multiplyHigh(lower, times) + (lower >> 63 & times);
        long middleProduct = upper * times;
        long m = middleProduct + carried;
        long overflow = Long.compareUnsigned(m, carried) < 0 ? 1 : 0;
        add(Math.multiplyHigh(upper, times) + overflow, m, lower * times);
    }

    void add(WideSum other) {
        add(other.high, other.middle, other.low);
    }

    void clear() {
        low = 0;
        middle = 0;
        high = 0;
    }

    BigInteger value() {
        return BigInteger.valueOf(high)
                .shiftLeft(64)
                .add(unsigned(middle))
                .shiftLeft(64)
                .add(unsigned(low));
    }

    private void add(long h, long m, long l) {
        low += l;
        long carry = Long.compareUnsigned(low, l) < 0 ? 1 : 0;
        middle += m;
        long up = Long.compareUnsigned(middle, m) < 0 ? 1 : 0;
        middle += carry;
        up += carry != 0 && middle == 0 ? 1 : 0;
        high += h + up;
    }

    private static BigInteger unsigned(long x) {
        BigInteger b = BigInteger.valueOf(x);
        return x < 0 ? b.add(BigInteger.ONE.shiftLeft(64)) : b;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(low);
        out.putLong(middle);
        out.putLong(high);
    }

    @Override
    public void load(Snapshot in) {
        low = in.getLong();
        middle = in.getLong();
        high = in.getLong();
    }
}
