/** Tests of the package of the same name. */
@NullMarked
package dev.clockwire.pcie.link;

import org.jspecify.annotations.NullMarked;
