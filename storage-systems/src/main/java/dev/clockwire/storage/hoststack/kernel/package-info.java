/** A core as a kernel shares it out: interrupts, softirqs, kworkers and threads, each at its price, and what they were counted. */
@NullMarked
package dev.clockwire.storage.hoststack.kernel;

import org.jspecify.annotations.NullMarked;
