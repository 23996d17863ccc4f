/** The WQE fetch engine: reads WQEs and doorbell records from host memory, several at a time. */
@NullMarked
package dev.clockwire.nic.fetch;

import org.jspecify.annotations.NullMarked;
