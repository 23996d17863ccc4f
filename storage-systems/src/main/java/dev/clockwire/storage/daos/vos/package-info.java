/** The versioned object store of a DAOS target: values by epoch, small ones in storage-class memory, others on the SSD. */
@NullMarked
package dev.clockwire.storage.daos.vos;

import org.jspecify.annotations.NullMarked;
