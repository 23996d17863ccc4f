/** Claimed results against what no machine can exceed: Little's law, rates of link and PCIe, storage media, sums. */
@NullMarked
package dev.clockwire.bench.audit;

import org.jspecify.annotations.NullMarked;
