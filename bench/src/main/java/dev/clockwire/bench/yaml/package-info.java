/** Values of YAML and JSON files that know where they stand. */
@NullMarked
package dev.clockwire.bench.yaml;

import org.jspecify.annotations.NullMarked;
