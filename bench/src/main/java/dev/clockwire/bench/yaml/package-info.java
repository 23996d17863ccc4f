/** YAML files with the place of everything in them, so that a mistake can be shown. */
@NullMarked
package dev.clockwire.bench.yaml;

import org.jspecify.annotations.NullMarked;
