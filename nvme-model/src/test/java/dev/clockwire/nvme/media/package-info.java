/** Tests of what SSDs are made of. */
@NullMarked
package dev.clockwire.nvme.media;

import org.jspecify.annotations.NullMarked;
