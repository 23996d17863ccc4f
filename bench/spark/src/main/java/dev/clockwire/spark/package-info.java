/** Sweeps on Apache Spark. */
@NullMarked
package dev.clockwire.spark;

import org.jspecify.annotations.NullMarked;
