package dev.clockwire.pcie.link;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** Decides which packets arrive damaged at one end: the distance between two wrong bits is drawn, not each bit. */
final class BitErrors implements State {
    private static final int BITS = 8;

    private final double rate;
    private final RandomStream random;
    private final long[] tlps;
    private final long[] dllps;
    /** Good bits before the next wrong one. */
    private long good;

    private long tlpsSeen;
    private long dllpsSeen;

    /**
     * Creates the errors of what one end receives.
     *
     * @param upstream whether that end is the root port
     */
    BitErrors(DataLinkSpec spec, boolean upstream, RandomStream random) {
        rate = spec.bitErrorRate();
        this.random = random;
        tlps = numbers(spec, upstream, false);
        dllps = numbers(spec, upstream, true);
        draw();
    }

    private static long[] numbers(DataLinkSpec spec, boolean upstream, boolean dllp) {
        return spec.damages().stream()
                .filter(d -> d.upstream() == upstream && d.dllp() == dllp)
                .mapToLong(DataLinkSpec.Damage::number)
                .sorted()
                .toArray();
    }

    private void draw() {
        good = rate == 0
                ? Long.MAX_VALUE
                : (long) (StrictMath.log(1 - random.nextDouble()) / StrictMath.log1p(-rate)); // in 0.. some 10^17
    }

    /** Returns whether the next TLP, of so many bytes on the wire, arrives damaged. */
    boolean tlp(int bytes) {
        tlpsSeen++;
        boolean drawn = hit(bytes); // whatever a test has chosen, the bits have passed
        return drawn || Arrays.binarySearch(tlps, tlpsSeen) >= 0;
    }

    /** Returns whether the next DLLP arrives damaged. */
    boolean dllp() {
        dllpsSeen++;
        boolean drawn = hit(LinkRate.DLLP_BYTES);
        return drawn || Arrays.binarySearch(dllps, dllpsSeen) >= 0;
    }

    /** Returns how many packets have come, good ones and damaged ones. */
    long seen(boolean dllp) {
        return dllp ? dllpsSeen : tlpsSeen;
    }

    private boolean hit(int bytes) {
        long bits = (long) BITS * bytes;
        if (rate == 0 || good >= bits) {
            good -= rate == 0 ? 0 : bits;
            return false;
        }
        while (good < bits) {
            bits -= good + 1;
            draw();
        }
        good -= bits;
        return true;
    }

    @Override
    public void save(Snapshot out) {
        random.save(out);
        out.putLong(good);
        out.putLong(tlpsSeen);
        out.putLong(dllpsSeen);
    }

    @Override
    public void load(Snapshot in) {
        random.load(in);
        good = in.getLong();
        tlpsSeen = in.getLong();
        dllpsSeen = in.getLong();
    }
}
