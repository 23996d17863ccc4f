/**
 * The process that SPDK's {@code nvmf_tgt} is: its options, huge pages, states, and the methods of its JSON-RPC over reactors, block devices
 * and the NVMe-oF target. Names of methods, parameters and results are those of SPDK 26.09.
 */
@NullMarked
package dev.clockwire.storage.app;

import org.jspecify.annotations.NullMarked;
