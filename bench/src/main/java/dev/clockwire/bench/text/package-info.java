/** Text for terminals, whatever it is about. */
@NullMarked
package dev.clockwire.bench.text;

import org.jspecify.annotations.NullMarked;
