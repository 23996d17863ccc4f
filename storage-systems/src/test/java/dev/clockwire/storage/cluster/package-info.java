@NullMarked
package dev.clockwire.storage.cluster;

import org.jspecify.annotations.NullMarked;
