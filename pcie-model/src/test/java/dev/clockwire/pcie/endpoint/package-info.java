/** Tests of the package of the same name. */
@NullMarked
package dev.clockwire.pcie.endpoint;

import org.jspecify.annotations.NullMarked;
