/** The storage client: channels, retries, target selection. */
@NullMarked
package dev.clockwire.storage.threefs.client;

import org.jspecify.annotations.NullMarked;
