/**
 * DAOS: values on replicas that prepare together under a leader, over RPCs on a reliable-datagram endpoint. {@code ofi} is the endpoint, {@code rpc} its
 * calls and bulk transfers, {@code pool} who serves and what is where, {@code vos} the store, {@code dtx} transactions, {@code engine} and {@code client} the data path.
 */
@NullMarked
package dev.clockwire.storage.daos;

import org.jspecify.annotations.NullMarked;
