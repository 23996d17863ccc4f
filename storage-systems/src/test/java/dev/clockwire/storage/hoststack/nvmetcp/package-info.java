@NullMarked
package dev.clockwire.storage.hoststack.nvmetcp;

import org.jspecify.annotations.NullMarked;
