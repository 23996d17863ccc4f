/** The host's side of a block device behind a network: the program that loads it, its system calls, and how a controller is set up. */
@NullMarked
package dev.clockwire.storage.hoststack.block;

import org.jspecify.annotations.NullMarked;
