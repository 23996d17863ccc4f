@NullMarked
package dev.clockwire.storage.hoststack.tcp;

import org.jspecify.annotations.NullMarked;
