package dev.clockwire.sim;

import dev.clockwire.sim.state.Token;

/** A token with two values. */
final class TestToken extends Token {
    final long x;
    final long y;

    TestToken(long x, long y) {
        this.x = x;
        this.y = y;
    }

    @Override
    protected TestToken copy() {
        return new TestToken(x, y);
    }

    @Override
    public long digest() {
        return x * 31 + y;
    }
}
