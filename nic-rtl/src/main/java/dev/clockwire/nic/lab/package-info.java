/** Ready-made set-ups: hosts with NICs, joined back to back. */
@NullMarked
package dev.clockwire.nic.lab;

import org.jspecify.annotations.NullMarked;
