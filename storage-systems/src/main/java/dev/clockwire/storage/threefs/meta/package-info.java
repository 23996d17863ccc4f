/** Files of 3FS: a metadata service that is asked by RPC, and files whose bytes lie in chunks of chains. */
@NullMarked
package dev.clockwire.storage.threefs.meta;

import org.jspecify.annotations.NullMarked;
