/** Chains of targets and the cluster manager that changes them: states, leases, routing. */
@NullMarked
package dev.clockwire.storage.threefs.mgmtd;

import org.jspecify.annotations.NullMarked;
