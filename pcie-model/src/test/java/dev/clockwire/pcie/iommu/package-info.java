/** Tests of address translation. */
@NullMarked
package dev.clockwire.pcie.iommu;

import org.jspecify.annotations.NullMarked;
