@NullMarked
package dev.clockwire.storage.threefs.client;

import org.jspecify.annotations.NullMarked;
