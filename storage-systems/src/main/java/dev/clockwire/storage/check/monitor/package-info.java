/**
 * Invariants of replicated storage, watched while it runs: a model tells what happens ({@link
 * dev.clockwire.storage.check.monitor.ProtocolEvents}), monitors report what must not. Plain numbers in, so any system can be watched.
 */
@NullMarked
package dev.clockwire.storage.check.monitor;

import org.jspecify.annotations.NullMarked;
