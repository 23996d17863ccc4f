package dev.clockwire.testkit;

import dev.clockwire.sim.state.Token;

/** A token that is a number, for tests of blocks that do not look inside. */
public final class NumberToken extends Token {
    private final long number;

    /** Creates the token of a number. */
    public NumberToken(long number) {
        this.number = number;
    }

    /** Returns the number. */
    public long number() {
        return number;
    }

    @Override
    protected NumberToken copy() {
        return new NumberToken(number);
    }

    @Override
    public long digest() {
        return number;
    }
}
