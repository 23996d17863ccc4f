@NullMarked
package dev.clockwire.storage.hoststack.net;

import org.jspecify.annotations.NullMarked;
