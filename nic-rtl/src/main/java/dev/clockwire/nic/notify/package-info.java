/** The notification point: answers marks of congestion. */
@NullMarked
package dev.clockwire.nic.notify;

import org.jspecify.annotations.NullMarked;
