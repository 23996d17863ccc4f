@NullMarked
package dev.clockwire.storage.load;

import org.jspecify.annotations.NullMarked;
