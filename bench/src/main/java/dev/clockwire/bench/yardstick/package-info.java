/** The workloads that are measured beside other simulators: see the yardstick table in the documentation. */
@NullMarked
package dev.clockwire.bench.yardstick;

import org.jspecify.annotations.NullMarked;
