@NullMarked
package dev.clockwire.storage.daos.ofi;

import org.jspecify.annotations.NullMarked;
