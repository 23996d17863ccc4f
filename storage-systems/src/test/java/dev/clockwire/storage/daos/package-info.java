@NullMarked
package dev.clockwire.storage.daos;

import org.jspecify.annotations.NullMarked;
