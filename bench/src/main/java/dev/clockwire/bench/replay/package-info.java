/**
 * Replay of captures: one side of the recorded connections is simulated, fed with what the other side sent, and compared with
 * what the recorded one did. What a capture does not say of the set-up is inferred ({@link
 * dev.clockwire.bench.replay.Endpoints}, {@link dev.clockwire.bench.replay.Explainer}) or read from a set-up file; answers are
 * never inferred: they come from the simulated side.
 */
@NullMarked
package dev.clockwire.bench.replay;

import org.jspecify.annotations.NullMarked;
