/** The part of H3C Comware's command language that decides about priorities, pauses, marks and buffers. */
@NullMarked
package dev.clockwire.bench.config.comware;

import org.jspecify.annotations.NullMarked;
