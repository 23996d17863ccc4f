/**
 * Invariants of verbs and of the wire, watched while programs run on any device: what is posted and what comes back ({@link dev.clockwire.roce.verbs.VerbsTap}), and what
 * reliable connections carry ({@link dev.clockwire.nic.lab.WireTap}).
 */
@NullMarked
package dev.clockwire.storage.check.verbs;

import org.jspecify.annotations.NullMarked;
