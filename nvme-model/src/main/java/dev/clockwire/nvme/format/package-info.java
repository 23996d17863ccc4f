/**
 * What NVMe says in bytes: submission and completion entries, opcodes, status. Little endian throughout. Source: NVM Express base and NVM
 * command set specifications.
 */
@NullMarked
package dev.clockwire.nvme.format;

import org.jspecify.annotations.NullMarked;
