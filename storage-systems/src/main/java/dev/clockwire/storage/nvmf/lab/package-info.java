/** An NVMe-oF system as a whole: an initiator host, the line, a target host with its NIC and SSDs on one root complex. */
@NullMarked
package dev.clockwire.storage.nvmf.lab;

import org.jspecify.annotations.NullMarked;
