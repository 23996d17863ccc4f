/** The encoder: headers and ICRC around the payload. */
@NullMarked
package dev.clockwire.nic.encode;

import org.jspecify.annotations.NullMarked;
