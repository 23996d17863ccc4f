/** The responder: requests become writes, reads, completions and answers. The rules are those of the transport package. */
@NullMarked
package dev.clockwire.nic.respond;

import org.jspecify.annotations.NullMarked;
