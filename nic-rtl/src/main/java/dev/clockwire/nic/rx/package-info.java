/** The receiver: parser, ICRC verdict, queue pair lookup. */
@NullMarked
package dev.clockwire.nic.rx;

import org.jspecify.annotations.NullMarked;
