package dev.clockwire.bench.perftest;

/**
 * How queue pairs post in open loop: in rounds of one post of each, spread evenly over the round, but in some rounds all at its beginning.
 *
 * @param together share of the rounds that begin with all posts, 0 to 1
 * @param stallPs those rounds are the ones in which the sender's memory stalls, whose period this is; 0: they are drawn
 */
public record Rounds(double together, long stallPs) {
    /** All rounds are spread. */
    public static final Rounds SPREAD = new Rounds(0, 0);

    /** Returns whether some rounds may be together. */
    boolean isAny() {
        return together > 0 || stallPs > 0;
    }

    /** Returns the option that says so, with a blank in front, empty if nothing is to say. */
    String text() {
        if (stallPs > 0) {
            return " --together stalls";
        }
        return together > 0 ? " --together " + together : "";
    }
}
