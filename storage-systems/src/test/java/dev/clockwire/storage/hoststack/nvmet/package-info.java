@NullMarked
package dev.clockwire.storage.hoststack.nvmet;

import org.jspecify.annotations.NullMarked;
