@NullMarked
package dev.clockwire.storage.hoststack;

import org.jspecify.annotations.NullMarked;
