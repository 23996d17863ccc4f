package dev.clockwire.roce.fabric.bridge;

/**
 * When a queue marks. Below {@code kmin} never, above {@code kmax} always, between with a probability that grows to {@code pmax}.
 *
 * @param kmin bytes of the queue up to which nothing is marked
 * @param kmax bytes above which everything is, at least kmin
 * @param pmax chance of a mark just below {@code kmax}, 0 to 1
 * @param averageLog2 W: the queue is averaged with weight 2^-W at each frame; 0 = its length now
 * @param atEnqueue marks when a frame comes in, not when it leaves
 */
public record MarkSpec(long kmin, long kmax, double pmax, int averageLog2, boolean atEnqueue) {
    /** Marks nothing. */
    public static final MarkSpec NONE = new MarkSpec(Long.MAX_VALUE >> 1, Long.MAX_VALUE >> 1, 0, 0, false);

    private static final int MAX_AVERAGE = 15;

    /** Checks the ranges. */
    public MarkSpec {
        Ranges.range("Kmin in bytes", kmin, 0, Long.MAX_VALUE >> 1);
        Ranges.range("Kmax in bytes", kmax, kmin, Long.MAX_VALUE >> 1);
        Ranges.range("weight of the averaged queue", averageLog2, 0, MAX_AVERAGE);
        if (!(pmax >= 0 && pmax <= 1)) {
            throw new dev.clockwire.sim.error.ConfigurationException("Pmax " + pmax + " is not in 0..1");
        }
    }

    /** Returns marks on leaving, by the length of the queue then. */
    public static MarkSpec of(long kmin, long kmax, double pmax) {
        return new MarkSpec(kmin, kmax, pmax, 0, false);
    }

    /** Whether it can mark at all. */
    public boolean marks() {
        return kmin < NONE.kmin;
    }
}
