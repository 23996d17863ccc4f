/**
 * What an NVMe-oF target offers: subsystems with namespaces, listeners and hosts, and the limits of a transport. It knows no queue and no
 * connection. Source of names, defaults and ranges: SPDK 26.09, {@code lib/nvmf}.
 */
@NullMarked
package dev.clockwire.storage.nvmf.subsystem;

import org.jspecify.annotations.NullMarked;
