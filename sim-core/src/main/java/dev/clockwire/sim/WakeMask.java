package dev.clockwire.sim;

/** Which of 64 modules run at the next edge. A small object: an element of an array would cost a bounds check at every put and take. */
final class WakeMask {
    long bits;
}
