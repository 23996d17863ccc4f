/** The code of docs/tutorial.md. */
@NullMarked
package dev.clockwire.examples;

import org.jspecify.annotations.NullMarked;
