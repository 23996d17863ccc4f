package dev.clockwire.sim.flow;

import dev.clockwire.sim.state.State;

/** Chooses one of up to 64 requesters. Choosing changes nothing; only a grant moves the state. */
public interface Arbiter extends State {
    /** Returns the requester that wins among the bits set in {@code requests}, -1 if none is set. */
    int choose(long requests);

    /** Records that this requester was served. */
    void grant(int requester);
}
