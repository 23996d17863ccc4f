@NullMarked
package dev.clockwire.storage.threefs.server;

import org.jspecify.annotations.NullMarked;
