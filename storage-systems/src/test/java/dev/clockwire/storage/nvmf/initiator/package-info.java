@NullMarked
package dev.clockwire.storage.nvmf.initiator;

import org.jspecify.annotations.NullMarked;
