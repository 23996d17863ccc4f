/** The timed host: root complex, memory behind it, and cores with a cost model. */
@NullMarked
package dev.clockwire.pcie.host;

import org.jspecify.annotations.NullMarked;
