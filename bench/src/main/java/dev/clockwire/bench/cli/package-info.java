/** The command line: one class per command, exact exit codes, one-line errors. */
@NullMarked
package dev.clockwire.bench.cli;

import org.jspecify.annotations.NullMarked;
