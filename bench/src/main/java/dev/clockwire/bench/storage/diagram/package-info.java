/** Message diagrams of storage systems, drawn from what a run's wire carried. */
@NullMarked
package dev.clockwire.bench.storage.diagram;

import org.jspecify.annotations.NullMarked;
