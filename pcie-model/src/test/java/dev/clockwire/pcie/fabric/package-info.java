/** Tests of PCIe switches. */
@NullMarked
package dev.clockwire.pcie.fabric;

import org.jspecify.annotations.NullMarked;
