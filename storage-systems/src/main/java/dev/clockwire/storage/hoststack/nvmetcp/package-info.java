/** NVMe/TCP: its PDUs, a host and a target in the kernel. Source: NVM Express TCP Transport Specification 1.0, Linux nvme-tcp and nvmet-tcp. */
@NullMarked
package dev.clockwire.storage.hoststack.nvmetcp;

import org.jspecify.annotations.NullMarked;
