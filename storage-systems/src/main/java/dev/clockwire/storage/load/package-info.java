/** A load on a storage system: clients that write and read keys in a closed loop, what they saw, what the wire carried, and whether anything was lost. */
@NullMarked
package dev.clockwire.storage.load;

import org.jspecify.annotations.NullMarked;
