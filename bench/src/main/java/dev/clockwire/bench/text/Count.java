package dev.clockwire.bench.text;

/** So many of something, in words. */
public final class Count {
    private Count() {}

    /**
     * Returns a number and what is counted, {@code 1 line} or {@code 2 lines}.
     *
     * @param thing one of them
     */
    public static String of(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }
}
