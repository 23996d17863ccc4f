/** The troubleshooting catalogue: faults with their symptom, the counters that betray them, the cure, and the proof. */
@NullMarked
package dev.clockwire.bench.catalogue;

import org.jspecify.annotations.NullMarked;
