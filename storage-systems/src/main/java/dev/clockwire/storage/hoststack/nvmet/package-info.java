/** What a target in the kernel does with commands, whatever brings them: a controller, and the driver of its SSD. */
@NullMarked
package dev.clockwire.storage.hoststack.nvmet;

import org.jspecify.annotations.NullMarked;
