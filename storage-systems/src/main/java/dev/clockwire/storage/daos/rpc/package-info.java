/** Remote procedure calls of DAOS, as CaRT and Mercury do them: announced responses, credits, deadlines, bulk handles that the target pulls from or pushes to. */
@NullMarked
package dev.clockwire.storage.daos.rpc;

import org.jspecify.annotations.NullMarked;
