/** Reading of comma-separated files, with the line of every record. */
@NullMarked
package dev.clockwire.bench.csv;

import org.jspecify.annotations.NullMarked;
