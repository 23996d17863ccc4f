package dev.clockwire.sim.random;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.random.RandomGenerator;

/**
 * A random stream that depends on a seed, its own name and a counter only: adding a stream moves no other, and the counter is all its
 * state. The generator is SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
 */
public final class RandomStream implements RandomGenerator, State {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final long FNV_OFFSET = 0xCBF29CE484222325L;
    private static final long FNV_PRIME = 0x100000001B3L;

    private final long seed;
    private long counter;

    /** Creates a plain SplitMix64 with this state. */
    public RandomStream(long seed) {
        this.seed = seed;
    }

    /** Creates the stream of a name under a root seed. */
    public static RandomStream named(long rootSeed, String name) {
        return new RandomStream(mix(rootSeed + mix(hash(name))));
    }

    @Override
    public long nextLong() {
        return mix(seed + GOLDEN * ++counter);
    }

    /** Returns the value at a place of the stream, from 0, without drawing it: for what must not depend on how often somebody asks. */
    public long at(long index) {
        return mix(seed + GOLDEN * (index + 1));
    }

    /** Returns a value in [0, n), n at least 1. The bias is below n / 2^63. */
    public int below(int n) {
        return (int) Math.multiplyHigh(nextLong() >>> 1, (long) n << 1);
    }

    /** Returns true with probability p, 0 to 1. */
    public boolean chance(double p) {
        return (nextLong() >>> 11) * 0x1.0p-53 < p;
    }

    /** Returns how many values have been drawn. */
    public long counter() {
        return counter;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(counter);
    }

    @Override
    public void load(Snapshot in) {
        counter = in.getLong();
    }

    /** The finaliser of SplitMix64: a bijection in which every input bit moves every output bit. */
    public static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** FNV-1a over the characters of a name: the same on every machine. */
    public static long hash(String name) {
        long h = FNV_OFFSET;
        for (int i = 0; i < name.length(); i++) {
            h = (h ^ name.charAt(i)) * FNV_PRIME;
        }
        return h;
    }
}
