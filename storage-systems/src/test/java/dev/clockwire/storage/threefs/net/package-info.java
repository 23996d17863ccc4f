@NullMarked
package dev.clockwire.storage.threefs.net;

import org.jspecify.annotations.NullMarked;
