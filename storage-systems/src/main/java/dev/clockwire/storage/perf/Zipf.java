package dev.clockwire.storage.perf;

import dev.clockwire.sim.random.RandomStream;

/**
 * Places of a namespace: all alike, or by a Zipf distribution, the first places the most. Drawn as Gray, Sundaresan, Englert, Baclawski and
 * Weinberger do ("Quickly generating billion-record synthetic databases", SIGMOD 1994), with the harmonic sum in closed form beyond its
 * first terms.
 */
final class Zipf {
    private static final int EXACT = 10_000;

    private final long places;
    private final double theta;
    private final double zeta;
    private final double alpha;
    private final double eta;
    private final double second;

    /**
     * Creates a distribution.
     *
     * @param theta 0 = all alike, otherwise the exponent, below 1 or above
     */
    Zipf(long places, double theta) {
        this.places = places;
        this.theta = theta;
        if (theta == 0 || places < 3) {
            zeta = 0;
            alpha = 0;
            eta = 0;
            second = 0;
            return;
        }
        zeta = zeta(places, theta);
        alpha = 1 / (1 - theta);
        second = StrictMath.pow(0.5, theta);
        eta = (1 - StrictMath.pow(2.0 / places, 1 - theta)) / (1 - (1 + second) / zeta);
    }

    /** Sum of i^-theta; the tail by the Euler-Maclaurin formula, whose next term is below 1e-13 here. */
    private static double zeta(long n, double theta) {
        long exact = Math.min(n, EXACT);
        double sum = 0;
        for (long i = 1; i <= exact; i++) {
            sum += StrictMath.pow((double) i, -theta);
        }
        if (n > exact) {
            double a = exact;
            double integral = (StrictMath.pow((double) n, 1 - theta) - StrictMath.pow(a, 1 - theta)) / (1 - theta);
            sum += integral + (StrictMath.pow((double) n, -theta) - StrictMath.pow(a, -theta)) / 2;
        }
        return sum;
    }

    /** Returns a place, 0 to one less than there are. */
    long draw(RandomStream random) {
        if (zeta == 0) {
            return places <= Integer.MAX_VALUE ? random.below((int) places) : random.nextLong(places);
        }
        double u = random.nextDouble();
        double uz = u * zeta;
        if (uz < 1) {
            return 0;
        }
        if (uz < 1 + second) {
            return 1;
        }
        return Math.min(places - 1, (long) (places * StrictMath.pow(eta * u - eta + 1, alpha)));
    }

    double theta() {
        return theta;
    }
}
