/** What SPDK's own work costs, out of a profile. */
@NullMarked
package dev.clockwire.storage.software;

import org.jspecify.annotations.NullMarked;
