@NullMarked
package dev.clockwire.storage.app;

import org.jspecify.annotations.NullMarked;
