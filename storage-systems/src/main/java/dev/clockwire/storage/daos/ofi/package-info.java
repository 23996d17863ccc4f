/** The fabric of DAOS: a reliable-datagram endpoint over connections that are made on first use, as libfabric's verbs;ofi_rxm. */
@NullMarked
package dev.clockwire.storage.daos.ofi;

import org.jspecify.annotations.NullMarked;
