@NullMarked
package dev.clockwire.storage.software;

import org.jspecify.annotations.NullMarked;
