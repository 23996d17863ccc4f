/**
 * The controller of an SSD as a PCIe function: doorbell, arbitration, fetch, data by PRP or SGL, media, completion, interrupt. It has no clock:
 * its parts take turns by events.
 */
@NullMarked
package dev.clockwire.nvme.ctrl;

import org.jspecify.annotations.NullMarked;
