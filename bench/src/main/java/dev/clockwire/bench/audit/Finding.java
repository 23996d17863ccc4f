package dev.clockwire.bench.audit;

/**
 * What one law says about one claim.
 *
 * @param limit the law with its limit, in words
 * @param arithmetic the numbers that led to the verdict
 */
record Finding(Verdict verdict, String limit, String arithmetic) {}
