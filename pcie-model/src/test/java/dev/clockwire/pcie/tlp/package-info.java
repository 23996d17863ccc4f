/** Tests of the package of the same name. */
@NullMarked
package dev.clockwire.pcie.tlp;

import org.jspecify.annotations.NullMarked;
