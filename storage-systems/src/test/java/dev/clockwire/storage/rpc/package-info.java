@NullMarked
package dev.clockwire.storage.rpc;

import org.jspecify.annotations.NullMarked;
