/**
 * What NVMe over fabrics adds in bytes: its commands, the data of Connect, the discovery log, and what connections over RDMA say of themselves.
 * Numbers that are one less than what they count are turned into counts here and nowhere else. Source: NVM Express base specification and its
 * RDMA transport.
 */
@NullMarked
package dev.clockwire.nvme.fabrics;

import org.jspecify.annotations.NullMarked;
