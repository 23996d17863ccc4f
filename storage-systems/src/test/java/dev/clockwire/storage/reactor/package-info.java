/** Tests of reactors. */
@NullMarked
package dev.clockwire.storage.reactor;

import org.jspecify.annotations.NullMarked;
