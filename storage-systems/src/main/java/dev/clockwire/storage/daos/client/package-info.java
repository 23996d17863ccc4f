/** The client of DAOS: placement, the leader of each object, bulk handles, resends. */
@NullMarked
package dev.clockwire.storage.daos.client;

import org.jspecify.annotations.NullMarked;
