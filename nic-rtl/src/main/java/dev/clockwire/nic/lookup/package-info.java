/** Parser and lookups between the WQE's bytes and its execution. */
@NullMarked
package dev.clockwire.nic.lookup;

import org.jspecify.annotations.NullMarked;
