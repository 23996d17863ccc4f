@NullMarked
package dev.clockwire.storage.threefs.chunk;

import org.jspecify.annotations.NullMarked;
