package dev.clockwire.bench.rpc;

/**
 * How much of a stranger's JSON is kept.
 *
 * @param bytes of one value
 * @param values names and values in one value
 * @param depth of objects and arrays in each other
 * @param numberDigits characters of a number
 * @param comments whether comments as in C may stand there
 */
record JsonLimits(int bytes, int values, int depth, int numberDigits, boolean comments) {
    /** Of a request: far more than any method takes, and no burden. */
    static final JsonLimits REQUEST = new JsonLimits(1 << 20, 1 << 16, 32, 128, false);

    /** Of a configuration file, in which SPDK allows comments. */
    static final JsonLimits FILE = new JsonLimits(1 << 24, 1 << 20, 32, 128, true);
}
