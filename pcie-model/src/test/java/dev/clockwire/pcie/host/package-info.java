/** Tests of the package of the same name. */
@NullMarked
package dev.clockwire.pcie.host;

import org.jspecify.annotations.NullMarked;
