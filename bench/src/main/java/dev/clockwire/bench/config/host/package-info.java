/** Command lines that set up priorities, pauses and congestion control of a host's NIC. */
@NullMarked
package dev.clockwire.bench.config.host;

import org.jspecify.annotations.NullMarked;
