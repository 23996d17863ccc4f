/**
 * What clients of a storage system saw, and whether it can have been right: histories of reads and writes with the instants of their calls
 * and answers, the order that versions prove, and the search for an order where no version does.
 */
@NullMarked
package dev.clockwire.storage.check;

import org.jspecify.annotations.NullMarked;
