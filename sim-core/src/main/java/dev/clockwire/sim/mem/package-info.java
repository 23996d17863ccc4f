/**
 * Memory without timing: address spaces with real and bulk allocations, payloads that carry bytes or origins, write
 * watches and byte-range ownership. Whoever models a cost of an access does so on top of this package.
 */
@NullMarked
package dev.clockwire.sim.mem;

import org.jspecify.annotations.NullMarked;
