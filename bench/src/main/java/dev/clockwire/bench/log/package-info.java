/** Where log lines go: standard error, and nowhere else. */
@NullMarked
package dev.clockwire.bench.log;

import org.jspecify.annotations.NullMarked;
