/** Lines of configuration files, split into words that know where they stand. */
@NullMarked
package dev.clockwire.bench.config.text;

import org.jspecify.annotations.NullMarked;
