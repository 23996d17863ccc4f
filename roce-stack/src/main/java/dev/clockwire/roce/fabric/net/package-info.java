/** Fabrics as a whole: who is joined to whom, which ways are shortest, what moves in them, and whether it still does. */
@NullMarked
package dev.clockwire.roce.fabric.net;

import org.jspecify.annotations.NullMarked;
