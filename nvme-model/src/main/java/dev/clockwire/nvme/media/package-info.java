/** How long an SSD takes: a controller's pipeline, units that work beside each other, a link, a write buffer. */
@NullMarked
package dev.clockwire.nvme.media;

import org.jspecify.annotations.NullMarked;
