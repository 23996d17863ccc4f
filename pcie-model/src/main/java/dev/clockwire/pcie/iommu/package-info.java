/** Address translation between a device and host memory: page sizes, the IOTLB, the page walkers. */
@NullMarked
package dev.clockwire.pcie.iommu;

import org.jspecify.annotations.NullMarked;
