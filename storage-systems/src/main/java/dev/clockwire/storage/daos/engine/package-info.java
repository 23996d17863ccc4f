/** The engine of DAOS: leaders, replicas, failure detection, resync of transactions, rebuild. */
@NullMarked
package dev.clockwire.storage.daos.engine;

import org.jspecify.annotations.NullMarked;
