/** What a run consists of besides code: state, tokens, snapshots. */
@NullMarked
package dev.clockwire.sim.state;

import org.jspecify.annotations.NullMarked;
