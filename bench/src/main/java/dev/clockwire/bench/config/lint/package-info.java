/** Rules over what configuration files say: of one port, and of devices that stand at two ends of a link. */
@NullMarked
package dev.clockwire.bench.config.lint;

import org.jspecify.annotations.NullMarked;
