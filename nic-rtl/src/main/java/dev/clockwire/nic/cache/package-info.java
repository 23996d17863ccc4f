/** What is kept on the chip of tables that lie in host memory, and the lookup that asks memory for the rest. */
@NullMarked
package dev.clockwire.nic.cache;

import org.jspecify.annotations.NullMarked;
