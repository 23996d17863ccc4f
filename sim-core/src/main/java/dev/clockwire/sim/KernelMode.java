package dev.clockwire.sim;

/** How much the kernel evaluates. Both modes give the same trace. */
public enum KernelMode {
    /** Only modules with something to do are evaluated; events lie in a timing wheel. */
    ACTIVITY,
    /** Every module is evaluated at every edge and every shortcut is off; events lie in a sorted set. Slow, for tests. */
    EXHAUSTIVE
}
