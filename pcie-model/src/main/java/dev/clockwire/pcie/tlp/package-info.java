/** Transaction layer packets: header bytes, byte enables and the splitting rules of the PCI Express base specification. */
@NullMarked
package dev.clockwire.pcie.tlp;

import org.jspecify.annotations.NullMarked;
