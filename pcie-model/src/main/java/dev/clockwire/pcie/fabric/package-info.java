/** PCIe switches: several devices behind one link, with routing, arbitration and peer-to-peer traffic. */
@NullMarked
package dev.clockwire.pcie.fabric;

import org.jspecify.annotations.NullMarked;
