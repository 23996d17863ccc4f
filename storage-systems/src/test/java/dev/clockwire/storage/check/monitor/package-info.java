@NullMarked
package dev.clockwire.storage.check.monitor;

import org.jspecify.annotations.NullMarked;
