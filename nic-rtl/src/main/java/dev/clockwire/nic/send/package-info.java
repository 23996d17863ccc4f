/** The send engine: WQEs become packets, responses become completions. The rules are those of the transport package. */
@NullMarked
package dev.clockwire.nic.send;

import org.jspecify.annotations.NullMarked;
