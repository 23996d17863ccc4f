/**
 * Advice about RDMA as scenarios: each is a command line without the advice and one with it, a figure that must get better (or must not),
 * and why. Whoever runs them hands in the documents of the two runs.
 */
@NullMarked
package dev.clockwire.bench.practice;

import org.jspecify.annotations.NullMarked;
