@NullMarked
package dev.clockwire.storage.check;

import org.jspecify.annotations.NullMarked;
