@NullMarked
package dev.clockwire.storage.threefs;

import org.jspecify.annotations.NullMarked;
