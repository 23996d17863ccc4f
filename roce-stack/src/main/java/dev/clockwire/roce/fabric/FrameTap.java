package dev.clockwire.roce.fabric;

import dev.clockwire.sim.state.Token;

/** An observer of the frames that one end of a link sends: each frame once. It must change nothing. */
@FunctionalInterface
public interface FrameTap {
    /**
     * A frame is put on the line.
     *
     * @param ps when its first bit leaves
     * @param end the end that sends it
     * @param frame valid during the call
     */
    void frame(long ps, LinkEnd end, Token frame);

    /** Returns an observer that calls two, in this order. */
    static FrameTap both(FrameTap first, FrameTap second) {
        return (ps, end, frame) -> {
            first.frame(ps, end, frame);
            second.frame(ps, end, frame);
        };
    }
}
