/** NVMe over fabrics in the NIC: capsules become commands of an SSD, and its completions responses, without a core. */
@NullMarked
package dev.clockwire.nic.offload;

import org.jspecify.annotations.NullMarked;
