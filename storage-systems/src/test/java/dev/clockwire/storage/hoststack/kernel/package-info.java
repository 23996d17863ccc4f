@NullMarked
package dev.clockwire.storage.hoststack.kernel;

import org.jspecify.annotations.NullMarked;
